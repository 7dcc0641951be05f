"""A ROC curve as arrays, how far it is from another, and a curve of released bins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import InvalidArgument
from dpcore.evaluation.ecdf.ecdf_release import sampling_half_width
from dpcore.mechanisms import BinnedClasses, HaarCounts, QuantileBins
from dpcore.noise.seeded import monte_carlo
from dpcore.postprocess import (
    binormal_curve,
    concave_majorant,
    monotone_rates,
    probit_path,
    project_to_simplex,
    scale_to_simplex,
)
from dpcore.privacy import Loss
from dpcore.release import Gate


def roc_area_between(
    fpr_a: ArrayLike, tpr_a: ArrayLike, fpr_b: ArrayLike, tpr_b: ArrayLike
) -> float:
    """Area between two piecewise-linear ROC curves: the integral of |tpr_a - tpr_b| over the fpr.

    Parameters
    ----------
    fpr_a, tpr_a : array-like, shape (points_a,)
        First curve; its fpr runs from 0 to 1 and never falls. Vertical steps are allowed.
    fpr_b, tpr_b : array-like, shape (points_b,)
        Second curve.

    Returns
    -------
    float
        In [0, 1], exact up to rounding: the curves are cut where either bends and where they cross.

    Raises
    ------
    InvalidArgument
        If a curve's fpr does not run from 0 to 1 without falling, or its arrays differ in length.

    Examples
    --------
    The perfect curve and the chance diagonal enclose a triangle:

    >>> roc_area_between([0, 0, 1], [0, 1, 1], [0, 1], [0, 1])
    0.5
    """
    x_a, y_a = _curve("a", fpr_a, tpr_a)
    x_b, y_b = _curve("b", fpr_b, tpr_b)
    knots = np.unique(np.concatenate([x_a, x_b]))
    before_a, after_a = _one_sided(x_a, y_a, knots)
    before_b, after_b = _one_sided(x_b, y_b, knots)
    left = (after_a - after_b)[:-1]
    right = (before_a - before_b)[1:]
    return float(np.diff(knots) @ _mean_absolute(left, right))


def _curve(name: str, fpr: ArrayLike, tpr: ArrayLike) -> tuple[FloatArray, FloatArray]:
    x, y = np.asarray(fpr, dtype=np.float64), np.asarray(tpr, dtype=np.float64)
    if x.ndim != 1 or x.size < 2 or x.shape != y.shape:
        raise InvalidArgument(f"tpr_{name}", y.shape, f"a vector as long as fpr_{name} {x.shape}")
    # Written so that NaN fails too.
    if not (x[0] == 0.0 and x[-1] == 1.0 and (np.diff(x) >= 0.0).all()):
        raise InvalidArgument(f"fpr_{name}", "another order", "from 0 to 1 without falling")
    return x, y


def _one_sided(x: FloatArray, y: FloatArray, knots: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Limits of a curve from the left and from the right at sorted knots, shape (knots,) each."""
    first = np.searchsorted(x, knots, side="left")
    last = np.searchsorted(x, knots, side="right") - 1
    # At a knot of this curve first <= last, and the two differ where the curve jumps; between its
    # knots last + 1 == first, and both limits are the line through the two.
    bends = first <= last
    width = np.where(bends, 1.0, x[first] - x[last])
    between = y[last] + (y[first] - y[last]) * (knots - x[last]) / width
    return np.where(bends, y[first], between), np.where(bends, y[last], between)


def _mean_absolute(left: FloatArray, right: FloatArray) -> FloatArray:
    """Mean of |d| over intervals on which d is linear, given d at both ends."""
    sizes = np.abs(left) + np.abs(right)
    crossing = left * right < 0.0
    crossed = (left**2 + right**2) / np.where(crossing, 2.0 * sizes, 1.0)
    return np.asarray(np.where(crossing, crossed, sizes / 2.0), dtype=np.float64)


