"""Shapes that released values must have: monotone or concave, non-negative, shares.

Whatever states a share with an interval (an AUC, a distribution function, a calibration error) asks
here whether it states anything, and says it in the one sentence that is written here.
"""

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr, ndtri

from dpcore._typing import ArrayLike, BoolArray, FloatArray, IntArray
from dpcore.errors import InvalidArgument


def first_reaching(cdf: FloatArray, levels: ArrayLike) -> IntArray:
    """Index of the first point at which a distribution function reaches each level.

    Parameters
    ----------
    cdf : float array, shape (points,)
        Usually non-decreasing; if noise left it otherwise, the search still ends, at a point that
        reaches the level while its left neighbour does not, or at the last point.
    levels
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

# Knots nearer than this on probit scales are one.
_APART = 1e-9


def probit_path(
    x: FloatArray, y: FloatArray, *, steps: int = 16, straight: BoolArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Join the knots of a ROC curve smoothly on probit scales, each inside its own bin.

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
    Scores that are normal in both classes give a straight line on these scales. Inner knots are
    joined there by monotone cubics, of which lines are a case: both scales follow their sum. The
    first bin starts and the last one ends at infinity there: they follow a line of slope one
    through their inner knot. A bin with an inner knot on the border of the square stays straight.

    References
    ----------
    T. Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27(8).
    doi:10.1016/j.patrec.2005.10.010
    F. N. Fritsch, J. Butland (1984), A method for constructing local monotone piecewise cubic
    interpolants, SIAM J. Sci. Stat. Comput. 5(2). doi:10.1137/0905021

    Examples
    --------
    >>> x, y = probit_path(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.5, 1.0]), steps=2)
    >>> bool(np.allclose(x, y)), x.size
    (True, 5)
    """
    share = np.linspace(0.0, 1.0, steps + 1)[:-1]
    left_x, right_x, left_y, right_y = x[:-1, None], x[1:, None], y[:-1, None], y[1:, None]
    z_x, z_y = ndtri(x), ndtri(y)
    from_x, from_y, to_x, to_y = _ends(z_x, z_y)
    bends = np.isfinite(np.stack([from_x, from_y, to_x, to_y], axis=1)).all(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):  # bins that touch the border of the square
        bent_x = ndtr(from_x[:, None] + share * (to_x - from_x)[:, None])
        bent_y = ndtr(from_y[:, None] + share * (to_y - from_y)[:, None])
    _bend(bent_x, bent_y, z_x, z_y, share)
    straight_x = left_x + share * (right_x - left_x)
    straight_y = left_y + share * (right_y - left_y)
    if straight is not None:
        bends &= ~straight[:, None]
    path_x = np.where(bends, np.clip(bent_x, left_x, right_x), straight_x)
    path_y = np.where(bends, np.clip(bent_y, left_y, right_y), straight_y)
    # Through the knots themselves, whatever the rounding.
    path_x[:, 0], path_y[:, 0] = x[:-1], y[:-1]
    joined = np.stack([np.append(path_x.ravel(), x[-1]), np.append(path_y.ravel(), y[-1])])
    across, up = np.maximum.accumulate(joined, axis=1)
    return across, up


def _bend(
    bent_x: FloatArray, bent_y: FloatArray, z_x: FloatArray, z_y: FloatArray, share: FloatArray
) -> None:
    """Write monotone cubics through the finite knots over the lines of the bins between them."""
    with np.errstate(invalid="ignore"):  # a corner of the square
        along = z_x + z_y
    inner = np.flatnonzero(np.isfinite(along))
    at = along[inner]
    apart = np.diff(at, prepend=-np.inf) > _APART
    if np.count_nonzero(apart) < 3:
        return
    # A fifth of a second to load, which nobody pays who fits nothing; so below.
    from scipy.interpolate import PchipInterpolator

    smooth = PchipInterpolator(at[apart], np.stack([z_x, z_y], axis=1)[inner][apart])
    bins = inner[:-1]
    found = ndtr(smooth(at[:-1, None] + share * np.diff(at)[:, None]))
    bent_x[bins], bent_y[bins] = found[..., 0], found[..., 1]


