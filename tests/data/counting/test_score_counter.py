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


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.float64, object, str])
def test_a_row_is_of_the_group_that_its_cell_means_however_it_is_stored(kind: type) -> None:
    """And all rows are counted by adding up their groups."""
    rng = np.random.default_rng(6)
    site, scores = rng.integers(0, 6, 500), rng.uniform(-0.1, 1.1, 500)
    labels = np.where(rng.random(500) < 0.1, np.nan, rng.integers(0, 2, 500))
    rows = {"y": labels, "p": scores, "site": site.astype(kind)}
    counter = ScoreCounter(label="y", score="p", group="site", levels=("4", "0", "1"))
    parts = np.split(counter([rows]), 5)
    whole, *by_group = parts
    np.testing.assert_array_equal(whole, ScoreCounter(label="y", score="p")([rows]))
    for level, found in zip((4, 0, 1), by_group, strict=False):
        some = {name: cells[site == level] for name, cells in rows.items()}
        np.testing.assert_array_equal(found, ScoreCounter(label="y", score="p")([some]))
    np.testing.assert_array_equal(sum(by_group), whole)


def test_rows_count_in_every_class_or_in_none() -> None:
    rows = {
        "y": np.array(["a", "b", "c", "else", None, "a"], dtype=object),
        "u": np.array([0.9, 0.1, 0.2, 0.3, 0.5, 0.4]),
        "v": np.array([0.1, 0.8, 0.2, 0.3, 0.5, 7.0]),
    }
    counter = ScoreCounter(
        label="y", score="u", positive="a", classes=("a", "b"), class_scores=("u", "v")
    )
    assert counter.columns == ("y", "u", "v")
    found = counter.named(ScoreHistogram.all_from_vector(counter([rows])))
    sizes = {name: (one.n_positive, one.n_negative, one.left_out)
             for name, one in found["classes"].items()}  # fmt: skip
    assert sizes == {"a": (1, 3, 2), "b": (1, 3, 2)}
    assert (found["scores"].n_positive, found["scores"].n_negative) == (2, 3)


def test_rows_count_for_both_models_or_for_neither() -> None:
    rows = {
        "y": np.array([1, 0, 1, 0, 1]),
        "u": np.array([0.9, 0.1, np.nan, 0.3, 0.5]),
        "v": np.array([0.1, 0.8, 0.2, 7.0, 0.5]),
    }
    counter = ScoreCounter(label="y", score="u", score_b="v")
    found = counter.named(ScoreHistogram.all_from_vector(counter([rows])))
    assert [(one.n_positive, one.n_negative, one.left_out) for one in found["models"]] == [
        (2, 1, 2), (2, 1, 2),
    ]  # fmt: skip
