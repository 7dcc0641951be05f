"""Public cells for a numeric feature: equal ones over its bounds, finer ones towards an anchor."""

from __future__ import annotations

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray

__all__ = ["anchored_grid"]


def anchored_grid(bounds: tuple[float, float], *, cells: int, halvings: int) -> FloatArray:
    """Edges of public cells, shape (cells + ... + 1,), from the lower to the upper bound.

    Amounts, counts and durations crowd near zero and thin out over their range. Besides `cells`
    equal cells the grid has edges at the anchor and at 1/2, 1/4, ... of a cell from it, on both
    sides. The anchor is 0 if the bounds hold it, else the lower bound: the data are not asked.

    Parameters
    ----------
    bounds : (float, float)
    cells : int
        At least 1.
    halvings : int
        Zero or more.

    Examples
    --------
    >>> anchored_grid((0.0, 8.0), cells=2, halvings=2).tolist()
    [0.0, 1.0, 2.0, 4.0, 8.0]
    >>> anchored_grid((-4.0, 4.0), cells=2, halvings=1).tolist()
    [-4.0, -2.0, 0.0, 2.0, 4.0]
    """
    _check.integer_in_range(1, None, cells=cells)
    _check.integer_in_range(0, 60, halvings=halvings)
    low, high = bounds
    anchor = 0.0 if low <= 0.0 <= high else low
    near = (high - low) / cells * 0.5 ** np.arange(1, halvings + 1)
    close = np.concatenate([anchor - near, [anchor] if halvings else [], anchor + near])
    inside = close[(close > low) & (close < high)]
    return np.unique(np.concatenate([np.linspace(low, high, cells + 1), inside]))
