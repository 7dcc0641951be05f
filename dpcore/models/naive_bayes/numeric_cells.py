"""Numeric features cut into public cells, and counted: shared by the methods."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.models.grid import anchored_grid, cell_of
from dpcore.models.training import Training

__all__ = ["equal_grids", "numeric_counts", "public_grids"]

# Equal cells and halvings of the grids, below so many records per unit of noise.
_GRIDS = ((120, (3, 0)), (1_000, (4, 4)), (float("inf"), (16, 6)))


def public_grids(training: Training, records_per_noise: float) -> tuple[FloatArray, ...]:
    """Fine grids where a cell's share of the records stands out from the noise of its count.

    Parameters
    ----------
    training : Training
        Only the public bounds are read.
    records_per_noise : float
        Released number of records per unit of noise.
    """
    cells, halvings = next(size for below, size in _GRIDS if records_per_noise < below)
    return _grids(training, cells, halvings)


def equal_grids(training: Training, cells: int) -> tuple[FloatArray, ...]:
    """Equal cells between the public bounds of each numeric feature."""
    return _grids(training, cells, 0)


def _grids(training: Training, cells: int, halvings: int) -> tuple[FloatArray, ...]:
    return tuple(
        anchored_grid((float(low), float(high)), cells=cells, halvings=halvings)
        for low, high in training.rows.numeric_bounds.T
    )


def numeric_counts(training: Training, edges: tuple[FloatArray, ...]) -> list[IntArray]:
    """Count the records of each class in each cell of each numeric feature (private).

    Sensitivity
        *Add-remove*, L1: 1 per feature, because a record is in one class and one cell. *Replace*:
        2 per feature.

    Returns
    -------
    list of int array, shape (classes, cells)
    """
    counted = []
    for feature, grid in enumerate(edges):
        width = grid.size - 1
        cell = cell_of(training.rows.numeric[:, feature], grid)
        flat = np.bincount(training.classes * width + cell, minlength=training.n_classes * width)
        counted.append(flat.reshape(training.n_classes, width).astype(np.int64))
    return counted