def _ends(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Ends of each bin on probit scales; the outermost ones on a line of slope one."""
    from_x, from_y, to_x, to_y = x[:-1].copy(), y[:-1].copy(), x[1:].copy(), y[1:].copy()
    if x.size > 2 and np.isfinite([to_x[0], to_y[0]]).all():
        reach = max(_FAR + min(to_x[0], to_y[0]), 0.0)
        from_x[0], from_y[0] = to_x[0] - reach, to_y[0] - reach
    if x.size > 2 and np.isfinite([from_x[-1], from_y[-1]]).all():
        reach = max(_FAR - max(from_x[-1], from_y[-1]), 0.0)
        to_x[-1], to_y[-1] = from_x[-1] + reach, from_y[-1] + reach
    return from_x, from_y, to_x, to_y


def project_to_simplex(values: FloatArray, total: float | FloatArray) -> FloatArray:
    """Nearest vector in L2 of non-negative numbers with the given sum, row by row.

    Parameters
    ----------
    values : float array, shape (..., cells)
    total : float or float array, shape (...)
        Not negative.

    References
    ----------
    J. Duchi, S. Shalev-Shwartz, Y. Singer, T. Chandra (2008), Efficient projections onto the
    l1-ball for learning in high dimensions, ICML, Figure 1. doi:10.1145/1390156.1390191

    Examples
    --------
    >>> project_to_simplex(np.array([3.0, -1.0, 2.0]), 4.0).tolist()
    [2.5, 0.0, 1.5]
    """
    descending = np.sort(values)[..., ::-1]
    above = np.cumsum(descending, axis=-1) - np.asarray(total)[..., np.newaxis]
    excess = above / np.arange(1, values.shape[-1] + 1)
    # The largest entry always survives, also where rounding hides that or the sum is zero.
    survivors = np.maximum((descending > excess).sum(axis=-1, keepdims=True), 1)
    level = np.take_along_axis(excess, survivors - 1, axis=-1)
    return np.asarray(np.maximum(values - level, 0.0), dtype=np.float64)


def leaves_everything(low: float, high: float) -> bool:
    """Whether an interval for a share holds all from 0 to 1, as two decimals write them.

    An interval that is not a number holds everything too.

    Examples
    --------
    >>> leaves_everything(0.004, 0.996), leaves_everything(0.1, 1.0), leaves_everything(-3, 7)
    (True, False, True)
    """
    return not (float(f"{low:.2f}") > 0.0 or float(f"{high:.2f}") < 1.0)


# The sum of several noises is hardly ever larger.
_WIDE = 4.0


def perhaps_nobody(noisy: float, spread: float) -> bool:
    """Whether noise alone may have made a number of records.

    Parameters
    ----------
    spread
        Root of the sum of the squared scales of its Laplace noises.

    Examples
    --------
    >>> perhaps_nobody(30.0, 10.0), perhaps_nobody(50.0, 10.0)
    (True, False)
    """
    return bool(noisy <= _WIDE * spread)


def nothing_said(what: str, possible: str, epsilon: str = "") -> str:
    """The sentence in place of a number that could be any number; at this epsilon if none is told.

    Examples
    --------
    >>> nothing_said("this curve", "any AUC", "0.01")
    'At epsilon 0.01 this curve says nothing: the noise leaves any AUC possible.'
    """
    where = f"At epsilon {epsilon}" if epsilon else "At this epsilon"
    return f"{where} {what} says nothing: the noise leaves {possible} possible."


def to_be_checked(headline: str) -> str:
    """What to look at where a release says nothing; empty where it says something.

    Whether a record has a name or a label is private: only what was released may bring it up.

    Examples
    --------
    >>> to_be_checked("AUC 0.8."), to_be_checked("At this epsilon this AUC says nothing.")[:26]
    ('', 'Check too that columns and')
    """
    remedy = "Check too that columns and labels are written as in the file: no private run tells."
    return remedy * (" says nothing" in headline)


def as_share(values: ArrayLike | Sequence[float]) -> FloatArray:
    """Estimates of shares, each moved to the nearest that is possible: into [0, 1].

    Noise may push an estimate that is not smoothed out of it. A share that is written is possible.

    Examples
    --------
    >>> as_share([-7195.6, 0.4, 1.2]).tolist()
    [0.0, 0.4, 1.0]
    """
    return np.clip(np.asarray(values, dtype=np.float64), 0.0, 1.0)


def isotonic(
    values: ArrayLike, *, low: float = float("-inf"), high: float = float("inf")
) -> FloatArray:
    """Nearest non-decreasing sequence in L2 with all its values in [low, high].

    Parameters
    ----------
    values : array-like, shape (points,)
    low, high : float
        Public bounds of the true values.

    Returns
    -------
    float array, shape (points,)

    Notes
    -----
    Clipping the unbounded solution gives the bounded one exactly: the pools of the regression do
    not depend on the bounds.

    References
    ----------
    M. Hay, V. Rastogi, G. Miklau, D. Suciu (2010), Boosting the accuracy of differentially private
    histograms through consistency, PVLDB 3(1), Theorem 1. doi:10.14778/1920841.1920970

    Examples
    --------
    >>> isotonic([0.3, 0.1, 0.9, 1.4], high=1.0).tolist()
    [0.2, 0.2, 0.9, 1.0]
    """
    noisy = np.asarray(values, dtype=np.float64)
    if noisy.size == 0:
        return noisy
    from scipy.optimize import isotonic_regression

    fitted = isotonic_regression(noisy).x
    return np.asarray(np.clip(fitted, low, high), dtype=np.float64)


def monotone_rates(counts: ArrayLike, total: float) -> FloatArray:
    """Nearest non-decreasing rates to noisy cumulative counts, between the fixed ends 0 and 1.

    Parameters
    ----------
    counts : array-like, shape (points,)
        Noisy numbers of records up to each of several ascending points.
    total : float
        Noisy number of all records; anything below one counts as one.

    Returns
    -------
    float array, shape (points + 2,)
        From 0 to 1.

    Examples
    --------
    >>> monotone_rates([3, 1, 9], 8).tolist()
    [0.0, 0.25, 0.25, 1.0, 1.0]
    """
    rates = isotonic(np.asarray(counts, dtype=np.float64) / max(total, 1.0), low=0.0, high=1.0)
    return np.concatenate([[0.0], rates, [1.0]])


def concave_majorant(x: FloatArray, y: FloatArray) -> FloatArray:
    """Least concave majorant of a piecewise-linear curve, at its own knots.

    Parameters
    ----------
    x : float array, shape (points,)
        Non-decreasing; a vertical step repeats its abscissa.
    y : float array, shape (points,)
        Non-decreasing.

    Returns
    -------
    float array, shape (points,)
        At least `y`; at a repeated abscissa, the value at its top, but the first and the last
        knot keep their place so that a ROC curve still runs from (0, 0) to (1, 1).

    Examples
    --------
    >>> concave_majorant(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.2, 1.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    corners: list[int] = []
    for point in range(x.size):
        while len(corners) >= 2 and _turns_left(x, y, corners[-2], corners[-1], point):
            corners.pop()
        corners.append(point)
    top = np.interp(x, x[corners], y[corners])
    top[0], top[-1] = y[0], y[-1]
    return np.maximum(top, y)


def _turns_left(x: FloatArray, y: FloatArray, first: int, middle: int, last: int) -> bool:
    """Whether the middle point lies on or below the line from the first to the last."""
    rise = (y[middle] - y[first]) * (x[last] - x[first])
    return bool(rise <= (y[last] - y[first]) * (x[middle] - x[first]))


def monotone_envelope(noisy: FloatArray, reach: float) -> tuple[FloatArray, FloatArray]:
    """All monotone curves within [0, 1] that stay within `reach` of a noisy one, as two curves.

    Parameters
    ----------
    noisy : float array, shape (points,)
    reach
        Zero or positive; infinity gives the whole square.

    Returns
    -------
    lower, upper : float arrays, shape (points,)
        Both non-decreasing. A monotone curve that is nowhere farther than `reach` from the noisy
        one lies between them. They cross if there is no such curve.

    Examples
    --------
    >>> lower, upper = monotone_envelope(np.array([0.3, 0.2, 0.8]), 0.1)
    >>> lower.round(3).tolist(), upper.round(3).tolist()
    ([0.2, 0.2, 0.7], [0.3, 0.3, 0.9])
    """
    lower = np.maximum.accumulate(noisy - reach)
    upper = np.minimum.accumulate((noisy + reach)[::-1])[::-1]
    return np.clip(lower, 0.0, 1.0), np.clip(upper, 0.0, 1.0)
