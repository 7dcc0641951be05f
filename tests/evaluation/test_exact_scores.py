"""What is called true, against scikit-learn."""

from __future__ import annotations

from time import process_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import logit
from sklearn.calibration import calibration_curve
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, roc_auc_score, roc_curve

from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading.prediction_scores import ScoreScale
from dpcore.errors import InvalidArgument
from dpcore.evaluation import ExactScores, private_calibration, true_calibration
from tests.evaluation.calibration._records import scored


def test_cells_are_those_of_scikit_learn_at_one_threshold_and_at_several() -> None:
    label, score = np.array([0, 0, 1, 1, 1]), np.array([0.1, 0.7, 0.4, 0.9, 0.4])
    exact, several = ExactScores.from_arrays(label, score), np.array([0.0, 0.4, 0.41, 1.0])
    for place, at in enumerate(several):
        tn, fp, fn, tp = confusion_matrix(label, score >= at).ravel().tolist()
        assert exact.cells(at).tolist() == [tp, fp, fn, tn]
        assert exact.cells(several)[:, place].tolist() == [tp, fp, fn, tn]


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


# Scores that the public cells cannot tell apart, among others that they can.
CLOSE = st.sampled_from([0.0, 1e-12, 1e-10, 2e-10, 0.3, 0.3 + 1e-9, 0.5, 1.0 - 1e-12, 1.0])

RECORDS = st.lists(st.tuples(st.booleans(), CLOSE), min_size=2, max_size=40)


@given(RECORDS)
def test_area_and_curve_are_scikit_learns(records: list[tuple[bool, float]]) -> None:
    y, p = np.array([one for one, _ in records]), np.array([score for _, score in records])
    exact = ExactScores(y, p)
    fpr, tpr = exact.curve
    assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, 1, 1)
    assert np.trapezoid(tpr, fpr) == pytest.approx(exact.auc)
    if y.all() or not y.any():
        assert exact.auc == 0.5
        assert np.array_equal(fpr, tpr)
        return
    assert exact.auc == pytest.approx(roc_auc_score(y, p))
    theirs = roc_curve(y, p, drop_intermediate=False)
    np.testing.assert_allclose(exact.curve, theirs[:2])


@given(RECORDS, st.lists(CLOSE, min_size=1, max_size=5))
def test_shares_count_every_record_up_to_a_score(
    records: list[tuple[bool, float]], at: list[float]
) -> None:
    y, p = np.array([one for one, _ in records]), np.array([score for _, score in records])
    found = ExactScores(y, p).share_up_to("positives", np.array(at))
    expected = [np.mean(p[y] <= score) if y.any() else 0.0 for score in at]
    np.testing.assert_allclose(found, expected)


def test_numbers_as_written_break_ties_of_the_scores() -> None:
    y, written = np.array([False, True, True, False]), np.array([640.0, 710.0, 640.0, 300.0])
    assert ExactScores(y, np.ones(4)).auc == 0.5
    assert ExactScores(y, np.ones(4), written).auc == roc_auc_score(y, written) == 0.875


def test_labels_and_scores_are_read_as_a_histogram_reads_them() -> None:
    labels = ["yes", "no", None, "yes", "no", "1"]
    scores = [0.9, 0.2, 0.5, np.nan, 1.5, 0.4]
    exact = ExactScores.from_arrays(labels, scores, pos_label="yes")
    counted = ScoreHistogram.from_arrays(labels, scores, pos_label="yes")
    assert (
        (exact.n_positive, exact.n_negative) == (counted.n_positive, counted.n_negative) == (1, 2)
    )
    nobody = ExactScores.from_arrays([], [])
    assert [line.tolist() for line in nobody.curve] == [[0.0, 1.0]] * 2


def test_a_long_curve_is_thinned_and_a_large_upload_takes_seconds() -> None:
    rng = np.random.default_rng(1)
    y = rng.random(10**6) < 0.2
    p = rng.beta(1 + y, 3)
    begin = process_time()
    exact = ExactScores(y, p)
    fpr, tpr = exact.curve
    assert fpr.size <= 2**16 + 1
    assert np.trapezoid(tpr, fpr) == pytest.approx(exact.auc, abs=1e-5)
    # Once; sorted scores are kept, so that another epsilon costs hardly anything.
    assert process_time() - begin < 10.0


def test_calibration_is_exact_within_a_cell() -> None:
    # Ten thousand records of two scores in one public cell: their mean is not its middle.
    p = np.repeat([2e-10, 3e-10], 5_000)
    y = np.arange(10_000) % 5_000 == 0
    exact = true_calibration(ExactScores(y, p), edges=np.linspace(0, 1, 4))
    assert exact.expected[0] == pytest.approx(2.5e-10, rel=1e-9)
    assert exact.n.tolist() == [10_000, 0, 0]
    binned = true_calibration(ScoreHistogram.from_arrays(y, p), edges=np.linspace(0, 1, 4))
    assert binned.expected[0] > 2 * exact.expected[0]
    arrays = true_calibration(y, p, edges=np.linspace(0, 1, 4))
    assert arrays.statistic == exact.statistic
    chosen = true_calibration(ExactScores(y, p), edges="fixed")
    assert chosen.expected[0] == exact.expected[0]
    np.testing.assert_allclose(chosen.upper, np.arange(1, 11) / 10, atol=1e-3)


def test_groups_are_between_the_very_edges_that_are_given() -> None:
    rng = np.random.default_rng(2)
    p = rng.random(3_000)
    y = rng.random(3_000) < p
    edges = np.array([0.0, 0.1, 0.25, 0.7, 1.0])
    found = true_calibration(ExactScores(y, p), edges=edges)
    group = np.digitize(p, edges[1:-1])
    assert found.n.tolist() == np.bincount(group).tolist()
    np.testing.assert_allclose(found.observed, np.bincount(group, y) / found.n)
    np.testing.assert_allclose(found.expected, np.bincount(group, p) / found.n)


@pytest.mark.parametrize("scale", ["percent", "log-odds"])
def test_true_calibration_reads_scores_on_their_scale(scale: str) -> None:
    unit = np.linspace(0.01, 0.99, 500)
    labels = np.arange(500) * 0.618034 % 1 < unit
    written = ScoreScale.of(scale).written(unit)
    told, plain = true_calibration(labels, written, scale=scale), true_calibration(labels, unit)
    assert told.statistic == pytest.approx(plain.statistic)
    np.testing.assert_array_equal(told.n, plain.n)
    with pytest.raises(InvalidArgument, match=f"or scale='{scale}' if they are"):
        true_calibration(labels, written)
    with pytest.raises(InvalidArgument, match="^scale must be one whose numbers are probabilities"):
        true_calibration(labels, written, scale="any", bounds=(-10, 100))
