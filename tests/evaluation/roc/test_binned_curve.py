"""Post-processing of binned counts: rates, concavity with its gate, atoms, thresholds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import norm

from dpcore import Loss, Neighbors
from dpcore.evaluation.roc.bands import auc_interval
from dpcore.evaluation.roc.binned_curve import (
    binned_curve,
    critical_values,
    haar_curve,
    knots,
    missed_order,
    rate_variance,
    rates,
    running_noise,
)
from dpcore.evaluation.roc.curve import Bins, RocCurve
from dpcore.mechanisms import QuantileBins
from dpcore.mechanisms.counts.quantiles import BinnedClasses
from tests.evaluation.roc._coverage import fewest
from tests.evaluation.roc._spy import Spy, changes, histogram

LABEL = "counts between thresholds"

FIXED = {"answers": {"number of records": np.array([3])}}


@pytest.mark.parametrize(
    "method, neighbors, declared, needed",
    [
        ("fixed-space", "add-remove", 2, 1),
        ("fixed-space", "replace", 2, 2),
        ("fixed-space-parallel", "add-remove", 1, 1),
        ("fixed-space-parallel", "replace", 2, 2),
    ],
)
def test_sensitivity_over_all_small_neighbours(
    method: str, neighbors: str, declared: int, needed: int
) -> None:
    """With the noisy number of records given; under replace the number is the same anyway."""
    worst = 0
    for mechanism, change in changes(method, LABEL, Neighbors.of(neighbors), **FIXED):
        assert mechanism.l1_sensitivity == declared
        worst = max(worst, np.abs(change).sum())
    assert worst == needed


def test_table_and_curve() -> None:
    scores = histogram(((0, 0), (0, 0), (0, 1), (1, 1), (1, 2), (1, 2)))
    table = np.array([[2, 1, 0], [0, 1, 2]])
    spy = Spy(Neighbors.ADD_REMOVE, {LABEL: table.astype(float)})
    curve = haar_curve(scores, np.array([1, 2]), loss=Loss(1), gate=spy, l1_sensitivity=2)
    np.testing.assert_array_equal(spy.seen[LABEL][1], table)
    np.testing.assert_allclose(curve.fpr, [0, 0, 1 / 3, 1])
    np.testing.assert_allclose(curve.tpr, [0, 2 / 3, 1, 1])
    np.testing.assert_allclose(curve.thresholds, [np.inf, 0.6, 0.3, 0])


def test_contradicting_counts_become_monotone() -> None:
    noisy = np.array([[9.0, -3.0, 2.0], [-4.0, 2.0, -1.0]])
    spy = Spy(Neighbors.ADD_REMOVE, {LABEL: noisy})
    curve = haar_curve(histogram(()), np.array([1, 2]), loss=Loss(1), gate=spy, l1_sensitivity=2)
    assert (np.diff(curve.fpr) >= 0).all()
    assert (np.diff(curve.tpr) >= 0).all()


def made(negatives: list[int], positives: list[int], scale: float = 1.0) -> Bins:
    knots = np.arange(len(negatives) + 1)
    return Bins(np.array(negatives), np.array(positives), scale, scale, knots)


@pytest.mark.parametrize("factor, fits", [(1.0, True), (0.7, False)])
@pytest.mark.parametrize("confidence", [0.5, 0.9])
def test_noise_exceeds_them_as_rarely_as_it_says(
    confidence: float, factor: float, fits: bool
) -> None:
    classes = [2000, 500, 200, 100, 50, 20] * 2, [100] * 12
    limits = critical_values(made(*classes), confidence)
    rng = np.random.default_rng(1)
    inside = np.ones(2000, dtype=bool)
    for counts, limit in zip(classes, limits, strict=True):
        share, k = np.cumsum(counts)[:-1] / sum(counts), np.arange(1, 12)
        noise = np.cumsum(rng.laplace(size=(2000, 12)), axis=1)
        deviation = np.sqrt(2 * ((1 - share) ** 2 * k + share**2 * (12 - k)))
        ratio = np.abs(noise[:, :-1] - share * noise[:, -1:]) / deviation
        inside &= (ratio <= factor * limit).all(axis=1)
    # The quantile of 4,000 simulations is itself off by about half a percent.
    assert bool(inside.sum() >= fewest(2000, confidence - 0.01)) is fits


def test_the_more_accurate_class_gets_the_smaller_share_of_the_misses() -> None:
    even = critical_values(made([100] * 8, [100] * 8), 0.9)
    assert even[0] == pytest.approx(even[1], rel=0.1)
    negatives, positives = critical_values(made([10_000] * 8, [100] * 8), 0.9)
    assert negatives > 1.2 * positives
    assert positives < even[1]


def test_one_bin_has_no_cut_and_no_noise() -> None:
    assert critical_values(made([5], [7]), 0.9) == (0.0, 0.0)


def test_noise_is_the_same_every_time_and_cannot_be_written_to() -> None:
    noise = running_noise(5)
    assert noise is running_noise(5)
    with pytest.raises(ValueError, match="read-only"):
        noise[0] = 0.0


EDGES = np.linspace(0, 1, 101)

LEVELS = (0.2, 0.4, 0.6, 0.8)

CUTS = np.array([10, 30, 50, 90])


def curve(guide, other, *, epsilon=1, by_positives=False, levels=LEVELS, cuts=CUTS) -> RocCurve:
    mechanism = QuantileBins(epsilon=epsilon, levels=levels, positions=EDGES)
    binned = BinnedClasses(cuts, np.array(guide), np.array(other))
    return binned_curve(binned, mechanism, edges=EDGES, by_positives=by_positives)


def at_knots(drawn: RocCurve) -> tuple[np.ndarray, np.ndarray]:
    assert drawn.bins is not None
    return drawn.fpr[drawn.bins.knots], drawn.tpr[drawn.bins.knots]


counts = hnp.arrays(np.int64, 5, elements=st.integers(-(10**6), 10**6))


@given(counts, counts, st.booleans(), st.sampled_from([0.01, 1.0, 50.0]))
def test_any_counts_give_a_curve(guide, other, by_positives, epsilon) -> None:
    drawn = curve(guide, other, by_positives=by_positives, epsilon=epsilon)
    for rate in (drawn.fpr, drawn.tpr):
        assert (rate[0], rate[-1]) == (0.0, 1.0)
        assert (np.diff(rate) >= 0).all()
    assert (np.diff(drawn.thresholds[1:]) <= 0).all()


@given(counts)
def test_rates_run_from_zero_to_one(noisy) -> None:
    fitted = rates(noisy)
    assert (fitted[0], fitted[-1]) == (0.0, 1.0)
    assert (np.diff(fitted) >= 0).all()


def test_rates_of_proper_counts_are_exact() -> None:
    np.testing.assert_allclose(rates(np.array([1, 0, 3, 4])), [0, 1 / 8, 1 / 8, 1 / 2, 1])


@pytest.mark.parametrize("by_positives", [False, True])
def test_roles_become_classes(by_positives: bool) -> None:
    """Scores rise with the bins for positives: the guide of the second case is the positives."""
    low, high = [400, 300, 200, 90, 10], [20, 80, 200, 300, 400]
    guide, other = (high, low) if by_positives else (low, high)
    drawn = curve(guide, other, by_positives=by_positives, epsilon=100)
    fpr, tpr = at_knots(drawn)
    np.testing.assert_allclose(fpr, np.cumsum([0, 10, 90, 200, 300, 400]) / 1000)
    np.testing.assert_allclose(tpr, np.cumsum([0, 400, 300, 200, 80, 20]) / 1000)
    assert drawn.bins.negatives.tolist() == low[::-1]
    # The guide's counts share epsilon with the cuts.
    assert (drawn.bins.positive_scale > drawn.bins.negative_scale) is by_positives


@pytest.mark.parametrize("by_positives", [False, True])
def test_cuts_far_apart_in_log_odds_speak_for_a_better_model(by_positives: bool) -> None:
    def area(cuts: list[int]) -> float:
        told = {"epsilon": 0.001, "by_positives": by_positives, "levels": (1 / 3, 2 / 3)}
        return curve([50, 50, 50], [50, 50, 50], cuts=np.array(cuts), **told).auc

    assert area([5, 95]) > area([35, 65]) + 0.02
    assert area([35, 65]) > area([45, 55]) + 0.02


def test_thresholds_at_knots_are_the_cuts() -> None:
    drawn = curve([400, 300, 200, 90, 10], [20, 80, 200, 300, 400])
    np.testing.assert_allclose(drawn.thresholds[drawn.bins.knots[1:]], [0.9, 0.5, 0.3, 0.1, 0.0])


DENTED = [10, 500, 100, 300, 90]  # highest scores last: few positives among the highest


def test_a_dent_within_the_noise_is_filled_and_a_real_one_kept() -> None:
    flat = [200] * 5
    _, filled = at_knots(curve(flat, DENTED, epsilon=0.02))
    assert (np.diff(filled, 2) <= 1e-9).all()
    _, kept = at_knots(curve(flat, DENTED, epsilon=10))
    np.testing.assert_allclose(kept, np.cumsum([0, 90, 300, 100, 500, 10]) / 1000)


def test_a_bin_with_an_atom_stays_straight() -> None:
    """The lowest bin holds 60 % of the guide though its cut aimed at 20 %."""
    guide, other = [6000, 1000, 1000, 1000, 1000], [100, 200, 400, 1000, 3000]
    drawn = curve(guide, other, epsilon=5)
    last = slice(drawn.bins.knots[-2], None)
    slopes = np.diff(drawn.tpr[last]) / np.diff(drawn.fpr[last])
    np.testing.assert_allclose(slopes, slopes[0])
    planned = curve([2000] * 5, other, epsilon=5)
    slopes = np.diff(planned.tpr[last]) / np.diff(planned.fpr[last])
    assert slopes[0] > 1.5 * slopes[-1]


def test_three_bins_take_a_binormal_curve_unless_the_counts_forbid_it() -> None:
    few = {"levels": (0.5, 0.9), "cuts": np.array([50, 90])}
    smooth = curve([50, 40, 10], [2, 8, 40], epsilon=0.2, **few)
    assert not np.allclose(at_knots(smooth)[1], np.cumsum([0, 40, 8, 2]) / 50)
    below_chance = curve([500, 400, 100], [480, 10, 10], epsilon=20, **few)
    np.testing.assert_allclose(at_knots(below_chance)[1], np.cumsum([0, 10, 10, 480]) / 500)


def test_variance_is_what_simulation_shows() -> None:
    rng = np.random.default_rng(0)
    true = np.array([500, 300, 150, 50])
    share = np.concatenate([[0], np.cumsum(true)]) / true.sum()
    noise = rng.laplace(scale=3.0, size=(40_000, 4))
    first = np.concatenate([np.zeros((40_000, 1)), np.cumsum(noise, axis=1)], axis=1)
    seen = ((first - share * first[:, -1:]) / true.sum()).var(axis=0)
    np.testing.assert_allclose(rate_variance(share, true, 3.0), seen, rtol=0.05, atol=1e-12)


def binormal_bins(cells: int, records: float, slope: float = 1.0) -> Bins:
    """Counts of negatives at 0 and positives at 1.5, of spread 1 and 1 / slope, without noise."""
    cuts = norm.ppf(np.arange(1, cells) / cells, 1.0)
    both = norm.cdf(cuts), norm.cdf(slope * (cuts - 1.5))
    shares = [np.diff([0.0, *below, 1.0])[::-1] for below in both]
    counts = (np.rint(records * share).astype(np.int64) for share in shares)
    return Bins(*counts, 0.01, 0.01, knots(cells))


def uneven(bins: Bins, by: float) -> Bins:
    """The same, with that share of the positives of every second cell in the next one instead."""
    moved = np.rint(by * bins.positives * (np.arange(bins.positives.size) % 2)).astype(np.int64)
    return replace(bins, positives=bins.positives - moved + np.roll(moved, 1))


@pytest.mark.parametrize("slope, at_most", [(1.6, 0.02), (1.0, 0.005), (0.6, 0.1)])
def test_of_a_smooth_curve_hardly_any_order_is_missed(slope: float, at_most: float) -> None:
    """More where positives that spread wider lie at the lowest scores: that is not concave."""
    assert missed_order(binormal_bins(16, 1e5, slope)) < at_most


def test_the_order_that_is_missed_grows_with_how_uneven_bins_are() -> None:
    smooth = binormal_bins(16, 1e5)
    missed = [missed_order(uneven(smooth, by)) for by in (0.0, 0.2, 0.4, 0.8)]
    assert missed == sorted(missed)
    assert missed[1] > 2.0 * missed[0]
    widths = [np.ptp(auc_interval(uneven(smooth, by), 0.85, 0.9)) for by in (0.0, 0.2, 0.8)]
    assert widths == sorted(widths)
    assert widths[2] > 2.0 * widths[0]


def test_bins_without_records_of_a_class_tell_nothing() -> None:
    none = np.zeros(8, dtype=np.int64)
    assert missed_order(Bins(none, none + 5, 1.0, 1.0, knots(8))) == 1.0


@pytest.mark.statistical
@pytest.mark.parametrize("factor, fits", [(1.0, True), (0.7, False)])
def test_noise_in_the_counts_is_not_taken_for_order_that_is_missed(
    factor: float, fits: bool
) -> None:
    """In the mean of its square; noise that is said to be a third smaller than it is shows."""
    smooth, rng, scale, squares = binormal_bins(16, 1e4), np.random.default_rng(3), 20.0, []
    for _ in range(800):
        n, p = np.rint(rng.laplace(scale=scale, size=(2, 16))).astype(np.int64)
        told = factor * scale
        noisy = Bins(smooth.negatives + n, smooth.positives + p, told, told, knots(16))
        squares.append(missed_order(noisy) ** 2)
    # 0.86 and 2.0 in the mean, with standard errors of 0.07 and 0.09.
    assert bool(1e4 * np.mean(squares) < 1.35) is fits