def nearest_cuts(edges: FloatArray, thresholds: FloatArray) -> IntArray:
    """Indices of the inner edges nearest to ascending thresholds, each edge once.

    Parameters
    ----------
    edges : float array, shape (cells + 1,)
    thresholds : float array, shape (points,)
        Ascending.

    Examples
    --------
    >>> nearest_cuts(np.array([0.0, 0.2, 0.5, 1.0]), np.array([0.1, 0.3, 0.45])).tolist()
    [1, 2]
    """
    after = np.clip(np.searchsorted(edges, thresholds), 1, edges.size - 1)
    nearest = after - (thresholds - edges[after - 1] < edges[after] - thresholds)
    # Ascending already, so equal neighbours are all there is to remove.
    inner = np.clip(nearest, 1, edges.size - 2)
    return inner[np.diff(inner, prepend=0) > 0]


def uniform_cuts(edges: FloatArray, cells: int) -> IntArray:
    """Indices of the edges nearest to 1/cells, 2/cells, ..., none for a single cell."""
    return nearest_cuts(edges, np.arange(1, cells) / cells)


def coarse_cuts(edges: FloatArray, most: int = 2**13) -> IntArray:
    """Indices of at most ``most + 1`` edges at even steps, the first and the last among them.

    Examples
    --------
    >>> coarse_cuts(np.linspace(0, 1, 101), most=4).tolist()
    [0, 25, 50, 75, 100]
    """
    cells = edges.size - 1
    return np.linspace(0, cells, min(cells, most) + 1).round().astype(np.int64)


@dataclass(frozen=True, eq=False)
class RocCurve:
    """A monotone curve from (0, 0) to (1, 1).

    Parameters
    ----------
    fpr, tpr : float arrays, shape (points,)
        Rates at falling thresholds, both non-decreasing.
    thresholds : float array, shape (points,)
        A record counts as positive if its score is at least the threshold; the first is infinite
        and the last is zero.
    bins : Bins, optional
        What the method released, for bands; None if it has no band.

    Examples
    --------
    >>> RocCurve.from_below(np.array([0.5]), np.array([0.0]), np.array([0.7])).tpr.tolist()
    [0.0, 1.0, 1.0]
    """

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray
    bins: Bins | None = None

    @classmethod
    def from_below(cls, negatives: FloatArray, positives: FloatArray, cuts: FloatArray) -> RocCurve:
        """Build a curve from the shares of each class below ascending thresholds.

        Parameters
        ----------
        negatives, positives : float arrays, shape (cuts,)
            Shares in [0, 1], non-decreasing; the ends are added here.
        cuts : float array, shape (cuts,)
            Thresholds, ascending.
        """
        fpr = np.concatenate([[0.0], 1.0 - negatives[::-1], [1.0]])
        tpr = np.concatenate([[0.0], 1.0 - positives[::-1], [1.0]])
        return cls(fpr, tpr, np.concatenate([[np.inf], cuts[::-1], [0.0]]))

    @property
    def auc(self) -> float:
        """Area under the curve."""
        return float(np.trapezoid(self.tpr, self.fpr))

    def thinned(self, points: int = 2001) -> RocCurve:
        """The same curve with at most that many points, none of it moved by more than 2/points.

        A curve with bins is short already and stays as it is.
        """
        if self.fpr.size <= points or self.bins is not None:
            return self
        path = self.fpr + self.tpr
        kept = np.searchsorted(path, np.linspace(0.0, 2.0, points - 1))
        kept = np.unique(np.append(np.minimum(kept, path.size - 1), path.size - 1))
        return RocCurve(self.fpr[kept], self.tpr[kept], self.thresholds[kept])


