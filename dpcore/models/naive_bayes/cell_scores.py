"""From noisy cell counts to log-likelihood ratios that noise alone cannot make large."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray
from dpcore.postprocess.simplex import project_to_simplex

__all__ = ["log_ratios", "onto_simplex"]


def onto_simplex(counts: FloatArray, totals: FloatArray) -> FloatArray:
    """Nearest non-negative counts (L2) with known totals, row by row.

    Parameters
    ----------
    counts : float array, shape (classes, cells)
        Noisy counts.
    totals : float array, shape (classes,)
        What each row should add up to; a negative total counts as 0.

    Returns
    -------
    float array, shape (classes, cells)

    Examples
    --------
    >>> onto_simplex(np.array([[5.0, -1.0, 4.0]]), np.array([7.0])).tolist()
    [[4.0, 0.0, 3.0]]
    """
    return np.stack(
        [
            project_to_simplex(row, float(total)) if total > 0 else np.zeros_like(row)
            for row, total in zip(counts, totals, strict=True)
        ]
    )


def log_ratios(
    counts: FloatArray, totals: FloatArray, *, scale: float, shrink: float = 0.5**0.5
) -> FloatArray:
    """Log of how much likelier each cell is in each class than overall, shrunk by the noise.

    Each ratio is log((x + m) / (t p + m)), with x the count, t the class total, p the share of the
    cell over all classes and m = 1 + shrink * scale pseudo-counts: a cell whose counts are no
    larger than their noise comes out near 0, and an empty class is 0 everywhere.

    Parameters
    ----------
    counts : float array, shape (classes, cells)
        Non-negative counts.
    totals : float array, shape (classes,)
        Class sizes; negative ones count as 0.
    scale : float
        Scale of the noise in the counts.
    shrink : float, default sqrt(1/2)
        Half the standard deviation of Laplace noise of scale 1; larger where most cells are empty.

    Returns
    -------
    float array, shape (classes, cells)
        Finite.

    Examples
    --------
    >>> log_ratios(np.array([[30.0, 10.0], [0.0, 0.0]]), np.array([40.0, 0.0]), scale=1.0).tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    sizes = np.maximum(totals, 0.0)
    share = counts.sum(axis=0) / max(float(sizes.sum()), 1.0)
    pseudo = 1.0 + shrink * scale
    expected = np.outer(sizes, share)
    return np.asarray(np.log((counts + pseudo) / (expected + pseudo)), dtype=np.float64)
