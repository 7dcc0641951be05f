"""From noisy counts in quantile bins to a ROC curve: post-processing of released values."""

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np
from scipy.special import logit, ndtri

from dpcore import postprocess
from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.roc.curve import Bins, RocCurve, counts_between
from dpcore.mechanisms import HaarCounts, QuantileBins
from dpcore.mechanisms.counts.quantiles import BinnedClasses
from dpcore.noise.seeded import monte_carlo
from dpcore.privacy import Loss
from dpcore.release import Gate


def haar_curve(
    scores: ScoreHistogram, cuts: IntArray, *, loss: Loss, gate: Gate, l1_sensitivity: int
) -> RocCurve:
    """Release both classes' counts between cuts by Privelet, and make their sums monotone.

    Parameters
    ----------
    cuts : int array, shape (cuts,)
        Public indices of inner edges of the histogram, ascending.
    loss
        Charged whole.
    l1_sensitivity
        Of the table of counts, in the gate's relation; the published methods take two.

    Privacy
        One charge, "counts between thresholds".
    """
    mechanism = HaarCounts(l1_sensitivity=l1_sensitivity, **gate.terms(loss))
    noisy = gate.release(mechanism, counts_between(scores, cuts), label="counts between thresholds")
    rates_of, sums = postprocess.monotone_rates, np.cumsum(noisy, axis=1)
    negatives, positives = (rates_of(one[:-1], one[-1])[1:-1] for one in sums)
    return RocCurve.from_below(negatives, positives, scores.edges[cuts])


# A curve is made concave unless that moves it by more than so many standard deviations of noise.
_DEVIATIONS = 2.5

# A bin holds an atom if its excess over the planned mass is beyond so many errors of its two cuts.
_EXCESS = 2.0

# With so few bins the curve is taken from a family, unless the counts contradict all of it.
_FEW = 3

# Points drawn for each bin.
_STEPS = 16

# Slopes beyond this count as vertical when noise in the fpr is turned into noise in the tpr.
_STEEPEST = 50.0


def binned_curve(
    binned: BinnedClasses, mechanism: QuantileBins, *, edges: FloatArray, by_positives: bool
) -> RocCurve:
    """Draw the curve through the released counts.

    Parameters
    ----------
    binned
        What `mechanism` released.
    mechanism
        For its public levels and scales.
    edges : float array, shape (edges,)
        Scores at the edges that ``binned.cuts`` points into.
    by_positives
        Whether the positive class placed the cuts.

    Returns
    -------
    RocCurve
        Rates are cumulative non-negative counts, made concave unless the data contradict it, and
        joined on probit scales; bins that seem to hold an atom (a score shared by many records)
        stay straight. Three bins or fewer say so little that the median of all plausible binormal
        curves is better. Thresholds inside a bin are interpolated.
    """
    bins = _by_class(binned, mechanism, by_positives)
    straight = _atoms(binned.guide, mechanism)[::-1]
    curve = curve_through(bins, straight, edges=edges, cuts=binned.cuts)
    if bins.positives.size > _FEW:
        return curve
    spread = _spread(edges[binned.cuts], mechanism.levels)
    return replace(curve, tpr=_binormal(curve, bins, spread))


def curve_through(
    bins: Bins, straight: BoolArray, *, edges: FloatArray, cuts: IntArray
) -> RocCurve:
    """A curve through noisy counts, which are its `bins`, between the edges that `cuts` point into.

    It is concave unless the counts contradict that, and straight in bins that one score fills,
    ``straight``, shape (bins,), highest first; see `binned_curve`.
    """
    x, y = _path(bins, straight)
    marks = np.concatenate([[edges.size - 1], cuts[::-1], [0]])
    return RocCurve(x, y, _thresholds(edges, marks), bins)


def _path(bins: Bins, straight: BoolArray | None = None) -> tuple[FloatArray, FloatArray]:
    fpr, tpr = rates(bins.negatives), rates(bins.positives)
    top = postprocess.concave_majorant(fpr, tpr)
    if _largest_gap(fpr, tpr, top, bins) <= _DEVIATIONS:
        tpr = top
    return postprocess.probit_path(fpr, tpr, steps=_STEPS, straight=straight)


