"""Smooth distribution functions under the covariance of tree noise: p = 1 and p = 2."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from scipy.special import ndtr, ndtri

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.postprocess import dyadic_flow
from dpcore.postprocess.dyadic_flow import DyadicIntervals, increments, lowest_prices

# A grid of binormal curves tpr = Phi(a + b Phi^-1(fpr)), from useless to perfect, and how
# plausible each is before any data: separations around 1.5, slopes slightly below one.
_SEPARATION = np.linspace(-1.0, 5.0, 31)[:, None]

_SLOPE = np.exp(np.linspace(-0.9, 0.5, 15))

_USUAL = -((_SEPARATION - 1.5) ** 2) / 2.0

_OF_SLOPE = -(((np.log(_SLOPE) + 0.2) / 0.25) ** 2) / 2.0

# How likely scores are to mean what they say, up to a factor on the odds; then classes lie as far
# apart as log-odds spread within one, give or take so much of it, between these limits.
_MEANT = 0.6

_GIVE_OR_TAKE = 0.3

_LEAST_SPREAD, _MOST_SPREAD = 0.75, 4.5

# The size of the class may be off by so many scales of the noise on a count, in these steps.
_OFF = np.arange(-4.0, 5.0)

# Knots nearer to the ends are moved here: their place in the far tails is not known that well.
_NEAREST = 1e-4


def binormal_curve(
    x: FloatArray, fpr: FloatArray, counts: FloatArray, scale: float, *, spread: float | None = None
) -> tuple[FloatArray, float]:
    """Posterior median of a binormal ROC curve, given noisy counts of the positive class in bins.

    Parameters
    ----------
    x : float array, shape (points,)
        Where to evaluate the curve, as false positive rates, ascending.
    fpr : float array, shape (bins + 1,)
        Rates at the ends of the bins, from 0 to 1, non-decreasing.
    counts : float array, shape (bins,)
        Noisy counts of positive records in the bins; their sum, give or take its noise, stands
        for the class size, which is one at least.
    scale : float
        Scale of the Laplace noise on a count.
    spread : float, optional
        Standard deviation of the log-odds of scores within a class, as released; None if unknown.

    Returns
    -------
    tpr : float array, shape (points,)
        Non-decreasing in `at`, from 0 at 0 to 1 at 1.
    misfit : float
        Sum over bins of the distance between count and curve, in scales. Noise alone adds about
        one per bin; much more says that the curve is not binormal.

    Notes
    -----
    The median at each fpr has the least expected distance, which is what the area between two
    curves adds up. Where scores are probabilities and their log-odds normal with deviation d in
    each class, the classes are d apart: so the scores alone say something of the curve, also if
    all odds are off by one factor.

    References
    ----------
    C. E. Metz (1986), ROC methodology in radiologic imaging, Investigative Radiology 21(9).
    doi:10.1097/00004424-198609000-00009

    Examples
    --------
    >>> ends, counts = np.array([0.0, 0.1, 0.4, 1.0]), np.array([70.0, 25.0, 5.0])
    >>> tpr, misfit = binormal_curve(np.array([0.0, 0.1, 0.4, 1.0]), ends, counts, scale=2.0)
    >>> tpr.round(1).tolist(), misfit < 3
    ([0.0, 0.7, 0.9, 1.0], True)
    """
    inner = fpr.size - 2
    knots = np.clip(fpr[1:-1], _NEAREST, 1.0 - _NEAREST)
    places = np.concatenate([knots, x])
    curves = ndtr(_SEPARATION[..., None] + _SLOPE[:, None] * ndtri(places))
    shares = np.diff(curves[..., :inner], axis=-1, prepend=0.0, append=1.0)
    total = max(float(counts.sum()), 1.0)
    sizes = np.maximum(total + scale * _OFF, 1.0)
    misfits = np.abs(counts - sizes[:, None, None, None] * shares).sum(axis=-1)
    fit = np.logaddexp.reduce(-misfits / scale, axis=0)
    plausibility = _prior(spread) + _OF_SLOPE + fit
    weight = np.exp(plausibility - plausibility.max())
    middle = _weighted_median(curves.reshape(-1, places.size), weight.ravel())
    expected = total * np.diff(middle[:inner], prepend=0.0, append=1.0)
    misfit = float(np.abs(counts - expected).sum() / scale)
    return np.maximum.accumulate(middle[inner:]), misfit


def _prior(spread: float | None) -> FloatArray:
    """Logarithm of how plausible each separation is, shape (separations, 1)."""
    if spread is None:
        return _USUAL
    likely = min(spread, _MOST_SPREAD)
    width = _GIVE_OR_TAKE * max(likely, _LEAST_SPREAD)
    meant = -(((_SEPARATION - likely) / width) ** 2) / 2.0
    return np.asarray(np.logaddexp(np.log(_MEANT / width) + meant, np.log(1.0 - _MEANT) + _USUAL))


def _weighted_median(values: FloatArray, weight: FloatArray) -> FloatArray:
    """Median of each column of `values`, shape (columns,), between the two rows next to it."""
    order = np.argsort(values, axis=0)
    ranked, so_far = np.take_along_axis(values, order, axis=0), weight[order]
    summed = np.cumsum(so_far, axis=0)
    # Each row stands for the middle of its weight.
    so_far = summed - so_far / 2.0 - summed[-1] / 2.0
    after, columns = np.maximum(np.argmax(so_far >= 0.0, axis=0), 1), np.arange(values.shape[1])
    low, high = so_far[after - 1, columns], so_far[after, columns]
    share = np.clip(-low / (high - low), 0.0, 1.0)
    below, above = ranked[after - 1, columns], ranked[after, columns]
    return np.asarray(below + share * (above - below), dtype=np.float64)


def smooth_p1(noisy: FloatArray, high: float, *, kept: IntArray | None = None) -> FloatArray:
    """Eq. 3 of Barczewski et al. for p = 1: the likeliest Laplace tree noise that allows monotony.

    Minimise the sum of |v| over all dyadic intervals, such that the noisy counts plus, at each
    point, the v of the intervals that hold it, never fall, start at or above 0 and end at or below
    `high`. The optimum is not unique: this is one of the optimal curves.

    Parameters
    ----------
    noisy : float array, shape (points,)
        Noisy numbers of records up to each of ascending points.
    high
        The number of all records, zero or positive.
    kept
        Ascending indices of the points to smooth (the set B of the paper); all if left out.

    Returns
    -------
    float array, shape (points,) or (kept,)
        Non-decreasing, in [0, high].

    Raises
    ------
    InvalidArgument
        If a value is not finite or `high` is negative.

    Notes
    -----
    In increments this is a minimum-cost flow: surplus steps repair negative ones along dyadic
    intervals, at one unit of cost for each interval used. Its dual has whole-number solutions
    (prices), and an interval meets the rest of the graph in its two ends only. So the prices come
    from dynamic programming over levels, and a flow that agrees with them from two passes of
    interval arithmetic: time O(points log points), where a general linear-program solver needs
    seconds.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Eq. 3.

    Examples
    --------
    >>> smooth_p1(np.array([1.0, 3.0, 2.0, 4.0]), 4.0).tolist()
    [0.5, 2.25, 2.25, 4.0]
    """
    return _smoothed(noisy, high, kept, _settle_flow)


Settle: TypeAlias = Callable[[DyadicIntervals, FloatArray], FloatArray]


def _smoothed(noisy: FloatArray, high: float, kept: IntArray | None, settle: Settle) -> FloatArray:
    intervals = DyadicIntervals.over(noisy.size, kept)
    chosen = noisy if kept is None else noisy[kept]
    steps = settle(intervals, increments(np.asarray(chosen, dtype=np.float64), high))
    # Rounding may carry the sum a hair beyond the bound.
    return np.minimum(np.cumsum(steps[:-1]), high)


def _settle_flow(intervals: DyadicIntervals, wanted: FloatArray) -> FloatArray:
    return dyadic_flow.settle_along_prices(intervals, wanted, lowest_prices(intervals, wanted))


# A step is negative if it is below this share of the largest one: rounding, not a violation.
_TOLERANCE = 1e-12


def smooth_p2(noisy: FloatArray, high: float, *, kept: IntArray | None = None) -> FloatArray:
    """Eq. 3 of Barczewski et al. for p = 2: the least squares of tree noise that explain monotony.

    Minimise the sum of squares of v over all dyadic intervals, such that the noisy counts plus, at
    each point, the v of the intervals that hold it, never fall, start at or above 0 and end at or
    below `high`. Arguments, result and refusals are those of `smooth_p1`.

    Notes
    -----
    The dual of this program is min l'Hl / 2 + r'l over l >= 0, with r the increments of the noisy
    counts and H the Laplacian of the graph of dyadic intervals. H is an M-matrix, so the set of
    positive l can be found from below: start with the negative increments, solve for l on the set,
    add every point whose step is still negative. The set only grows, in some five to nine passes.
    Each pass eliminates the vertices level by level, because an interval without its inner
    vertices is a quadratic form of its two ends: linear time.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Eq. 3. R. Chandrasekaran (1970), A special case of the complementary pivot problem,
    Opsearch 7, for the growing set.

    Examples
    --------
    >>> smooth_p2(np.array([1.0, 3.0, 2.0, 4.0]), 4.0).round(3).tolist()
    [0.636, 2.364, 2.364, 4.0]
    """
    return _smoothed(noisy, high, kept, _settle_squares)


def _settle_squares(intervals: DyadicIntervals, wanted: FloatArray) -> FloatArray:
    """Non-negative steps nearest to the wanted ones."""
    limit = -_TOLERANCE * float(np.abs(wanted).max())
    pressed = wanted < limit
    while True:
        steps = wanted + _laplacian(intervals, _potentials(intervals, wanted, pressed))
        grown = pressed | (steps < limit)
        # The steps add up to `high`, so only rounding could press them all.
        if grown.all() or np.array_equal(grown, pressed):
            return np.where(pressed, 0.0, np.maximum(steps, 0.0))
        pressed = grown


def _laplacian(intervals: DyadicIntervals, potentials: FloatArray) -> FloatArray:
    """Product of the graph's Laplacian with a vector, shape (points + 1,)."""
    product = np.zeros(potentials.size)
    for marks, filled in zip(intervals.marks, intervals.filled, strict=True):
        start, end = marks[:-1][filled], marks[1:][filled]
        drop = potentials[start] - potentials[end]
        # Within a level no two intervals share a start, and no two share an end.
        product[start] += drop
        product[end] -= drop
    return product


