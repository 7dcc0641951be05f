"""The score histogram: counts, grid, exact curve, sensitivity."""

from __future__ import annotations

import tracemalloc
from itertools import combinations_with_replacement, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.metrics import roc_auc_score, roc_curve

from dpcore.data.counting import ScoreHistogram
from dpcore.errors import InvalidArgument
from dpcore.privacy import Neighbors

records = st.integers(1, 60).flatmap(
    lambda n: st.tuples(
        hnp.arrays(np.int64, n, elements=st.integers(0, 1)),
        hnp.arrays(np.float64, n, elements=st.floats(0, 1)),
    )
)


def flat(histogram: ScoreHistogram) -> np.ndarray:
    return np.concatenate([histogram.positives, histogram.negatives])


@given(records)
def test_every_record_is_counted_once_in_its_class(data: tuple[np.ndarray, np.ndarray]) -> None:
    y, p = data
    histogram = ScoreHistogram.from_arrays(y, p, cells=64)
    assert histogram.n_positive == (y == 1).sum()
    assert histogram.n_negative == (y == 0).sum()


@given(records)
def test_scores_fall_inside_the_edges_of_their_cell(data: tuple[np.ndarray, np.ndarray]) -> None:
    y, p = data
    histogram = ScoreHistogram.from_arrays(y, p, cells=256)
    cell = np.flatnonzero(ScoreHistogram.from_arrays([1], p[:1], cells=256).positives)[0]
    low, high = histogram.edges[cell], histogram.edges[cell + 1]
    assert low - 1e-9 <= p[0] <= high + 1e-9


@given(records, records)
def test_merge_is_counting_together(
    a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray]
) -> None:
    together = ScoreHistogram.from_arrays(
        np.concatenate([a[0], b[0]]), np.concatenate([a[1], b[1]]), cells=32
    )
    merged = ScoreHistogram.from_arrays(*a, cells=32) + ScoreHistogram.from_arrays(*b, cells=32)
    np.testing.assert_array_equal(flat(merged), flat(together))


def test_sensitivity_by_exhaustion() -> None:
    """All data sets of up to three records over four scores and two classes: adding a record moves
    the counts by exactly 1 in L1, replacing one by at most 2, and 2 is reached."""
    scores = [0.0, 0.3, 0.7, 1.0]
    universe = list(product([0, 1], scores))

    def counts(rows: tuple[tuple[int, float], ...]) -> np.ndarray:
        y, p = [r[0] for r in rows], [r[1] for r in rows]
        return flat(ScoreHistogram.from_arrays(y, np.array(p, dtype=float), cells=16))

    replaced = 0
    for size in range(3):
        for rows in combinations_with_replacement(universe, size):
            here = [counts((*rows, record)) for record in universe]
            assert {np.abs(there - counts(rows)).sum() for there in here} == {1}
            replaced = max(replaced, *(np.abs(a - b).sum() for a in here for b in here))
    assert replaced == 2


def test_exact_curve_agrees_with_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    p = rng.beta(0.6, 1.5, 20_000)
    y = (rng.random(20_000) < p).astype(int)
    histogram = ScoreHistogram.from_arrays(y, p)
    assert histogram.auc() == pytest.approx(roc_auc_score(y, p), abs=2e-5)
    fpr, tpr, _ = histogram.roc()
    fpr_exact, tpr_exact, _ = roc_curve(y, p)
    at = np.linspace(0, 1, 501)
    gap = np.interp(at, fpr, tpr) - np.interp(at, fpr_exact, tpr_exact)
    assert np.abs(gap).max() < 2e-3
    assert np.trapezoid(tpr, fpr) == pytest.approx(histogram.auc(), abs=1e-12)


def test_curve_shape_and_thresholds() -> None:
    fpr, tpr, thresholds = ScoreHistogram.from_arrays([0, 1, 1], [0.2, 0.2, 0.8]).roc()
    np.testing.assert_allclose(fpr, [0, 0, 1])
    np.testing.assert_allclose(tpr, [0, 0.5, 1])
    assert thresholds[0] == np.inf
    np.testing.assert_allclose(thresholds[1:], [0.8, 0.2], atol=1e-4)


@pytest.mark.parametrize("labels", [[0, 0], [1, 1]])
def test_an_empty_class_gives_the_chance_diagonal(labels: list[int]) -> None:
    histogram = ScoreHistogram.from_arrays(labels, [0.1, 0.9])
    fpr, tpr, _ = histogram.roc()
    np.testing.assert_array_equal(fpr, tpr)
    assert histogram.auc() == 0.5


def test_no_records_at_all() -> None:
    for histogram in (ScoreHistogram.empty(), ScoreHistogram.from_arrays([], [])):
        fpr, tpr, thresholds = histogram.roc()
        np.testing.assert_array_equal(fpr, [0, 1])
        np.testing.assert_array_equal(tpr, [0, 1])
        assert thresholds[0] == np.inf


def test_atoms_at_the_ends() -> None:
    histogram = ScoreHistogram.from_arrays([0, 1, 1], [0.0, 1.0, 1.0])
    assert (histogram.negatives[0], histogram.positives[-1]) == (1, 2)
    assert histogram.auc() == 1.0


def test_positive_label_can_be_any_value() -> None:
    assert ScoreHistogram.from_arrays(["a", "b"], [0.1, 0.9], pos_label="b").auc() == 1.0