@dataclass(frozen=True, eq=False)
class Bins:
    """Noisy counts of both classes between public thresholds, and how noisy they are.

    Parameters
    ----------
    negatives, positives : int arrays, shape (cells,)
        Noisy counts, highest scores first.
    negative_scale, positive_scale
        Scale of the discrete Laplace noise of each class.
    knots : int array, shape (cells + 1,)
        Which point of the curve is the end of each cell, from 0 to the last point.
    """

    negatives: IntArray
    positives: IntArray
    negative_scale: float
    positive_scale: float
    knots: IntArray


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
    marks = np.concatenate([[0], cuts, [scores.edges.size - 1]])
    below = np.stack([scores.negatives_below[marks], scores.positives_below[marks]])
    mechanism = HaarCounts(
        epsilon=loss.epsilon, l1_sensitivity=l1_sensitivity, neighbors=gate.neighbors
    )
    noisy = gate.release(mechanism, np.diff(below), label="counts between thresholds")
    negatives, positives = (
        monotone_rates(sums[:-1], sums[-1])[1:-1] for sums in np.cumsum(noisy, axis=1)
    )
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
        stay straight. Three bins or fewer say so little that the mean of all plausible binormal
        curves is better. Thresholds inside a bin are interpolated.
    """
    bins = _by_class(binned, mechanism, by_positives)
    fpr, tpr = rates(bins.negatives), rates(bins.positives)
    top = concave_majorant(fpr, tpr)
    if _largest_gap(fpr, tpr, top, bins) <= _DEVIATIONS:
        tpr = top
    straight = _atoms(binned.guide, mechanism)[::-1]
    x, y = probit_path(fpr, tpr, steps=_STEPS, straight=straight)
    if bins.positives.size <= _FEW:
        y = _binormal(x, fpr, bins, otherwise=y)
    cuts = np.concatenate([[edges.size - 1], binned.cuts[::-1], [0]])
    return RocCurve(x, y, _thresholds(edges, cuts), bins)


def rates(counts: IntArray) -> FloatArray:
    """Shares of a class up to the end of each bin, from noisy counts per bin.

    The counts are made non-negative in two ways, of which one moves small bins up and the other
    down; their mean is better than either.

    Returns
    -------
    float array, shape (bins + 1,)
        Non-decreasing from 0 to 1.
    """
    noisy = counts.astype(np.float64)
    total = max(noisy.sum(), 1.0)
    fitted = (project_to_simplex(noisy, total) + scale_to_simplex(noisy, total)) / 2.0
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
    knots = _STEPS * np.arange(binned.guide.size + 1)
    return Bins(negative[0], positive[0], negative[1], positive[1], knots)


def _binormal(x: FloatArray, fpr: FloatArray, bins: Bins, *, otherwise: FloatArray) -> FloatArray:
    """True positive rates of the mean binormal curve, if the counts allow one."""
    counts = bins.positives.astype(np.float64)
    tpr, misfit = binormal_curve(x, fpr, counts, bins.positive_scale)
    return tpr if misfit <= counts.size + 2.0 * np.sqrt(counts.size) else otherwise


def _largest_gap(fpr: FloatArray, tpr: FloatArray, top: FloatArray, bins: Bins) -> float:
    """How far concavity moves the curve, in standard deviations of the noise."""
    run, rise = np.diff(fpr), np.diff(top)
    slope = np.minimum(rise / np.where(run > 0.0, run, rise / _STEEPEST + 1e-12), _STEEPEST)
    around = np.minimum((slope[1:] + slope[:-1]) / 2.0, _STEEPEST)
    variance = (
        rate_variance(top, bins.positives, bins.positive_scale)[1:-1]
        + around**2 * rate_variance(fpr, bins.negatives, bins.negative_scale)[1:-1]
    )
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
    knots = _STEPS * np.arange(cuts.size)
    place = np.arange(knots[-1] + 1)
    thresholds = np.interp(np.interp(place, knots, cuts), np.arange(edges.size), edges)
    for end in (slice(0, _STEPS + 1), slice(-_STEPS - 1, None)):
        some = thresholds[end]
        thresholds[end] = np.linspace(some[0], some[-1], some.size)
    thresholds[0] = np.inf
    return np.asarray(thresholds, dtype=np.float64)


_DRAWS = 4_000

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
    negatives, positives = (
        np.quantile(_largest(counts), aim**split)
        for counts, split in ((bins.negatives, _SPLITS), (bins.positives, 1.0 - _SPLITS))
    )
    cost = negatives * _width(bins.negatives, bins.negative_scale)
    cost += positives * _width(bins.positives, bins.positive_scale)
    best = int(np.argmin(cost))
    return float(negatives[best]), float(positives[best])


@lru_cache(maxsize=16)
def unit_noise(bins: int) -> FloatArray:
    """Simulated Laplace noise of scale one, shape (draws, bins), read-only."""
    noise = monte_carlo(0).laplace(size=(_DRAWS, bins))
    noise.setflags(write=False)
    return noise


def _largest(counts: IntArray) -> FloatArray:
    """Largest studentised noise of a class in each simulation, shape (draws,)."""
    share = rates(counts)[1:-1]
    counted = np.arange(1, counts.size)
    spread = np.sqrt(2.0 * ((1.0 - share) ** 2 * counted + share**2 * (counts.size - counted)))
    so_far = _running_noise(counts.size)
    excess = np.abs(so_far[:, :-1] - share * so_far[:, -1:])
    return np.asarray((excess / spread).max(axis=1), dtype=np.float64)


@lru_cache(maxsize=16)
def _running_noise(bins: int) -> FloatArray:
    return np.cumsum(unit_noise(bins), axis=1)


def _width(counts: IntArray, scale: float) -> float:
    """Noise of a class relative to its size."""
    return scale / max(float(counts.sum()), 1.0)


class Band(NamedTuple):
    """Lower and upper rates of each class, shape (2, points) each."""

    fpr: FloatArray
    tpr: FloatArray


def rate_band(bins: Bins, confidence: float) -> Band:
    """Simultaneous band for the rates of both classes at every threshold.

    Parameters
    ----------
    bins
        Released counts and their noise.
    confidence
        Chance, at least nearly, that every true rate of both classes lies in the band.

    Returns
    -------
    Band
        At each point of the curve. Between two cuts nothing is known of the order of the records,
        so points there get the box that the neighbouring cuts span.
    """
    fpr, tpr = rate_sets(bins, confidence)
    return Band(_along(fpr, bins.knots), _along(tpr, bins.knots))


def rate_sets(bins: Bins, confidence: float) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest rate of each class at each cut, shape (2, cells + 1) each: fpr, tpr.

    Notes
    -----
    With k of K bins counted so far, t is in the set of a cut if the noise that it implies,
    |C_k - t C_K|, is at most c standard deviations: a quadratic inequality in t (Fieller). See
    `critical_values` for c. Rates never fall, which tightens the sets to their monotone envelope.

    References
    ----------
    E. C. Fieller (1954), Some problems in interval estimation, J. R. Stat. Soc. B 16(2).
    """
    negative, positive = critical_values(bins, confidence)
    return (
        _share_sets(bins.negatives, negative * bins.negative_scale),
        _share_sets(bins.positives, positive * bins.positive_scale),
    )


