"""A smooth curve through few points of a ROC curve."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.errors import InvalidArgument


def first_reaching(cdf: FloatArray, levels: ArrayLike) -> IntArray:
    """Index of the first point at which a distribution function reaches each level.

    Parameters
    ----------
    cdf : float array, shape (points,)
        Usually non-decreasing; if noise left it otherwise, the search still ends, at a point that
        reaches the level while its left neighbour does not, or at the last point.
    levels : array-like
        In [0, 1].

    Returns
    -------
    int array of the shape of `levels`
        The last index if the level is never reached.

    Raises
    ------
    InvalidArgument
        If a level is not in [0, 1].

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Algorithm 1 (here over the points of the grid rather than a real interval).

    Examples
    --------
    >>> first_reaching(np.array([0.2, 0.5, 0.5, 1.0]), [0.1, 0.5, 0.7]).tolist()
    [0, 1, 3]
    """
    wanted = np.asarray(levels, dtype=np.float64)
    if not ((wanted >= 0.0) & (wanted <= 1.0)).all():
        raise InvalidArgument("q", levels, "in [0, 1]")
    below = np.full(wanted.shape, -1, dtype=np.int64)
    reaching = np.full(wanted.shape, cdf.size - 1, dtype=np.int64)
    for _ in range(cdf.size.bit_length()):
        open_ = reaching - below > 1
        middle = np.where(open_, (below + reaching) // 2, reaching)
        reaches = cdf[middle] >= wanted
        reaching = np.where(open_ & reaches, middle, reaching)
        below = np.where(open_ & ~reaches, middle, below)
    return reaching


# Ends of the curve, in standard deviations: beyond it a rate is 0 or 1 on any screen.
_FAR = 5.0


def probit_path(
    x: FloatArray, y: FloatArray, *, steps: int = 16, straight: BoolArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Join the knots of a ROC curve by lines on probit scales, each inside its own bin.

    Parameters
    ----------
    x, y : float arrays, shape (knots,)
        Rates from (0, 0) to (1, 1), both non-decreasing.
    steps : int, default 16
        Points for each bin, the interval between neighbouring knots.
    straight : bool array, shape (knots - 1,), optional
        Bins to cross by a straight line instead, because a single score fills them.

    Returns
    -------
    x, y : float arrays, shape ((knots - 1) * steps + 1,)
        Non-decreasing, through every knot; knot k has index k * steps.

    Notes
    -----
    Scores that are normal in both classes give a straight line on these scales. The first bin
    starts and the last one ends at infinity there: they follow a line of slope one through their
    inner knot. A bin with an inner knot on the border of the square stays straight.

    References
    ----------
    T. Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27(8).
    doi:10.1016/j.patrec.2005.10.010

    Examples
    --------
    >>> x, y = probit_path(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.5, 1.0]), steps=2)
    >>> bool(np.allclose(x, y)), x.size
    (True, 5)
    """
    share = np.linspace(0.0, 1.0, steps + 1)[:-1]
    left_x, right_x, left_y, right_y = x[:-1, None], x[1:, None], y[:-1, None], y[1:, None]
    from_x, from_y, to_x, to_y = _ends(ndtri(x), ndtri(y))
    bends = np.isfinite(np.stack([from_x, from_y, to_x, to_y], axis=1)).all(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):  # bins that touch the border of the square
        bent_x = ndtr(from_x[:, None] + share * (to_x - from_x)[:, None])
        bent_y = ndtr(from_y[:, None] + share * (to_y - from_y)[:, None])
    straight_x = left_x + share * (right_x - left_x)
    straight_y = left_y + share * (right_y - left_y)
    if straight is not None:
        bends &= ~straight[:, None]
    path_x = np.where(bends, np.clip(bent_x, left_x, right_x), straight_x)
    path_y = np.where(bends, np.clip(bent_y, left_y, right_y), straight_y)
    # Through the knots themselves, whatever the rounding.
    path_x[:, 0], path_y[:, 0] = x[:-1], y[:-1]
    return np.append(path_x.ravel(), x[-1]), np.append(path_y.ravel(), y[-1])


def _ends(
    z_x: FloatArray, z_y: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Ends of each bin on probit scales; the outermost ones on a line of slope one."""
    from_x, from_y, to_x, to_y = z_x[:-1].copy(), z_y[:-1].copy(), z_x[1:].copy(), z_y[1:].copy()
    if z_x.size > 2 and np.isfinite([to_x[0], to_y[0]]).all():
        reach = max(_FAR + min(to_x[0], to_y[0]), 0.0)
        from_x[0], from_y[0] = to_x[0] - reach, to_y[0] - reach
    if z_x.size > 2 and np.isfinite([from_x[-1], from_y[-1]]).all():
        reach = max(_FAR - max(from_x[-1], from_y[-1]), 0.0)
        to_x[-1], to_y[-1] = from_x[-1] + reach, from_y[-1] + reach
    return from_x, from_y, to_x, to_y
