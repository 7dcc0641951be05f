"""Bands: coverage by simulation, shapes, and what they are made of."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.aggregates import ScoreHistogram
from dpcore.evaluation import RocRelease, private_roc_curve
from dpcore.evaluation.roc.bands import auc_interval, envelope, rate_band
from dpcore.evaluation.roc.curve import Bins
from tests.evaluation.roc._data import atoms, beta_scores

SETS = {"smooth": beta_scores(3000), "atoms": atoms(3000), "small": beta_scores(150)}


def covers(curve: RocRelease, scores: ScoreHistogram) -> bool:
    """Whether the true rates at every threshold lie in the box of their bin, or of their cut."""
    assert curve.bins is not None
    fpr, tpr, thresholds = scores.roc()
    knots = curve.bins.knots
    cuts = curve.thresholds[knots]
    bin_ = np.searchsorted(-cuts, -thresholds, side="right") - 1
    after = np.where(np.isin(thresholds, cuts), bin_, np.minimum(bin_ + 1, knots.size - 1))
    inside = [
        (band[0][knots][bin_] - 1e-9 <= rate) & (rate <= band[1][knots][after] + 1e-9)
        for band, rate in [(curve.fpr_band, fpr), (curve.tpr_band, tpr)]
    ]
    return bool(np.logical_and(*inside).all())


@pytest.mark.parametrize("epsilon", [1.0, 0.1])
@pytest.mark.parametrize("name", SETS)
def test_simultaneous_coverage(name: str, epsilon: float) -> None:
    """Nominal 90 %: of 100 draws with a fixed seed, at least 80 are covered. A band of true
    coverage 90 % has fewer with probability 8e-4, one of 65 % has more with probability 1e-3."""
    curves = [
        private_roc_curve(SETS[name], epsilon=epsilon, noise=SeededNoise(seed))
        for seed in range(100)
    ]
    auc = SETS[name].auc()
    assert np.mean([covers(curve, SETS[name]) for curve in curves]) >= 0.80
    assert np.mean([low <= auc <= high for low, high in (c.auc_interval for c in curves)]) >= 0.80


def test_the_coverage_test_can_fail() -> None:
    """A band of nominal 30 % is caught by the count of the test above."""
    curves = [
        private_roc_curve(SETS["smooth"], epsilon=0.1, noise=SeededNoise(seed), confidence=0.3)
        for seed in range(100)
    ]
    assert np.mean([covers(curve, SETS["smooth"]) for curve in curves]) < 0.80


def bins(negatives: list[int], positives: list[int], scale: float) -> Bins:
    size = len(negatives)
    return Bins(np.array(negatives), np.array(positives), scale, scale, 4 * np.arange(size + 1))


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
    low, high = auc_interval(made, 0.9)
    assert high - low > 0.5


def test_higher_confidence_is_wider() -> None:
    made = bins([100, 200, 300], [300, 200, 100], 5.0)
    widths = [np.diff(rate_band(made, c).tpr, axis=0).sum() for c in (0.5, 0.9, 0.99)]
    intervals = [np.diff(auc_interval(made, c))[0] for c in (0.5, 0.9, 0.99)]
    assert widths == sorted(widths)
    assert intervals == sorted(intervals)
    assert widths[0] < widths[-1]


def test_the_interval_holds_the_unknown_order_within_bins() -> None:
    """One bin: any area is possible, noise or not."""
    assert auc_interval(bins([100], [100], 1e-9), 0.9) == pytest.approx((0.0, 1.0))


def test_envelope_holds_every_box() -> None:
    curve = private_roc_curve(SETS["smooth"], epsilon=1, noise=SeededNoise(3))
    fpr, lower, upper = curve.envelope
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