@pytest.mark.few(20)
@pytest.mark.parametrize("odd", ["x", None, 0.5, 7, False])
@pytest.mark.parametrize("labels", [[0, 1, 1], [0.0, 1.0, 1.0], [False, True, True], list("011")])
@pytest.mark.parametrize("pos_label", [1, 1.0, True, "1"])
def test_no_label_changes_the_class_of_another(
    labels: list[object], odd: object, pos_label: object
) -> None:
    for y in (labels, [*labels, odd], np.array([*labels, odd], dtype=object)):
        histogram = ScoreHistogram.from_arrays(y, [0.5] * len(y), pos_label=pos_label)
        assert histogram.n_positive == 2


LABELS_OF_TEXT = {
    "list": ["no", "yes"],
    "objects": np.array(["no", "yes"], dtype=object),
    "frame": pd.Series(["no", "yes"]),
    "strings": pd.Series(["no", "yes"], dtype="string"),
    "categories": pd.Series(["no", "yes"], dtype="category"),
}


@pytest.mark.parametrize("form", LABELS_OF_TEXT)
def test_no_type_of_labels_decides_whether_there_are_counts(form: str) -> None:
    labels = LABELS_OF_TEXT[form]
    assert ScoreHistogram.from_arrays(labels, [0.1, 0.9]).n_negative == 2
    assert ScoreHistogram.from_arrays(labels, [0.1, 0.9], pos_label="yes").auc() == 1.0


def test_a_text_is_the_positive_one_of_no_numbers() -> None:
    assert ScoreHistogram.from_arrays([0, 1], [0.5, 0.5], pos_label="yes").n_negative == 2


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "boolean", "int8", "bool", "category"])
def test_a_column_of_numbers_needs_none(dtype: str) -> None:
    labels = pd.Series([0, 1, 1]).astype(dtype)
    assert ScoreHistogram.from_arrays(labels, [0.1, 0.8, 0.9]).n_positive == 2


@pytest.mark.parametrize("bad", [-0.1, 1.5, np.nan, np.inf, None, "high"])
def test_a_record_without_a_usable_score_is_left_out(bad: object) -> None:
    found = ScoreHistogram.from_arrays([0, 1, 0], [0.5, bad, 0.5])
    assert (found.n_negative, found.n_positive, found.left_out) == (2, 0, 1)
    assert found.as_counted(Neighbors.REPLACE).negatives[0] == 1


@pytest.mark.parametrize("labels", [[1.0, np.nan, 0.0], pd.Series([1, None, 0], dtype="Int64")])
def test_a_record_without_a_label_is_left_out(labels: object) -> None:
    found = ScoreHistogram.from_arrays(labels, [0.5, 0.5, 0.5])
    assert (found.n_negative, found.n_positive, found.left_out) == (1, 1, 1)


def test_lengths_must_agree() -> None:
    with pytest.raises(InvalidArgument, match="y_score"):
        ScoreHistogram.from_arrays([0, 1], [0.5])


def test_other_grids_do_not_merge() -> None:
    with pytest.raises(InvalidArgument, match="same grid"):
        ScoreHistogram.empty(cells=4).merge(ScoreHistogram.empty(cells=8))


def test_counts_are_checked_and_frozen() -> None:
    good = ScoreHistogram.empty(cells=4)
    with pytest.raises(InvalidArgument, match="positives"):
        ScoreHistogram(np.zeros(3, dtype=np.int64), good.negatives, good.edges)
    with pytest.raises(InvalidArgument, match="negatives"):
        ScoreHistogram(good.positives, np.array([0, -1, 0, 0]), good.edges)
    with pytest.raises(ValueError, match="read-only"):
        good.positives[0] = 1


@pytest.mark.parametrize("filled", [0, 1, 7, 8, 9, 64])
def test_few_cells_and_many_are_kept_alike(filled: int) -> None:
    counts = np.zeros(64, dtype=np.int64)
    counts[np.random.default_rng(filled).permutation(64)[:filled]] = 300
    scores = ScoreHistogram(counts, counts[::-1].copy(), np.linspace(0, 1, 65))
    np.testing.assert_array_equal(scores.positives, counts)
    np.testing.assert_array_equal(scores.positives_below, np.append(0, np.cumsum(counts)))
    np.testing.assert_array_equal(scores.negatives_below, np.append(0, np.cumsum(counts[::-1])))
    assert (scores.n_positive, scores.positives.dtype) == (300 * filled, np.int64)
    assert not scores.positives_below.flags.writeable


def test_a_histogram_of_a_small_file_takes_little_room() -> None:
    y, score = np.arange(700) % 3 == 0, np.linspace(0.05, 0.95, 700)
    ScoreHistogram.from_arrays(y, score)
    tracemalloc.start()
    try:
        kept = [ScoreHistogram.from_arrays(y, score) for _ in range(5)]
        for one in kept:
            assert one.positives_below[-1] == one.n_positive
        assert tracemalloc.get_traced_memory()[0] < 5 * 16_000
    finally:
        tracemalloc.stop()


def test_centers_lie_between_edges() -> None:
    histogram = ScoreHistogram.empty(cells=100)
    assert (histogram.centers > histogram.edges[:-1]).all()
    assert (histogram.centers < histogram.edges[1:]).all()
