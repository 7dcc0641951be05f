"""Bands: coverage by simulation, shapes, and what they are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from dpcore import SeededNoise
from dpcore._typing import Interval
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import RocRelease, private_roc_curve
from dpcore.evaluation.roc.bands import (
    Band,
    auc_interval,
    curve_region,
    envelope,
    population_band,
    rate_band,
    rate_sets,
    sag,
)
from dpcore.evaluation.roc.binned_curve import rates
from dpcore.evaluation.roc.curve import Bins
from tests.evaluation.roc._coverage import covers, fewest
from tests.evaluation.roc._data import atoms, beta_scores

# Scores that mean what they say, on few cells because every draw looks at all of them.
SCORES = np.random.default_rng(0).beta(0.7, 1.8, 100_000)

POPULATION = ScoreHistogram.from_arrays(
    np.random.default_rng(1).random(SCORES.size) < SCORES, SCORES, pos_label=True, cells=1024
)


def sample(records: int, seed: int) -> ScoreHistogram:
    """Independent draws from the population."""
    cells = np.concatenate([POPULATION.positives, POPULATION.negatives])
    drawn = np.random.default_rng(seed).multinomial(records, cells / cells.sum())
    return ScoreHistogram(*np.split(drawn, 2), POPULATION.edges)


@pytest.mark.few(1)
@pytest.mark.parametrize("records, epsilon", [(2000, 1.0), (500, 0.5), (4000, 20.0)])
def test_it_covers_the_population_and_the_privacy_band_does_not(
    records: int, epsilon: float
) -> None:
    wide = narrow = 0
    for seed in range(100):
        curve = private_roc_curve(sample(records, seed), epsilon=epsilon, noise=SeededNoise(seed))
        wide += covers(curve, POPULATION, curve.sampling_band)
        narrow += covers(curve, POPULATION)
    assert wide >= fewest(100)
    # Without noise to speak of, the privacy band is far too narrow for a population.
    assert narrow < fewest(100) or epsilon < 20.0


def test_it_holds_the_privacy_band_and_keeps_its_ends() -> None:
    counts = np.array([100, 300, 500])
    bins = Bins(counts, counts[::-1], 3.0, 3.0, 2 * np.arange(4))
    band, inner = population_band(bins, 0.9), rate_band(bins, 0.9)
    for wide, narrow in zip(band, inner, strict=True):
        assert ((wide[0] <= narrow[0]) & (narrow[1] <= wide[1])).all()
        assert (np.diff(wide, axis=1) >= 0).all()
        assert ((wide >= 0) & (wide <= 1)).all()
        assert (wide[1, 0], wide[0, -1]) == (0.0, 1.0)


@pytest.mark.parametrize("scale", [0.01, 30.0])
def test_it_is_wider_by_the_sampling_of_the_least_likely_number_of_records(scale: float) -> None:
    counts, share = np.array([400, 300, 200]), 0.24 * 0.1
    bins = Bins(counts, counts, scale, scale, 2 * np.arange(4))
    test_set = rate_band(bins, 1.0 - 0.5 * 0.1)
    reach = population_band(bins, 0.9).fpr[1, 1] - test_set.fpr[1, 1]
    records = np.log(2.0 / share) / (2.0 * reach**2)
    # The noise of the sum of three counts exceeds some eight scales once in a thousand.
    assert 5.0 < (counts.sum() - records) / scale < 12.0


def test_too_few_records_tell_nothing() -> None:
    bins = Bins(np.array([3, 1]), np.array([-2, 1]), 5.0, 5.0, np.arange(3))
    for wide in population_band(bins, 0.9):
        np.testing.assert_array_equal(wide, [[0, 0, 1], [0, 1, 1]])


SETS = {"smooth": beta_scores(3000), "atoms": atoms(3000), "small": beta_scores(150)}

DRAWS = 200


def curves(name: str, epsilon: float, neighbors: str = "add-remove") -> list[RocRelease]:
    return [
        private_roc_curve(SETS[name], epsilon=epsilon, noise=SeededNoise(seed), neighbors=neighbors)
        for seed in range(DRAWS)
    ]


@pytest.mark.few(2)
@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
@pytest.mark.parametrize("epsilon", [1.0, 0.1])
@pytest.mark.parametrize("name", SETS)
def test_simultaneous_coverage(name: str, epsilon: float, neighbors: str) -> None:
    """Nominal 90 %, or 158 of 200 at least: a true 90 % has fewer with odds below 1e-6."""
    auc, drawn = SETS[name].auc(), curves(name, epsilon, neighbors)
    assert sum(covers(curve, SETS[name]) for curve in drawn) >= fewest(DRAWS)
    assert sum(low <= auc <= high for low, high in (c.auc_interval for c in drawn)) >= fewest(DRAWS)


@pytest.mark.slow
@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
def test_a_band_that_is_too_narrow_is_found(neighbors: str) -> None:
    """By 30 %: as if the noise were that much smaller than it is."""
    hits = 0
    for curve in curves("smooth", 1.0, neighbors):
        assert curve.bins is not None
        hits += covers(curve, SETS["smooth"], rate_band(understated(curve.bins, 0.7), 0.9))
    assert hits < fewest(DRAWS)


def understated(made: Bins, factor: float) -> Bins:
    """The same counts, said to be less noisy."""
    return replace(
        made,
        negative_scale=factor * made.negative_scale,
        positive_scale=factor * made.positive_scale,
    )


# Classes that never meet in a bin, so that nothing but noise widens a band or an interval.
APART = np.array([900, 0, 700, 0, 500, 0, 300, 0, 100, 0])

RATES = [np.cumsum([0, *counts]) / counts.sum() for counts in (APART[::-1], APART)]


def noisy_bins(draws: int, factor: float) -> Iterator[Bins]:
    """Noisy counts of these classes, said to be as noisy as they are, times a factor."""
    rng = np.random.default_rng(5)
    for _ in range(draws):
        noise = np.round(rng.laplace(scale=5.0, size=(2, 10)))
        yield bins(APART[::-1] + noise[0], APART + noise[1], 5.0 * factor)


@pytest.mark.few(1)
@pytest.mark.parametrize("factor, fits", [(1.0, True), (0.7, False)])
def test_sets_hold_what_the_noise_says(factor: float, fits: bool) -> None:
    hits = 0
    for made in noisy_bins(400, factor):
        hits += all(
            ((low - 1e-9 <= rate) & (rate <= high + 1e-9)).all()
            for (low, high), rate in zip(rate_sets(made, 0.9), RATES, strict=True)
        )
    assert (hits >= fewest(400)) is fits


@pytest.mark.few(1)
@pytest.mark.parametrize("factor, fits", [(1.0, True), (0.7, False)])
def test_the_interval_holds_what_the_noise_says(factor: float, fits: bool) -> None:
    auc = float(np.trapezoid(RATES[1], RATES[0]))
    intervals = [interval(made, 0.9) for made in noisy_bins(600, factor)]
    assert (sum(low <= auc <= high for low, high in intervals) >= fewest(600)) is fits


def interval(made: Bins, confidence: float) -> Interval:
    """About the area under the lines that join the cuts."""
    return auc_interval(made, joined(made), confidence)


def joined(made: Bins) -> float:
    return float(np.trapezoid(rates(made.positives), rates(made.negatives)))


def bins(negatives: ArrayLike, positives: ArrayLike, scale: float) -> Bins:
    counts = [np.asarray(given, dtype=np.int64) for given in (negatives, positives)]
    return Bins(*counts, scale, scale, 4 * np.arange(counts[0].size + 1))


def test_almost_no_noise_gives_the_rates_themselves() -> None:
    band = rate_band(bins([10, 20, 30, 40], [40, 30, 20, 10], 1e-9), 0.9)
    np.testing.assert_allclose(band.fpr[:, ::4], [[0, 0.1, 0.3, 0.6, 1]] * 2, atol=1e-6)
    np.testing.assert_allclose(band.tpr[:, ::4], [[0, 0.4, 0.7, 0.9, 1]] * 2, atol=1e-6)
    # Between the cuts, the box that they span.
    np.testing.assert_allclose(band.fpr[:, 5], [0.1, 0.3], atol=1e-6)


@pytest.mark.parametrize("counts", [[0, 0, 0], [-5, 3, 1], [1, 2, 0]])
def test_when_noise_drowns_the_counts_nothing_is_known(counts: list[int]) -> None:
    made = bins(counts, counts, 1000.0)
    band = rate_band(made, 0.9)
    for rate in (band.fpr, band.tpr):
        np.testing.assert_array_equal(rate[:, [0, -1]], [[0, 1], [0, 1]])
        assert (rate[0, 1:-1] == 0).all()
        assert (rate[1, 1:-1] == 1).all()
    low, high = interval(made, 0.9)
    assert high - low > 0.5


def test_higher_confidence_is_wider() -> None:
    made = bins([100, 200, 300], [300, 200, 100], 5.0)
    widths = [np.diff(rate_band(made, c).tpr, axis=0).sum() for c in (0.5, 0.9, 0.99)]
    intervals = [np.diff(interval(made, c))[0] for c in (0.5, 0.9, 0.99)]
    assert widths == sorted(widths)
    assert intervals == sorted(intervals)
    assert widths[0] < widths[-1]


def test_an_area_that_noise_took_beyond_what_is_possible_keeps_its_arms() -> None:
    """It was cut off where it stood: of 20 records it was "0 to 0" once in a hundred draws."""
    few = bins([-8, 14], [14, -8], 4.0), bins([14, -8], [-8, 14], 4.0)
    assert [interval(made, 0.9) for made in few] == [(0.0, 1.0)] * 2
    labels, held, draws = np.arange(20) % 2, 0, 60
    for seed in range(draws):
        scores = np.clip(np.random.default_rng(seed).beta(2, 2, 20) + 0.25 * labels, 0, 1)
        curve = private_roc_curve(labels, scores, epsilon=1, noise=SeededNoise(seed))
        low, high = curve.auc_interval or (0.0, 0.0)
        assert high - low > 0.2
        held += low <= roc_auc_score(labels, scores) <= high
    assert held >= fewest(draws)


def test_the_interval_holds_the_unknown_order_within_bins() -> None:
    """One bin: any area is possible, noise or not."""
    assert interval(bins([100], [100], 1e-9), 0.9) == pytest.approx((0.0, 1.0))


def test_envelope_holds_every_box() -> None:
    curve = private_roc_curve(SETS["smooth"], epsilon=1, noise=SeededNoise(3))
    fpr, lower, upper = envelope(Band(curve.fpr_band, curve.tpr_band))
    assert fpr.shape == lower.shape == upper.shape
    assert (fpr[0], fpr[-1]) == (0.0, 1.0)
    assert (np.diff(fpr) >= 0).all()
    assert (lower <= upper).all()
    rng = np.random.default_rng(0)
    band = curve.fpr_band, curve.tpr_band
    for point in rng.integers(0, curve.fpr.size, 200):
        x = rng.uniform(*band[0][:, point])
        at = np.searchsorted(fpr, x)
        if at < fpr.size and fpr[at] == x:
            continue  # on a step both values hold
        assert lower[at] <= band[1][0, point] + 1e-12
        assert upper[at - 1] >= band[1][1, point] - 1e-12


def test_envelope_of_exact_boxes_is_the_staircase_around_the_curve() -> None:
    fpr, lower, upper = envelope(rate_band(bins([1, 1], [3, 1], 1e-12), 0.9))
    area = np.trapezoid(upper - lower, fpr)
    # Two boxes, 0.5 x 0.75 and 0.5 x 0.25.
    assert area == pytest.approx(0.5, abs=1e-6)


def noisy(counts: ArrayLike, scale: float, seed: int) -> np.ndarray:
    given = np.asarray(counts)
    drawn = np.random.default_rng(seed).laplace(scale=scale, size=given.size)
    return np.round(given + drawn).astype(np.int64)


MANY = np.array([100, 200, 400, 600, 300]), np.array([500, 300, 200, 60, 10])


@pytest.mark.parametrize(
    "negatives, positives, scale",
    [
        ([10, 20, 30, 40], [40, 30, 20, 10], 0.4),  # hardly any noise
        ([9, 1, 5, 2], [3, 8, 0, 1], 3.0),  # a handful of records
        ([4000, 3000, 2000, 1000], [9, 1, 5, 2], 2.0),  # of one class
        ([0, 0, 0], [-5, 3, 1], 50.0),
        ([4000, 3000, 2000, 1000], [1000, 2000, 3000, 4000], 2.0),  # upside down
        (list(range(16_000, 0, -1000)), list(range(100, 1700, 100)), 2.0),  # in more bins
    ],
)
def test_the_region_is_that_of_the_boxes_where_a_record_is_a_step(
    negatives: list[int], positives: list[int], scale: float
) -> None:
    made = bins(negatives, positives, scale)
    assert scale <= 0.5 or (sag(made) == 1.0).all()
    few, many = sorted(max(sum(counts), 1) for counts in (negatives, positives))
    both = min(8 / len(negatives), 1.0) * (few / many) ** 0.5
    confidence = 0.9 if scale <= 0.5 else 0.9 ** (2.75 + 2.25 * both)
    fpr, lower, upper = envelope(rate_band(made, confidence))
    # Where rates may miss more often than their boxes allow, by a record.
    record = 0.0 if scale <= 0.5 else 1.0 / max(sum(positives), 1)
    expected = fpr, np.maximum(lower - record, 0.0), np.minimum(upper + record, 1.0)
    for found, known in zip(curve_region(made, 0.9), expected, strict=True):
        np.testing.assert_allclose(found, known, atol=1e-12)


def test_the_region_is_smaller_where_there_are_records_and_noise() -> None:
    made = Bins(*MANY, 2.0, 2.0, 4 * np.arange(6))
    boxes, region = envelope(rate_band(made, 0.9)), curve_region(made, 0.9)
    areas = [np.trapezoid(upper - lower, fpr) for fpr, lower, upper in (boxes, region)]
    assert sag(made) == pytest.approx([0.2, 0.2, 0.2, 0.2, 0.4])
    assert 0.55 < areas[1] / areas[0] < 0.8
    at = np.linspace(0.001, 0.999, 500)
    low, high = (np.interp(at, region[0], side) for side in region[1:])
    assert (np.interp(at, boxes[0], boxes[1]) <= low + 1e-9).all()
    assert (high <= np.interp(at, boxes[0], boxes[2]) + 1e-9).all()
    assert (low <= high).all()


@pytest.mark.few(1)
@pytest.mark.parametrize("sinks, fits", [(0.0, True), (0.1, True), (0.25, False)])
def test_the_region_holds_a_curve_that_sinks_less_than_a_fifth_of_the_way(
    sinks: float, fits: bool
) -> None:
    """And twice as far behind the last cut; noise alone may take it farther."""
    share = np.array([sinks, sinks, sinks, sinks, 2.0 * sinks])
    fpr, tpr = (np.cumsum([0, *counts]) / counts.sum() for counts in MANY)
    middle = np.stack([(1 + share) / 2 * fpr[1:] + (1 - share) / 2 * fpr[:-1],
                       (1 - share) / 2 * tpr[1:] + (1 + share) / 2 * tpr[:-1]])  # fmt: skip
    middle[:, 0] = 0.99 * fpr[1], 0.01 * tpr[1]  # the first bin may be any
    x, y = (np.insert(rate, np.arange(1, rate.size), between)
            for rate, between in zip((fpr, tpr), middle, strict=True))  # fmt: skip
    at, held = np.linspace(0.0005, 0.9995, 500), 0
    for seed in range(100):
        drawn = (noisy(counts, 2.0, 2 * seed + one) for one, counts in enumerate(MANY))
        across, lower, upper = curve_region(bins(*drawn, 2.0), 0.9)
        true = np.interp(at, x, y)
        held += bool(
            ((np.interp(at, across, lower) <= true) & (true <= np.interp(at, across, upper))).all()
        )
    assert (held >= fewest(100)) is fits


@pytest.mark.parametrize("scale", [2.0, 1.0, 0.5, 0.01])
def test_the_interval_knows_some_of_the_order_however_little_noise_there_is(scale: float) -> None:
    """By what few bins tell, and chance, which evens out: else less noise would widen it."""
    made = Bins(*MANY, scale, scale, 4 * np.arange(6))
    shares = [counts / counts.sum() for counts in MANY]
    off = np.hypot(0.18, np.sqrt((MANY[0] + MANY[1] + 1) / (12 * MANY[0] * MANY[1])))
    order = norm.ppf(0.95) * np.linalg.norm(shares[0] * shares[1] * off)
    auc = float(np.trapezoid(*(np.cumsum([0, *share]) for share in shares[::-1])))
    low, high = interval(made, 0.9)
    noise = 0.03 * scale / 2.0
    assert 0.0 < auc - order - low < noise
    assert 0.0 < high - auc - order < noise
    # Who asks for less need not allow for all that may be; who asks for more must.
    assert auc - interval(made, 0.5)[0] < 0.42 * order + noise
    assert auc - interval(made, 0.99)[0] > 1.5 * order


def test_a_bin_with_half_of_both_classes_may_bulge_to_the_corner() -> None:
    made = bins([10, 3000, 1000], [1000, 3000, 10], 2.0)
    assert sag(made) == pytest.approx([0.2, 0.2, 0.4])
    area, anything = joined(made), (3000 / 4010) ** 2 / 2.0
    low, high = interval(made, 0.9)
    assert min(area - low, high - area) > anything


def test_straight_lines_may_miss_three_quarters_of_what_all_bins_could_hold() -> None:
    """They guess nothing of the order: where scores crowd at 0 and 1, all bins bulge at once."""
    made = bins([100, 900], [800, 200], 0.01)
    lines = replace(made, knots=np.arange(3))
    area, shared = joined(made), 0.5 * (0.1 * 0.8 + 0.9 * 0.2)
    curved, straight = interval(made, 0.9), interval(lines, 0.9)
    assert straight[1] - area == pytest.approx(0.75 * shared, abs=1e-4)
    assert curved[1] - area < np.hypot(0.04, 0.09)
    assert straight[0] == curved[0]


def test_a_bin_against_the_order_of_all_others_may_sink_by_all_of_it() -> None:
    """If the lowest scores are those of positives, nothing is known of the order there."""
    made = bins([100, 800, 3000], [2800, 100, 700], 0.2)
    shared = (made.negatives / 3900) * (made.positives / 3600) / 2.0
    area, (low, high) = joined(made), interval(made, 0.9)
    assert area - low > shared[2]
    assert high - area < 0.9 * shared[2]


@pytest.mark.statistical
@pytest.mark.parametrize(
    "law, records, share",
    [
        ("hook", 2_000, 0.1),  # a quarter of the positives below nearly all negatives
        ("weak", 100_000, 0.005),  # the highest scores are those of negatives
    ],
)
def test_the_region_holds_the_curve_of_odd_models(law: str, records: int, share: float) -> None:
    draw = np.random.default_rng(5)
    y = draw.random(records) < share
    z = draw.normal(size=records)
    hidden = (law == "hook") & y & (draw.random(records) < 0.25)
    steep, apart, low = (1.2, 1.6, -1.0) if law == "hook" else (0.6, 0.36, -5.3)
    scores = np.where(hidden, 0.4 * z - 2.5, steep * z + apart * y + low)
    counted = ScoreHistogram.from_arrays(y.astype(int), 1.0 / (1.0 + np.exp(-scores)))
    fpr, tpr, _ = counted.roc()
    at, held = np.concatenate([np.geomspace(1e-6, 1e-3, 200), np.linspace(0.001, 0.9999, 800)]), 0
    true = np.interp(at, fpr, tpr)
    for seed in range(100):
        curve = private_roc_curve(counted, epsilon=0.5, noise=SeededNoise(seed))
        across, lower, upper = curve.envelope or (at, true, true)
        below = np.interp(at, across, lower) <= true + 1e-9
        held += bool((below & (true <= np.interp(at, across, upper) + 1e-9)).all())
    assert held >= fewest(100)