def _potentials(intervals: DyadicIntervals, wanted: FloatArray, pressed: BoolArray) -> FloatArray:
    """Potentials, zero where not pressed, at which no pressed vertex has a step."""
    # Rows a, b, c, p, q: an interval with potentials s, t at its ends, its inner vertices at rest,
    # has energy a s^2 / 2 + b s t + c t^2 / 2 + p s + q t.
    forms = np.zeros((5, intervals.filled[0].size))
    _add_edges(forms, intervals.filled[0])
    inner: list[tuple[IntArray, FloatArray]] = []
    for level in range(1, len(intervals.marks)):
        whole = intervals.filled[level - 1][0::2] & intervals.filled[level - 1][1::2]
        middle = intervals.marks[level - 1][1::2]
        forms, at_rest = _merge(forms, whole, whole & pressed[middle], wanted[middle])
        _add_edges(forms, intervals.filled[level])
        # An interval with an empty half has no vertex of its own: let it write to a spare one.
        inner.append((np.where(whole, middle, wanted.size), at_rest))
    potentials = np.zeros(wanted.size + 1)
    potentials[[0, -2]] = _ends(forms[:, 0], wanted[[0, -1]], pressed[[0, -1]])
    for marks, (middle, at_rest) in zip(intervals.marks[:0:-1], inner[::-1], strict=True):
        to_start, to_end, alone = at_rest
        start, end = potentials[marks[:-1]], potentials[marks[1:]]
        potentials[middle] = alone - to_start * start - to_end * end
    return potentials[:-1]


