"""The exact test, against closed forms and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.special import logit
from sklearn.calibration import calibration_curve
from sklearn.linear_model import LogisticRegression

from dpcore.data.counting import ScoreHistogram
from dpcore.errors import InvalidArgument
from dpcore.evaluation import private_calibration, true_calibration
from tests.evaluation.calibration._records import scored


def records(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    score = rng.beta(1, 4, n)
    return (rng.random(n) < score).astype(int), score


def test_rates_agree_with_scikit_learn() -> None:
    label, score = records(5_000, 1)
    observed, expected = calibration_curve(label, score, n_bins=5, strategy="quantile")
    ours = true_calibration(label, score, groups=5)
    np.testing.assert_allclose(ours.observed, observed, atol=2e-3)
    np.testing.assert_allclose(ours.expected, expected, atol=2e-3)
    assert ours.n.sum() == 5_000


def test_the_statistic_is_the_textbook_one() -> None:
    label, score = records(2_000, 2)
    ours = true_calibration(label, score, groups=8)
    assert ours.n.tolist() == pytest.approx([250] * 8, abs=3)
    rest = ours.n * (ours.observed - ours.expected)
    statistic = (rest**2 / (ours.n * ours.expected * (1 - ours.expected))).sum()
    assert ours.statistic == pytest.approx(statistic)
    assert ours.p_value == pytest.approx(stats.chi2.sf(statistic, 8))
    assert ours.calibration_error == pytest.approx(np.abs(rest).sum() / 2_000)


def test_trend_is_close_to_the_likelihood_ratio_of_recalibration() -> None:
    rng = np.random.default_rng(3)
    score = rng.beta(1, 4, 40_000)
    x = logit(score)
    label = (rng.random(x.size) < 1 / (1 + np.exp(-(0.95 * x + 0.03)))).astype(int)
    fit = LogisticRegression(C=np.inf).fit(x[:, None], label).predict_proba(x[:, None])[:, 1]

    def likelihood(p: np.ndarray) -> float:
        return float(np.log(np.where(label == 1, p, 1 - p)).sum())

    ratio = 2 * (likelihood(fit) - likelihood(score))
    assert true_calibration(label, score, groups=20).trend_statistic == pytest.approx(
        ratio, rel=0.15
    )


def test_level_of_both_tests() -> None:
    runs = [true_calibration(scored(2_000, run)) for run in range(400)]
    low, high = stats.binom.ppf([5e-7, 1 - 5e-7], 400, 0.05)
    for name in ("p_value", "trend_p_value"):
        assert low <= sum(getattr(run, name) <= 0.05 for run in runs) <= high


def test_edges_of_a_release_give_comparable_rows() -> None:
    from dpcore import SeededNoise

    scores = scored(3_000, 4)
    released = private_calibration(scores, epsilon=10**6, noise=SeededNoise(1)).table
    exact = true_calibration(scores, edges=np.append(released.lower, 1.0))
    np.testing.assert_array_equal(exact.lower, released.lower)
    np.testing.assert_array_equal(exact.n, released.n)
    np.testing.assert_allclose(exact.observed, released.observed)
    np.testing.assert_allclose(exact.expected, released.expected, atol=1e-6)


@pytest.mark.parametrize("edges", ["quantile", "fixed"])
@pytest.mark.parametrize("score", [[], [0.0], [1.0] * 20, [0.0, 1.0] * 10, [0.5] * 20])
def test_hardly_any_records(score: list[float], edges: str) -> None:
    label = np.arange(len(score)) % 2
    found = true_calibration(label, np.array(score), edges=edges)
    values = [found.statistic, found.trend_statistic, found.p_value, found.calibration_error]
    assert np.isfinite(values).all()
    assert np.isfinite([*found.observed, *found.expected]).all()
    assert found.n.sum() == len(score)


def test_a_certain_score_that_fails_is_rejected() -> None:
    assert true_calibration([1] * 50, [0.0] * 50).p_value < 1e-9


def test_arguments_are_checked() -> None:
    with pytest.raises(InvalidArgument, match="edges must be 'quantile', 'fixed' or an array"):
        true_calibration([0, 1], [0.1, 0.9], edges="narrow")
    with pytest.raises(InvalidArgument, match="groups"):
        true_calibration([0, 1], [0.1, 0.9], groups=2)
    with pytest.raises(InvalidArgument, match="left out beside a ScoreHistogram"):
        true_calibration(ScoreHistogram.empty(), [0.5])
