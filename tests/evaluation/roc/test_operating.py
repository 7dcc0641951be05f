"""What follows from a released curve: exact without noise, and held by simultaneous bands."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.metrics import average_precision_score

from dpcore import SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import InvalidArgument
from dpcore.evaluation import RocRelease, private_roc_curve
from tests.evaluation.roc._data import HARD, beta_scores

SCORES = beta_scores(4000)
NEGATIVES, POSITIVES = SCORES.n_negative, SCORES.n_positive
AT_A_POINT = (
    "fpr", "tpr", "precision", "alert_rate", "f1", "specificity", "npv", "accuracy",
    "tp", "fp", "fn", "tn",
)  # fmt: skip


def curve_of(seed: int, epsilon: float = 1.0) -> RocRelease:
    return private_roc_curve(SCORES, epsilon=epsilon, noise=SeededNoise(seed))


def truth() -> dict[str, np.ndarray]:
    """Rates at every score that occurs, highest first."""
    fpr, tpr, threshold = SCORES.roc()
    tp, fp = tpr * POSITIVES, fpr * NEGATIVES
    return {
        "threshold": threshold,
        "fpr": fpr,
        "tpr": tpr,
        "precision": tp / np.maximum(tp + fp, 1),
        "alert_rate": (tp + fp) / (POSITIVES + NEGATIVES),
        "f1": 2 * tp / (tp + fp + POSITIVES),
        "specificity": 1 - fpr,
        "npv": (NEGATIVES - fp) / np.maximum(NEGATIVES - fp + POSITIVES - tp, 1),
        "accuracy": (tp + NEGATIVES - fp) / (POSITIVES + NEGATIVES),
        "tp": tp / (POSITIVES + NEGATIVES),
        "fp": fp / (POSITIVES + NEGATIVES),
        "fn": (POSITIVES - tp) / (POSITIVES + NEGATIVES),
        "tn": (NEGATIVES - fp) / (POSITIVES + NEGATIVES),
    }


def test_with_little_noise_everything_is_what_it_is_of_the_records() -> None:
    curve, exact = curve_of(0, 1000.0), truth()
    for level in (0.2, 0.5, 0.8):
        point = curve.at(threshold=level)
        place = int(np.flatnonzero(exact["threshold"] >= level)[-1])
        for name in AT_A_POINT:
            assert getattr(point, name) == pytest.approx(exact[name][place], abs=0.03), name
    levels = SCORES.centers
    labels = np.repeat([1, 0], [POSITIVES, NEGATIVES])
    scores = np.concatenate(
        [np.repeat(levels, SCORES.positives), np.repeat(levels, SCORES.negatives)]
    )
    found = curve.precision_recall()
    assert found.average_precision == pytest.approx(
        average_precision_score(labels, scores), abs=0.01
    )
    gains = curve.gains()
    np.testing.assert_allclose(
        gains.y, np.interp(gains.x, exact["alert_rate"], exact["tpr"]), atol=0.03
    )
    benefit, level = curve.net_benefit(), 0.3
    place = int(np.flatnonzero(exact["threshold"] >= level)[-1])
    n = POSITIVES + NEGATIVES
    direct = exact["tpr"][place] * POSITIVES / n
    direct -= exact["fpr"][place] * NEGATIVES / n * level / (1 - level)
    assert np.interp(level, benefit.x, benefit.y) == pytest.approx(direct, abs=0.01)


@pytest.mark.parametrize(
    "asked, kept",
    [
        ({"fpr": 0.1}, lambda point: point.fpr <= 0.1),
        ({"tpr": 0.9}, lambda point: point.tpr >= 0.9),
        ({"alert_rate": 0.2}, lambda point: point.alert_rate <= 0.2 + 1e-9),
    ],
)
def test_a_point_keeps_what_was_asked(asked: dict, kept: object) -> None:
    assert kept(curve_of(1).at(**asked))


def test_dearer_misses_alarm_more_people() -> None:
    rates = [curve_of(1).at(cost_ratio=ratio).alert_rate for ratio in (0.2, 1, 5, 25)]
    assert rates == sorted(rates)
    assert rates[0] < rates[-1]


def everything_is_held(curve: RocRelease, exact: dict[str, np.ndarray]) -> bool:
    """Points at many thresholds, and the bands of two curves at many of theirs, at once."""
    held = True
    for place in range(1, exact["tpr"].size, 100):
        point = curve.at(threshold=float(exact["threshold"][place]))
        for name in AT_A_POINT:
            low, high = point.intervals[name]
            held &= bool(low - 1e-9 <= exact[name][place] <= high + 1e-9)
    for found, across, up in (
        (curve.precision_recall(), "tpr", "precision"),
        (curve.gains(), "alert_rate", "tpr"),
    ):
        grid, _, low, high = found[:4]
        for place in range(20, exact["tpr"].size, 100):
            # Where the abscissa of a record lies on the grid, to its nearest point.
            near = int(np.argmin(np.abs(grid - exact[across][place])))
            around = slice(max(near - 1, 0), near + 2)
            held &= low[around].min() - 1e-9 <= exact[up][place] <= high[around].max() + 1e-9
    return bool(held)


def test_bands_hold_everything_at_once_as_often_as_they_say() -> None:
    exact, draws = truth(), 60
    held = sum(everything_is_held(curve_of(seed), exact) for seed in range(draws))
    assert held >= binom.ppf(1e-7, draws, 0.9)


@pytest.mark.slow
def test_bands_of_another_noise_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = SeededNoise.discrete_laplace
    monkeypatch.setattr(
        SeededNoise, "discrete_laplace", lambda self, scale, size: 5 * drawn(self, scale, size)
    )
    exact = truth()
    held = sum(everything_is_held(curve_of(seed), exact) for seed in range(40))
    assert held < binom.ppf(1e-7, 40, 0.9)


@pytest.mark.parametrize("data", HARD)
def test_any_data_say_something_or_everything(data: str) -> None:
    for epsilon in (0.01, 1):
        curve = private_roc_curve(HARD[data], epsilon=epsilon, noise=SeededNoise(0))
        for asked in ("threshold", "fpr", "tpr", "alert_rate"):
            for value in (0.0, 0.5, 1.0):
                point = curve.at(**{asked: value})
                for name, (low, high) in point.intervals.items():
                    assert 0.0 <= low <= getattr(point, name) <= high <= 1.0
        recall = curve.precision_recall()
        assert 0.0 <= recall.interval[0] <= recall.interval[1] <= 1.0
        for found in (recall[:4], curve.gains(), curve.net_benefit()):
            assert all(np.isfinite(one).all() for one in found[:2])
            assert (found[2] <= found[3]).all()


@pytest.mark.parametrize("arguments", [{}, {"fpr": 0.1, "tpr": 0.9}, {"fpr": 2}, {"cost_ratio": 0}])
def test_one_question_at_a_time(arguments: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument):
        curve_of(0).at(**arguments)


def test_a_method_without_counts_says_so() -> None:
    curve = private_roc_curve(SCORES, epsilon=1, method="laplace", noise=SeededNoise(0))
    with pytest.raises(InvalidArgument, match="one that releases counts"):
        curve.gains()


@pytest.mark.parametrize("method, most", [("quantile-bins", 0.12), ("equal-width", 0.05)])
def test_thresholds_above_all_scores_raise_hardly_an_alarm(method: str, most: float) -> None:
    """No record scores above 0.7, and the last bin reaches to 1: alarms fall off inside it."""
    generator = np.random.default_rng(0)
    positive = generator.random(20_000) < 0.02
    scores = 0.7 * np.where(positive, generator.beta(3, 5, 20_000), generator.beta(1, 9, 20_000))
    counted = ScoreHistogram.from_arrays(positive.astype(int), scores)
    found = [
        private_roc_curve(counted, epsilon="0.1", method=method, noise=SeededNoise(seed)).at(
            threshold=0.95
        )
        for seed in range(8)
    ]
    assert np.mean([point.tpr + point.fpr for point in found]) < most
    # What is exact must be in the interval, whatever the estimate is.
    assert all(point.intervals["tpr"][0] <= 0.0 for point in found)


def test_with_little_noise_alarms_are_those_that_are_counted() -> None:
    """Concave or not: from the edge of a bin on, the rates are the counts."""
    scores = np.repeat(np.arange(8) / 8 + 1 / 16, 500)
    labels = np.tile([0, 1], 2000)
    labels[scores == 15 / 16] = 0
    released = private_roc_curve(
        labels, scores, epsilon=1000, method="equal-width", noise=SeededNoise(1)
    )
    point = released.at(threshold=0.875)
    assert point.tpr == pytest.approx(0.0, abs=1e-3)
    assert point.fpr == pytest.approx(500 / np.sum(labels == 0), abs=1e-3)