def missed_order(bins: Bins) -> float:
    """How far such a curve misses the order of records in a bin, as its bins tell.

    Every second cut is hidden, the odd ones and then the even ones, and what the curve guesses
    between the others is held against what was counted there.

    Returns
    -------
    float
        The area that is missed in a bin over the product of both classes' shares there: root mean
        square, less what noise adds to it; 0 to 1, and 1 if nothing is known.

    Examples
    --------
    >>> knots = np.arange(9)
    >>> even, steps = np.full(8, 5000), np.array([9000, 1000] * 4)
    >>> missed_order(Bins(even, even, 1.0, 1.0, knots))
    0.0
    >>> round(missed_order(Bins(even, steps, 1.0, 1.0, knots)), 2)
    0.21
    """
    x, y = drawn = _path(bins)
    last, missed, could, noise = bins.negatives.size, 0.0, 0.0, 0.0
    for first in (2, 1):
        kept = np.concatenate([[0], np.arange(first, last, 2), [last]])
        hidden = postprocess.probit_path(x[_STEPS * kept], y[_STEPS * kept], steps=_STEPS)
        n, p = (np.add.reduceat(one, kept[:-1]) for one in (bins.negatives, bins.positives))
        two = np.flatnonzero((np.diff(kept) == 2) & (n > 0) & (p > 0))
        off = _bulges(hidden, two, two + 1) - _bulges(drawn, kept[two], kept[two + 1])
        squares = (n[two] / float(n.sum()) * (p[two] / float(p.sum()))) ** 2
        # Of where the cut between lies in the bin, as if it were the middle.
        of_noise = (bins.negative_scale / n[two]) ** 2 + (bins.positive_scale / p[two]) ** 2
        missed, could = missed + float(squares @ off**2), could + float(squares.sum())
        noise += float(squares @ of_noise) / 4.0
    return min(math.sqrt(max(missed - noise, 0.0) / could), 1.0) if could > 0.0 else 1.0


def _bulges(curve: tuple[FloatArray, FloatArray], starts: IntArray, ends: IntArray) -> FloatArray:
    """How far a curve runs above the line from one end of a bin to another: area, of that box."""
    x, y = curve
    below = np.concatenate([[0.0], np.cumsum(np.diff(x) * (y[1:] + y[:-1]) / 2.0)])
    left, right = _STEPS * starts, _STEPS * ends
    across, box = x[right] - x[left], (x[right] - x[left]) * (y[right] - y[left])
    area = below[right] - below[left] - y[left] * across
    shares: FloatArray = np.divide(area, box, out=np.full(box.shape, 0.5), where=box > 0.0)
    return shares - 0.5


def knots(bins: int) -> IntArray:
    """Which points of such a curve are the ends of its bins, shape (bins + 1,)."""
    return _STEPS * np.arange(bins + 1)


def rates(counts: IntArray) -> FloatArray:
    """Shares of a class up to the end of each bin, from noisy counts per bin.

    They are those of the non-negative counts nearest to the noisy ones, with the same sum.

    Returns
    -------
    float array, shape (bins + 1,)
        Non-decreasing from 0 to 1.
    """
    noisy = counts.astype(np.float64)
    total = max(noisy.sum(), 1.0)
    fitted = postprocess.project_to_simplex(noisy, total)
    shares = np.concatenate([[0.0], np.minimum(np.cumsum(fitted) / total, 1.0)])
    shares[-1] = 1.0
    return shares


def rate_variance(share: FloatArray, counts: IntArray, scale: float) -> FloatArray:
    """Variance of the noise in a share (1 - t) * (first k counts) - t * (the others), over n.

    Parameters
    ----------
    share : float array, shape (bins + 1,)
        The shares t at the ends of the bins.
    counts : int array, shape (bins,)
        Noisy counts; their sum, or one, stands for n.
    scale
        Scale of the noise on a count, whose variance is at most twice its square.
    """
    first = np.arange(share.size)
    terms = (1.0 - share) ** 2 * first + share**2 * (counts.size - first)
    return np.asarray(2.0 * scale**2 * terms / max(float(counts.sum()), 1.0) ** 2)


def _by_class(binned: BinnedClasses, mechanism: QuantileBins, by_positives: bool) -> Bins:
    """The released counts by class rather than by role, highest scores first."""
    guide = binned.guide[::-1], float(mechanism.guide_scale)
    other = binned.other[::-1], float(mechanism.other_scale)
    negative, positive = (other, guide) if by_positives else (guide, other)
    ends = knots(binned.guide.size)
    return Bins(negative[0], positive[0], negative[1], positive[1], ends)


def _binormal(curve: RocCurve, bins: Bins, spread: float | None) -> FloatArray:
    """True positive rates of the middle binormal curve, if the counts allow one."""
    counts, fpr = bins.positives.astype(np.float64), rates(bins.negatives)
    tpr, misfit = postprocess.binormal_curve(
        curve.fpr, fpr, counts, bins.positive_scale, spread=spread
    )
    return tpr if misfit <= counts.size + 2.0 * np.sqrt(counts.size) else curve.tpr


def _spread(cuts: FloatArray, levels: tuple[float, ...]) -> float | None:
    """Standard deviation of the guide's log-odds, were they normal; None with one cut or none."""
    if cuts.size < 2:
        return None
    (low, high), (first, last) = logit(cuts[[0, -1]]), ndtri([levels[0], levels[-1]])
    return float((high - low) / (last - first))


