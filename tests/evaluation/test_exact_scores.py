"""What is called true, against scikit-learn."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score, roc_curve

from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import ExactScores, true_calibration

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
    begin = perf_counter()
    exact = ExactScores(y, p)
    fpr, tpr = exact.curve
    assert fpr.size <= 2**16 + 1
    assert np.trapezoid(tpr, fpr) == pytest.approx(exact.auc, abs=1e-5)
    # Once; sorted scores are kept, so that another epsilon costs hardly anything.
    assert perf_counter() - begin < 10.0


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