def _add_edges(forms: FloatArray, filled: BoolArray) -> None:
    """Add to each form the energy (s - t)^2 / 2 of its own interval, unless that is empty."""
    forms[[0, 2]] += filled
    forms[1] -= filled


def _merge(
    forms: FloatArray, whole: BoolArray, pressed: BoolArray, wanted: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Forms of intervals from those of their halves, and how the vertex between them follows."""
    (a, b, c, p, q), (a2, b2, c2, p2, q2) = forms[:, 0::2], forms[:, 1::2]
    # The vertex between the halves follows if it is pressed and stays at zero if not.
    give = np.divide(1.0, c + a2, out=np.zeros(whole.size), where=pressed)
    to_start, to_end, alone = b * give, b2 * give, -(q + p2 + wanted) * give
    merged = np.stack(
        [a - b * to_start, -b * to_end, c2 - b2 * to_end, p + b * alone, q2 + b2 * alone]
    )
    if not whole.all():
        # An empty half has a form of zeros, and the other half is the interval.
        merged = np.where(whole, merged, forms[:, 0::2] + forms[:, 1::2])
    return merged, np.stack([to_start, to_end, alone])


def _ends(form: FloatArray, wanted: FloatArray, pressed: BoolArray) -> FloatArray:
    """Potentials of the first and the last vertex."""
    a, b, c, p, q = form
    p, q = p + wanted[0], q + wanted[1]
    if pressed.all():
        area = a * c - b * b
        return np.asarray(np.array([b * q - c * p, b * p - a * q]) / area, dtype=np.float64)
    return np.where(pressed, np.array([-p / a, -q / c]), 0.0)
