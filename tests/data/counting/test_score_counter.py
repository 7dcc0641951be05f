"""The counter: each row by itself, nothing fails."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Neighbors, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.data.counting.score_counter import ScoreCounter
from dpcore.errors import InvalidArgument
from dpcore.evaluation import ecdf_of_scores, private_ecdf

LABELS = st.sampled_from([0, 1, "1", "no", None, True, 0.5, "", "NA", float("nan")])
SCORES = st.sampled_from([0.0, 0.2, 1.0, -1.0, 7.0, float("nan"), None, "0.4", "high", "inf", True])
ROWS = st.lists(st.tuples(LABELS, SCORES), min_size=1, max_size=12)


def columns(rows: list[tuple[object, object]]) -> dict[str, np.ndarray]:
    labels, scores = np.empty(len(rows), object), np.empty(len(rows), object)
    labels[:], scores[:] = [row[0] for row in rows], [row[1] for row in rows]
    return {"y": labels, "p": scores}


@given(ROWS, ROWS, st.sampled_from([None, 0]), st.sampled_from(["probability", "log-odds"]))
def test_counting_apart_is_counting_together(first, second, negative, scale) -> None:
    counter = ScoreCounter(label="y", score="p", negative=negative, scale=scale)
    together = counter([columns(first + second)])
    np.testing.assert_array_equal(counter([columns(first)]) + counter([columns(second)]), together)
    np.testing.assert_array_equal(counter([columns(first), columns(second)]), together)
    assert together.sum() == len(first) + len(second)


@given(ROWS, st.tuples(LABELS, SCORES))
def test_one_more_row_moves_one_count_by_one(rows, row) -> None:
    counter = ScoreCounter(label="y", score="p")
    change = counter([columns([*rows, row])]) - counter([columns(rows)])
    assert np.abs(change).sum() == 1


def test_how_a_column_is_stored_does_not_matter() -> None:
    counter = ScoreCounter(label="y", score="p")
    scores = np.array([0.25, 0.5, 0.75], dtype=np.float32)
    kinds = [np.int8, np.float64, object, str]
    counts = [counter([{"y": np.array([0, 1, 1]).astype(kind), "p": scores}]) for kind in kinds]
    for other in counts[1:]:
        np.testing.assert_array_equal(counts[0], other)
    exact = ScoreHistogram.from_arrays([0, 1, 1], scores)
    np.testing.assert_array_equal(ScoreHistogram.from_vector(counts[0]).positives, exact.positives)


@pytest.mark.parametrize("row", [(1, np.nan), (1, 2.0), (np.nan, 0.5)])
def test_a_row_that_is_left_out_is_still_one_record_under_replace(row) -> None:
    """The number of records is public there, and evaluators release it as it is."""
    counter, rows = ScoreCounter(label="y", score="p"), [(0, 0.25), (1, 0.75)]
    before = ScoreHistogram.from_vector(counter([columns([*rows, (1, 0.5)])]))
    after = ScoreHistogram.from_vector(counter([columns([*rows, row])]))
    for scores in (after, ScoreHistogram.empty() + after):
        counted = scores.as_counted(Neighbors.REPLACE)
        assert counted.n_positive + counted.n_negative == 3
        assert ecdf_of_scores(scores).as_counted(Neighbors.REPLACE).sum() == 3
        assert scores.as_counted(Neighbors.ADD_REMOVE) is scores
    released = [
        private_ecdf(ecdf_of_scores(scores), epsilon=1, neighbors="replace", noise=SeededNoise(0))
        for scores in (before, after)
    ]
    assert [one.total for one in released] == [3, 3]


def test_log_odds_become_probabilities() -> None:
    counter = ScoreCounter(label="y", score="p", scale="log-odds")
    found = ScoreHistogram.from_vector(counter([{"y": np.ones(2), "p": np.array([-3.0, 3.0])}]))
    at = found.centers[np.flatnonzero(found.positives)]
    np.testing.assert_allclose(at, 1 / (1 + np.exp([3.0, -3.0])), rtol=1e-3)


def test_another_scale_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="scale"):
        ScoreCounter(label="y", score="p", scale="probit")