def _largest_gap(fpr: FloatArray, tpr: FloatArray, top: FloatArray, bins: Bins) -> float:
    """How far concavity moves the curve, in standard deviations of the noise."""
    run, rise = np.diff(fpr), np.diff(top)
    slope = np.minimum(rise / np.where(run > 0.0, run, rise / _STEEPEST + 1e-12), _STEEPEST)
    around = np.minimum((slope[1:] + slope[:-1]) / 2.0, _STEEPEST)
    variance = rate_variance(top, bins.positives, bins.positive_scale)[1:-1]
    variance += around**2 * rate_variance(fpr, bins.negatives, bins.negative_scale)[1:-1]
    return float(np.max((top - tpr)[1:-1] / np.sqrt(np.maximum(variance, 1e-24)), initial=0.0))


def _atoms(guide: IntArray, mechanism: QuantileBins) -> BoolArray:
    """Bins with far more records of the guide than the levels of their cuts allow."""
    planned = np.diff([0.0, *mechanism.levels, 1.0]) * float(guide.sum())
    errors = np.concatenate([[0.0], mechanism.cut_errors, [0.0]])
    return np.asarray(guide - planned > _EXCESS * (errors[:-1] + errors[1:]))


def _thresholds(edges: FloatArray, cuts: IntArray) -> FloatArray:
    """Scores along the curve, from infinity to zero, evenly spaced on the grid inside each bin.

    The grid reaches to log-odds of 20, where hardly a record is: the first and the last bin, which
    end there, are spaced evenly in the score itself.
    """
    at = knots(cuts.size - 1)
    thresholds = np.interp(np.interp(np.arange(at[-1] + 1), at, cuts), np.arange(edges.size), edges)
    for end in (slice(0, _STEPS + 1), slice(-_STEPS - 1, None)):
        some = thresholds[end]
        thresholds[end] = np.linspace(some[0], some[-1], some.size)
    thresholds[0] = np.inf
    return np.asarray(thresholds, dtype=np.float64)


# Share of the allowed misses kept back, because the curve and the quantiles are estimates.
_RESERVE = 0.2

# Shares of the allowed misses, on a log scale, that the negatives may get.
_SPLITS = np.linspace(0.05, 0.95, 19)


def critical_values(bins: Bins, confidence: float) -> tuple[float, float]:
    """Critical values of the negatives and of the positives, which together hold.

    Parameters
    ----------
    bins
        Released counts and their noise.
    confidence
        Chance that in no class, at no cut, the noise exceeds the class's critical value.

    Returns
    -------
    negatives, positives : float
        In standard deviations.

    Notes
    -----
    With k of K bins counted so far, what the noise e adds to C_k - t_k C_K is studentised by its
    standard deviation, and the largest ratio over all cuts simulated: its law depends on the
    curve t a little (about a tenth at most), which is taken as released. The classes are
    independent, so chances of p and q make p q together; of all such p and q those are taken
    that make the sum of both classes' widths least, which leaves the more accurate class the
    smaller share of the misses. A fifth of the misses is kept in reserve.

    Examples
    --------
    >>> counts = np.array([100, 100, 100, 100])
    >>> even = Bins(counts, counts, 1.0, 1.0, np.arange(5))
    >>> negative, positive = critical_values(even, 0.9)
    >>> 2 < negative < 3, 2 < positive < 3
    (True, True)
    """
    if bins.negatives.size < 2:
        return 0.0, 0.0
    aim = 1.0 - (1.0 - _RESERVE) * (1.0 - confidence)
    negatives = np.quantile(_largest(bins.negatives), aim**_SPLITS)
    positives = np.quantile(_largest(bins.positives), aim ** (1.0 - _SPLITS))
    cost = negatives * _width(bins.negatives, bins.negative_scale)
    cost += positives * _width(bins.positives, bins.positive_scale)
    best = int(np.argmin(cost))
    return float(negatives[best]), float(positives[best])


@lru_cache(maxsize=16)
def cell_noise(bins: int) -> FloatArray:
    """Laplace noise of scale one, shape (bins, draws), read-only."""
    noise = np.ascontiguousarray(monte_carlo(0).laplace(size=(4_000, bins)).T)
    noise.setflags(write=False)
    return noise


@lru_cache(maxsize=16)
def running_noise(bins: int) -> FloatArray:
    """Its sums over first bins, of the same shape, read-only."""
    noise = np.cumsum(cell_noise(bins), axis=0)
    noise.setflags(write=False)
    return noise


def _largest(counts: IntArray) -> FloatArray:
    """Largest studentised noise of a class in each simulation, shape (draws,)."""
    share = rates(counts)[1:-1]
    counted = np.arange(1, counts.size)
    spread = np.sqrt(2.0 * ((1.0 - share) ** 2 * counted + share**2 * (counts.size - counted)))
    *_, last = so_far = running_noise(counts.size)
    # In one array: where several threads work, each small step would wait for the others.
    excess = so_far[:-1] - share[:, np.newaxis] * last
    np.abs(excess, out=excess)
    excess /= spread[:, np.newaxis]
    return np.asarray(excess.max(axis=0), dtype=np.float64)


def _width(counts: IntArray, scale: float) -> float:
    """Noise of a class relative to its size."""
    return scale / max(float(counts.sum()), 1.0)