def envelope(band: Band) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The band as one region under the curve's axes, for drawing and for its area.

    Returns
    -------
    fpr, lower, upper : float arrays, shape (m,)
        Step functions at non-decreasing fpr: any curve whose points lie in the boxes lies between.
    """
    fpr = np.unique(np.concatenate([[0.0, 1.0], band.fpr[0], band.fpr[1]]))
    # The lowest corner of any box that reaches this fpr, and the highest of any that begins by it.
    first = np.searchsorted(band.fpr[1], fpr)
    last = np.searchsorted(band.fpr[0], fpr, side="right") - 1
    lower = band.tpr[0][np.minimum(first, band.tpr.shape[1] - 1)]
    upper = band.tpr[1][last]
    # A step function as a line: each value holds up to (lower) or from (upper) its abscissa.
    steps = np.repeat(fpr, 2)[1:-1]
    return steps, np.repeat(lower[1:], 2), np.repeat(upper[:-1], 2)


# Between two cuts a curve may sink below the straight line by this share of the way to the corner,
_SAG = 0.4
# and enclose more than that line by this share of all that it could, for its area.
_BULGE = 0.75
# Both become one, gradually, if a class may have no more records than the first of these numbers.
_RECORDS = (50.0, 150.0)
# So much above one half, an area is that of a ranking better than chance.
_BETTER = 0.1
# A rate that leaves its box by a little seldom takes the curve out of the region: its rates may
# miss with the chance 1 - confidence^(1 + this).
_MORE_MISSES = 1.25


def curve_region(bins: Bins, confidence: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The region that the test-set curve runs in, for drawing and for its area.

    Parameters
    ----------
    bins
        Released counts and their noise.
    confidence
        Chance, at least nearly, that the whole curve lies in the region.

    Returns
    -------
    fpr, lower, upper : float arrays, shape (m,)
        Lines at non-decreasing fpr, with vertical steps.

    Notes
    -----
    The boxes of `rate_band` hold both rates at every threshold, whatever the order of the records
    between two cuts. A curve asks for less, in two ways. A rate that leaves its box moves the curve
    along itself more than across. And a curve that runs from the highest fpr and lowest tpr of one
    cut to the same corner of the next sinks to the corner between only if all negatives of a bin
    have higher scores than all its positives: here it may go two fifths of the way there, and
    all of it before the first cut.
    The second does not hold for a handful of records, each of which is a step, nor for a ranking
    that is no better than chance, and neither does where hardly any noise hides a record; towards
    these cases they are given up gradually, and the region becomes that of the boxes. The constants
    are from generated score sets, see ``benchmarks/generated_scores.py``.
    """
    fpr, tpr = rate_sets(bins, confidence ** (1.0 + _MORE_MISSES * _noise_of_records(bins)))
    across = np.unique(np.concatenate([[0.0, 1.0], fpr[0], fpr[1]]))
    left, right = across[:-1], across[1:]
    # The bin of the lowest corners that each step lies in, and that of the highest.
    low = np.clip(np.searchsorted(fpr[1], right), 1, fpr.shape[1] - 1)
    high = np.clip(np.searchsorted(fpr[0], left, side="right"), 1, fpr.shape[1] - 1)
    start, width = fpr[1][low - 1], fpr[1][low] - fpr[1][low - 1]
    # At (0, 0) there is no noise: the first record may be a negative, so all may sink there.
    rise = (low > 1) * (1.0 - sag(bins)) * (tpr[0][low] - tpr[0][low - 1])
    slope = np.divide(rise, width, out=np.zeros_like(rise), where=width > 0.0)
    floor = tpr[0][low - 1]
    lower = np.stack([floor + slope * (end - start) for end in (left, right)], axis=1)
    upper = np.repeat(tpr[1][high], 2)
    return np.repeat(across, 2)[1:-1], np.minimum(lower.ravel(), upper), upper


