"""The exact law of noisy medians, and its privacy loss over every small data set."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from dpcore.mechanisms import SmoothMedians
from dpcore.mechanisms.smooth.medians import medians_with_sensitivity


def law(
    mechanism: SmoothMedians, below: NDArray[np.int64], *, uniform: float = 2.0**-12
) -> NDArray[np.float64]:
    """Probability of each inner edge, for one interval over the whole grid.

    Cauchy noise around the median, to the nearest inner edge, the middle's if it leaves the grid;
    with a small probability any edge. Written from the docstring, with the densities in closed
    form; only median and sensitivity are taken from the code, which has its own tests.
    """
    span = float(mechanism.positions[-1] - mechanism.positions[0])
    grid = np.rint((mechanism.positions - mechanism.positions[0]) / span * 2.0**30)
    medians, sensitivity = medians_with_sensitivity(below, grid, mechanism.cuts, mechanism.beta)
    scale = mechanism.noise_factor * max(float(sensitivity[0]), 1.0)
    inner = grid[1:-1]
    borders = np.concatenate([[grid[0]], (inner[1:] + inner[:-1]) / 2, [grid[-1]]])
    cdf = np.array([0.5 + math.atan((b - medians[0]) / scale) / math.pi for b in borders])
    chance = np.diff(cdf)
    middle = (grid[0] + grid[-1]) / 2
    chance[np.argmin(np.abs(inner - middle))] += 1.0 - chance.sum()
    return (1.0 - uniform) * chance + uniform / inner.size


def worst_losses(mechanism: SmoothMedians, records: int) -> dict[str, float]:
    """Largest loss between neighbours of at most that many records, in both relations."""
    cells = mechanism.positions.size - 1
    laws = {}
    for size in range(records + 1):
        for data in itertools.combinations_with_replacement(range(cells), size):
            counts = np.bincount(np.array(data, dtype=int), minlength=cells)
            laws[data] = np.log(law(mechanism, np.concatenate([[0], np.cumsum(counts)])))
    added = replaced = 0.0
    for data in (data for data in laws if len(data) < records):
        larger = [laws[tuple(sorted((*data, cell)))] for cell in range(cells)]
        added = max(added, *(float(np.abs(laws[data] - other).max()) for other in larger))
        pairs = itertools.combinations(larger, 2)
        replaced = max(replaced, *(float(np.abs(a - b).max()) for a, b in pairs))
    return {"add-remove": added, "replace": replaced}
