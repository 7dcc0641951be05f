"""Where the test-set ROC curve may lie, given the noise: from released values only."""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from dpcore._typing import FloatArray, IntArray, Interval
from dpcore.evaluation.ecdf.ecdf_release import sampling_half_width
from dpcore.evaluation.roc.binned_curve import (
    cell_noise,
    critical_values,
    missed_order,
    rates,
    running_noise,
)
from dpcore.evaluation.roc.curve import Bins


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
    return Band(along(fpr, bins.knots), along(tpr, bins.knots))


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
    both = zip(_classes(bins), critical_values(bins, confidence), strict=True)
    counted = np.arange(bins.negatives.size + 1)
    fpr, tpr = (
        share_sets(np.cumsum(counts), 2.0 * (critical * scale) ** 2, counted, counted)
        for (counts, scale), critical in both
    )
    return fpr, tpr


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
    return np.repeat(fpr, 2)[1:-1], np.repeat(lower[1:], 2), np.repeat(upper[:-1], 2)


# Between two cuts a curve may sink below the straight line by this share of the way to the corner,
# and behind the last one by that, where a ranking that is good elsewhere may end badly,
_SAG, _LAST_SAG = 0.2, 0.4
# Both become one, gradually, if a class may have no more records than the first of these numbers.
_RECORDS = (50.0, 150.0)
# The area that a curve encloses in a bin is off by so much of the bin (`missed_order`), as a
# deviation, where there are too few bins to tell. Elsewhere it is taken to be off by this times
# what bins tell, and by so much at least. A curve of straight lines guesses nothing, and may miss
# so much of half of all bins at once.
_OFF, _TELLING_BINS, _MORE_OFF, _LEAST_OFF, _BULGE = 0.18, 8, 1.25, 0.02, 0.75
# So much above one half, an area is that of a ranking better than chance.
_BETTER = 0.1
# A rate that leaves its box by a little seldom takes the curve out of the region, which is a record
# higher and lower than the boxes: its rates may miss with the chance 1 - confidence^(1 + this). The
# second number comes on top where noise moves both rates alike, for a box is then left along the
# curve more often than across it; less of it does where one class has more noise, and with more
# bins than so many, since steps between cuts leave less room.
_MORE_MISSES, _BOTH_MOVE, _ROOMY = 1.75, 2.25, 8


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
    along itself more than across, most of all where noise moves both rates. And a curve that runs
    from the highest fpr and lowest tpr of one cut to the same corner of the next sinks to the
    corner between only if all negatives of a bin have higher scores than all its positives: here it
    may go a fifth of the way there, two in the last bin, and all of it from a cut on that may have
    no record above it.
    The second does not hold for a handful of records, each of which is a step, in a bin that says
    that the curve is not concave, nor for a ranking that is no better than chance, and neither does
    where hardly any noise hides a record; towards these cases they are given up gradually, and the
    region becomes that of the boxes. The area asks for less: what bins give and take evens out, see
    `auc_interval`. The constants are from generated score sets, see
    ``benchmarks/generated_scores_accuracy.py``.
    """
    # 0 where the noise of a count is half a record or less, 1 where it is a record or more.
    noise = float(np.clip(2.0 * min(scale for _, scale in _classes(bins)) - 1.0, 0.0, 1.0))
    fpr, tpr = rate_sets(bins, confidence ** (1.0 + _more_misses(bins) * noise))
    across = np.unique(np.concatenate([[0.0, 1.0], fpr[0], fpr[1]]))
    left, right = across[:-1], across[1:]
    # The bin of the lowest corners that each step lies in, and that of the highest.
    low = np.clip(np.searchsorted(fpr[1], right), 1, fpr.shape[1] - 1)
    high = np.clip(np.searchsorted(fpr[0], left, side="right"), 1, fpr.shape[1] - 1)
    start, width = fpr[1][low - 1], fpr[1][low] - fpr[1][low - 1]
    # At (0, 0) there is no noise: the first record may be a negative, so all may sink from there.
    begun = fpr[0][low - 1] + tpr[0][low - 1] > 0.0
    rise = begun * noise * (1.0 - sag(bins)[low - 1]) * (tpr[0][low] - tpr[0][low - 1])
    slope = np.divide(rise, width, out=np.zeros_like(rise), where=width > 0.0)
    floor = tpr[0][low - 1]
    lower = np.stack([floor + slope * (end - start) for end in (left, right)], axis=1).ravel()
    upper = np.repeat(tpr[1][high], 2)
    record = noise / max(float(bins.positives.sum()), 1.0)
    lower, upper = np.maximum(lower - record, 0.0), np.minimum(upper + record, 1.0)
    return np.repeat(across, 2)[1:-1], np.minimum(lower, upper), upper


def sag(bins: Bins) -> FloatArray:
    """How far a curve may sink in each bin: 0 to the straight line, 1 to the corner.

    Examples
    --------
    >>> low, high, knots = np.array([400, 800, 2800]), np.array([2800, 800, 400]), np.arange(4)
    >>> sag(Bins(low, high, 2.0, 2.0, knots)), sag(Bins(low, high // 100, 2.0, 2.0, knots))
    (array([0.2, 0.2, 0.4]), array([1., 1., 1.]))
    >>> sag(Bins(low, np.array([2800, 100, 700]), 2.0, 2.0, knots))  # steeper at the lowest scores
    array([0.2, 0.2, 1. ])
    """
    least = np.append(np.full(bins.negatives.size - 1, _SAG), _LAST_SAG)
    return 1.0 - (1.0 - least) * _like_a_sample(bins) * (1.0 - _steeper(bins))


def _more_misses(bins: Bins) -> float:
    """How much more often rates may miss than the curve, as an exponent."""
    noise = (scale / max(float(counts.sum()), 1.0) for counts, scale in _classes(bins))
    less, more = sorted(noise)
    room = min(_ROOMY / bins.negatives.size, 1.0)
    return _MORE_MISSES + _BOTH_MOVE * room * float(np.sqrt(less / more))


def _known_order(
    bins: Bins, negatives: FloatArray, positives: FloatArray, confidence: float, *, straight: bool
) -> FloatArray:
    """How much of the order of records in a bin is known, 0 to 1: the less, the surer to be.

    None of it in a bin with half of both classes, which says little about itself.
    """
    # Records in an order drawn by chance: the variance of the statistic of Mann and Whitney.
    chance = (negatives + positives + 1.0) / (12.0 * np.maximum(negatives * positives, 1.0))
    off = _OFF
    if negatives.size >= _TELLING_BINS and not straight:
        off = max(_MORE_OFF * missed_order(bins), _LEAST_OFF)
    unknown = 2.0 * float(ndtri((1.0 + confidence) / 2.0)) * np.sqrt(off**2 + chance)
    mass = np.sqrt(negatives * positives / (negatives.sum() * positives.sum()))
    spread = np.clip(2.0 - 4.0 * mass, 0.0, 1.0)
    return np.asarray((1.0 - np.minimum(unknown, 1.0)) * _like_a_sample(bins) * spread)


def _steeper(bins: Bins) -> FloatArray:
    """1 for a bin with a larger share of positives than the one before, 0 for one with no larger.

    In between, where it is larger by less than a standard deviation of its noise. Concave curves
    have no such bins; where there are some, the order within them is not to be relied on.
    """
    (negatives, n_scale), (positives, p_scale) = _classes(bins)
    before, n = negatives[:-1].clip(0), negatives[1:].clip(0)
    fewer, p = positives[:-1].clip(0), positives[1:].clip(0)
    noise = n_scale**2 * (fewer**2 + p**2) + p_scale**2 * (before**2 + n**2)
    excess = (p * before - fewer * n) / np.sqrt(np.maximum(2.0 * noise, 1.0))
    return np.insert(np.clip(excess, 0.0, 1.0), 0, 0.0)


def _like_a_sample(bins: Bins) -> float:
    """0 for a handful of records or a ranking by chance, 1 far from both."""
    sizes = [float(counts.sum()) for counts, _ in _classes(bins)]
    both = zip(sizes, _classes(bins), strict=True)
    least = min(size - 2.0 * scale * np.sqrt(2.0 * counts.size) for size, (counts, scale) in both)
    few, many = _RECORDS
    if least <= few:
        return 0.0
    area = float(_sorted_pairs(bins.negatives, bins.positives)) / (sizes[0] * sizes[1])
    better = float(np.clip((area - 0.5) / _BETTER, 0.0, 1.0))
    return float(min((least - few) / (many - few), 1.0) * better)


def _classes(bins: Bins) -> tuple[tuple[IntArray, float], tuple[IntArray, float]]:
    return (bins.negatives, bins.negative_scale), (bins.positives, bins.positive_scale)


def auc_interval(bins: Bins, area: float, confidence: float) -> Interval:
    """Interval for the area under the test-set curve, about that of the curve drawn.

    Parameters
    ----------
    bins
        Released counts and their noise.
    area
        Under the curve that is drawn through them.
    confidence
        Chance, at least nearly, that the interval holds the area.

    Returns
    -------
    low, high : float
        In [0, 1].

    Notes
    -----
    Errors are independent, and their squares add up. *Noise:* U, the number of pairs in which the
    positive record is in the higher bin, plus half of those in the same bin, has U = A n p for the
    area A of the line that joins the cuts. Noisy counts leave a difference between U and A n p
    whose quantiles are simulated at the fitted counts, where nothing is clipped. *Order:* that of
    the records within a bin is unknown, and could move the area by half of the mass that both
    classes share there. The curve guesses it, and errs in each bin in its own way, by chance and by
    as much as where every second cut is hidden (`missed_order`); `curve_region` says where nothing
    is known. A bin that says that the curve is not concave may sink by all of it. *Ties:* if each
    bin is a single score, the line that joins the cuts is the curve. Straight lines guess nothing,
    and concave curves run above all of them. The constants are from generated score sets, see
    ``benchmarks/generated_scores_accuracy.py``.
    """
    pairs = float(bins.negatives.sum()) * float(bins.positives.sum())
    if min(bins.negatives.sum(), bins.positives.sum()) <= 0:
        return 0.0, 1.0
    negatives, positives = _fitted(bins.negatives), _fitted(bins.positives)
    of_negatives, of_positives = np.split(cell_noise(bins.negatives.size), 2, axis=1)
    noisy_negatives = negatives[:, None] + bins.negative_scale * of_negatives
    noisy_positives = positives[:, None] + bins.positive_scale * of_positives
    joined = float(_sorted_pairs(negatives, positives)) / pairs
    excess = _sorted_pairs(noisy_negatives, noisy_positives)
    excess -= joined * noisy_negatives.sum(axis=0) * noisy_positives.sum(axis=0)
    tail = (1.0 - confidence) / 2.0
    below, above = np.quantile(excess, [tail, 1.0 - tail]) / pairs
    shared = negatives * positives / pairs
    straight = bool((np.diff(bins.knots) == 1).all())
    known = _known_order(bins, negatives, positives, confidence, straight=straight)
    sinks = np.linalg.norm((1.0 - known * (1.0 - _steeper(bins))) * shared / 2.0)
    bulges = _BULGE * shared.sum() if straight else np.linalg.norm((1.0 - known) * shared)
    bends = max(area - joined, 0.0) if shared.size >= _TELLING_BINS else 0.0
    down, up = np.linalg.norm([above, sinks, bends]), np.hypot(below, bulges / 2.0)
    return max(area - float(down), 0.0), min(area + float(up), 1.0)


def share_sets(noisy: IntArray, weight: float, own: IntArray, shared: IntArray) -> FloatArray:
    """Lowest and highest share of a class from nobody up to each count, shape (2, counts + 1).

    Parameters
    ----------
    noisy : int array, shape (counts,)
        The last is that of all records.
    weight
        What the square of a difference's noise may be, for each single noise in it; see
        `rate_sets`.
    own, shared : int arrays, shape (counts + 1,)
        How many single noises there are in the count of nobody, which has none, and in each other;
        and how many of these are in the last one too.
    """
    so_far = np.concatenate([[0.0], noisy])
    total = float(so_far[-1])
    # a t^2 - 2 b t + c <= 0; without a positive a, nothing is known.
    a = total**2 - weight * own[-1]
    b = so_far * total - weight * shared
    c = so_far**2 - weight * own
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


def stretched(sets: FloatArray, released: FloatArray) -> FloatArray:
    """Bounds at every point that hold what was released there too."""
    return np.stack([np.minimum(sets[0], released), np.maximum(sets[1], released)])


def along(sets: FloatArray, knots: IntArray) -> FloatArray:
    """Bounds at every point of the curve, from bounds at its knots."""
    points = np.arange(knots[-1] + 1)
    before = np.searchsorted(knots, points, side="right") - 1
    return np.stack([sets[0][before], sets[1][np.searchsorted(knots, points)]])


def _fitted(counts: IntArray) -> FloatArray:
    """Non-negative counts with the same positive sum."""
    return np.diff(rates(counts)) * float(counts.sum())


def _sorted_pairs(negatives: FloatArray | IntArray, positives: FloatArray | IntArray) -> FloatArray:
    """Pairs with the positive in the higher bin, those in the same bin by half; highest first."""
    above = np.cumsum(positives, axis=0) - positives / 2.0
    return np.asarray((negatives * above).sum(axis=0), dtype=np.float64)


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
    both = zip(rate_band(bins, 1.0 - _NOISE * miss), _classes(bins), strict=True)
    return Band(*(_widened(rates, _half_width(*one, miss)) for rates, one in both))


def _half_width(counts: IntArray, scale: float, miss: float) -> float:
    """How far the shares of one class may be from the population's; 1 if nothing is known."""
    total_noise = np.abs(running_noise(counts.size)[-1])
    least = float(counts.sum()) - scale * float(np.quantile(total_noise, 1.0 - _SIZE * miss))
    return sampling_half_width(least, 1.0 - _SAMPLING * miss)


def _widened(rates: FloatArray, half_width: float) -> FloatArray:
    """A band that is wider by so much, but stays in the square and keeps its ends."""
    low, high = np.maximum(rates[0] - half_width, 0.0), np.minimum(rates[1] + half_width, 1.0)
    high[0], low[-1] = rates[1][0], rates[0][-1]
    return np.stack([low, high])