def sag(bins: Bins) -> float:
    """How far a curve may sink between two cuts: 0 to the straight line, 1 to the corner.

    Examples
    --------
    >>> low, high, knots = np.array([1000, 4000]), np.array([4000, 1000]), np.arange(3)
    >>> sag(Bins(low, high, 2.0, 2.0, knots)), sag(Bins(low, high // 100, 2.0, 2.0, knots))
    (0.4, 1.0)
    >>> sag(Bins(high, low, 2.0, 2.0, knots))
    1.0
    """
    return 1.0 - (1.0 - _SAG) * _like_a_sample(bins)


def _bulge(bins: Bins, mass: FloatArray) -> FloatArray:
    """How much of the area that a bin leaves open may be above the straight line, 0 to 1.

    All of it for a bin with half of both classes, which says little about itself.
    """
    spread = np.clip(2.0 - 4.0 * mass, 0.0, 1.0)
    return np.asarray(1.0 - (1.0 - _BULGE) * _like_a_sample(bins) * spread)


def _like_a_sample(bins: Bins) -> float:
    """0 for a handful of records, a ranking by chance or hardly any noise, 1 far from all these."""
    sizes = [float(counts.sum()) for counts, _ in _classes(bins)]
    least = min(
        size - 2.0 * scale * np.sqrt(2.0 * counts.size)
        for size, (counts, scale) in zip(sizes, _classes(bins), strict=True)
    )
    few, many = _RECORDS
    if least <= few:
        return 0.0
    area = float(_ordered_pairs(bins.negatives, bins.positives)) / (sizes[0] * sizes[1])
    better = float(np.clip((area - 0.5) / _BETTER, 0.0, 1.0))
    return float(min((least - few) / (many - few), 1.0) * better * _noise_of_records(bins))


def _noise_of_records(bins: Bins) -> float:
    """0 where the noise of a count is half a record or less, 1 where it is a record or more."""
    return float(np.clip(2.0 * min(scale for _, scale in _classes(bins)) - 1.0, 0.0, 1.0))


def _classes(bins: Bins) -> tuple[tuple[IntArray, float], tuple[IntArray, float]]:
    return (bins.negatives, bins.negative_scale), (bins.positives, bins.positive_scale)


def auc_interval(bins: Bins, confidence: float) -> tuple[float, float]:
    """Interval for the area under the test-set curve.

    Parameters
    ----------
    bins
        Released counts and their noise.
    confidence
        Chance, at least nearly, that the interval holds the area.

    Returns
    -------
    low, high : float
        In [0, 1].

    Notes
    -----
    U, the number of pairs in which the positive record is in the higher bin, plus half of those
    in the same bin, has U = A n p for the area A of the curve that joins the cuts. Noisy counts
    leave a difference between U and A n p whose quantiles are simulated at the fitted counts.
    Nothing is clipped on either side, so that empty bins bias neither. The order of records
    within bins is unknown, which widens the interval by half of the mass that both classes share
    there: downwards by the share of it that `sag` says, upwards by three quarters of it where that
    is least, except for a bin with much of both classes. See `curve_region` for why.
    """
    pairs = float(bins.negatives.sum()) * float(bins.positives.sum())
    if min(bins.negatives.sum(), bins.positives.sum()) <= 0:
        return 0.0, 1.0
    negatives, positives = _fitted(bins.negatives), _fitted(bins.positives)
    noise = unit_noise(bins.negatives.size)
    half = noise.shape[0] // 2
    noisy_negatives = negatives + bins.negative_scale * noise[:half]
    noisy_positives = positives + bins.positive_scale * noise[half:]
    area = float(_ordered_pairs(negatives, positives)) / pairs
    excess = _ordered_pairs(noisy_negatives, noisy_positives)
    excess -= area * noisy_negatives.sum(axis=1) * noisy_positives.sum(axis=1)
    tail = (1.0 - confidence) / 2.0
    below, above = np.quantile(excess, [tail, 1.0 - tail])
    seen = float(_ordered_pairs(bins.negatives, bins.positives))
    shared = negatives * positives / 2.0
    sinks = sag(bins) * shared.sum()
    bulges = _bulge(bins, np.sqrt(2.0 * shared / pairs)) @ shared
    low, high = np.clip([seen - above - sinks, seen - below + bulges], 0.0, pairs) / pairs
    return float(low), float(high)


def _share_sets(counts: IntArray, width: float) -> FloatArray:
    """Lowest and highest share of a class up to the end of each bin, shape (2, bins + 1)."""
    total = float(counts.sum())
    so_far = np.concatenate([[0.0], np.cumsum(counts)])
    counted = np.arange(so_far.size)
    weight = 2.0 * width**2
    # a t^2 - 2 b t + c <= 0; without a positive a, nothing is known.
    a = total**2 - weight * counts.size
    b = so_far * total - weight * counted
    c = so_far**2 - weight * counted
    low, high = np.zeros(so_far.size), np.ones(so_far.size)
    if a > 0.0 and total > 0.0:
        root = np.sqrt(np.maximum(b**2 - a * c, 0.0))
        low, high = np.clip((b - root) / a, 0.0, 1.0), np.clip((b + root) / a, 0.0, 1.0)
    high[0], low[-1] = 0.0, 1.0
    low[0], high[-1] = 0.0, 1.0
    low = np.maximum.accumulate(low[:-1])
    high = np.minimum.accumulate(high[:0:-1])[::-1]
    low, high = np.append(low, 1.0), np.insert(high, 0, 0.0)
    # Sets that contradict one another: the noise was larger than the band allows for.
    return np.stack([np.minimum(low, high), np.maximum(low, high)])


def _along(sets: FloatArray, knots: IntArray) -> FloatArray:
    """Bounds at every point of the curve, from bounds at its knots."""
    points = np.arange(knots[-1] + 1)
    before = np.searchsorted(knots, points, side="right") - 1
    return np.stack([sets[0][before], sets[1][np.searchsorted(knots, points)]])


def _fitted(counts: IntArray) -> FloatArray:
    """Non-negative counts with the same positive sum."""
    return np.diff(rates(counts)) * float(counts.sum())


def _ordered_pairs(
    negatives: FloatArray | IntArray, positives: FloatArray | IntArray
) -> FloatArray:
    """Pairs with the positive in the higher bin, those in the same bin by half; highest first."""
    above = np.cumsum(positives, axis=-1) - positives / 2.0
    return np.asarray(np.sum(negatives * above, axis=-1), dtype=np.float64)


# Shares of the allowed misses: the noise of the rates, the sampling of each class, its size.
_NOISE, _SAMPLING, _SIZE = 0.5, 0.24, 0.01


def population_band(bins: Bins, confidence: float) -> Band:
    """Simultaneous band for the rates of the population that the records were drawn from.

    Parameters
    ----------
    bins
        Released counts and their noise.
    confidence
        Chance, at least nearly, that every rate of both classes lies in the band.

    Returns
    -------
    Band
        The band of `rate_band`, at the share of the misses that it gets, wider by how far the
        shares of each class's records may be from the population's.

    Notes
    -----
    If the records of a class are independent draws, their shares above any threshold, however it
    was chosen, are nowhere farther off than the bound of Dvoretzky, Kiefer and Wolfowitz, for the
    least number of records that the noisy counts leave likely.

    References
    ----------
    P. Massart (1990), The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality, Annals of
    Probability 18(3), Corollary 1. doi:10.1214/aop/1176990746
    """
    miss = 1.0 - confidence
    test_set = rate_band(bins, 1.0 - _NOISE * miss)
    return Band(
        _widened(test_set.fpr, _reach(bins.negatives, bins.negative_scale, miss)),
        _widened(test_set.tpr, _reach(bins.positives, bins.positive_scale, miss)),
    )


def _reach(counts: IntArray, scale: float, miss: float) -> float:
    """How far the shares of one class may be from the population's; 1 if nothing is known."""
    total_noise = np.abs(unit_noise(counts.size).sum(axis=1))
    least = float(counts.sum()) - scale * float(np.quantile(total_noise, 1.0 - _SIZE * miss))
    return sampling_half_width(least, 1.0 - _SAMPLING * miss)


def _widened(rates: FloatArray, reach: float) -> FloatArray:
    """A band that is wider by so much, but stays in the square and keeps its ends."""
    low, high = np.maximum(rates[0] - reach, 0.0), np.minimum(rates[1] + reach, 1.0)
    high[0], low[-1] = rates[1][0], rates[0][-1]
    return np.stack([low, high])
