"""Numeric features cut into bins: where edges lie, what the blocks are, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from dpcore.errors import InvalidArgument
from dpcore.schema import Block, Design, Feature, FeatureSpace
from dpcore.schema.bins import bin_numeric, bins_of_equal_width
from tests.models._records import SPACE as RECORD_SPACE

MIXED = FeatureSpace(
    (
        Feature("age", "numeric", "body", (0.0, 99.0)),
        Feature("height", "numeric", "body", (0.0, 3.0)),
        Feature("job=a", "indicator", "job"),
    ),
    (Block("body", "numeric", 0, 2, 2), Block("job", "one-hot", 2, 3, 1)),
)

ROWS = np.array([[29.9, 1.5, 1.0], [30.0, 1.8, 0.0], [np.nan, 1.7, 1.0], [88.0, 2.0, 0.0]])


@pytest.mark.parametrize("matrix", [ROWS, csr_array(ROWS)])
def test_bins_are_closed_below(matrix: np.ndarray) -> None:
    rows, space = bin_numeric(matrix, MIXED, {"age": (30, 60)})
    assert space.names == ("age:(-inf, 30)", "age:[30, 60)", "age:[60, inf)", "height", "job=a")
    expected = [[1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1]]
    np.testing.assert_array_equal(rows.toarray()[:, :3], expected)
    np.testing.assert_array_equal(rows.toarray()[:, 3:], ROWS[:, 1:])
    assert [block.kind for block in space.blocks] == ["one-hot", "numeric", "one-hot"]


def test_every_binned_feature_adds_one_to_the_row_bound() -> None:
    rows = np.zeros((2, len(RECORD_SPACE.features)))
    _, space = bin_numeric(rows, RECORD_SPACE, {"age": (0.0, 1.0)})
    assert space.max_indicators == RECORD_SPACE.max_indicators + 1
    assert bin_numeric(rows, RECORD_SPACE, {})[1] == RECORD_SPACE


def test_marks_of_the_space_stay() -> None:
    marked = FeatureSpace(MIXED.features, MIXED.blocks, frozenset({"age.bounds"}))
    assert bin_numeric(ROWS, marked, {"age": (1,)})[1].taken_from_data == {"age.bounds"}


@pytest.mark.parametrize(
    "edges", [{"job=a": (1,)}, {"age": ()}, {"age": (2, 1)}, {"age": (1, np.inf)}, {"nobody": (1,)}]
)
def test_bad_edges(edges: dict[str, tuple[float, ...]]) -> None:
    with pytest.raises(InvalidArgument, match="^edges"):
        bin_numeric(ROWS, MIXED, edges)


def test_another_width() -> None:
    with pytest.raises(InvalidArgument, match="^X must be a matrix of 3 columns"):
        bin_numeric(ROWS[:, :2], MIXED, {})


def test_bins_of_equal_width_keep_levels_and_lose_no_number() -> None:
    space = FeatureSpace(
        (
            Feature("age", "numeric", "age", (0.0, 80.0)),
            Feature("smokes", "indicator", "smokes"),
        )
    )
    rows = np.array([[-5.0, 1.0], [20.0, 0.0], [79.0, 1.0], [500.0, 0.0]])
    cut = bins_of_equal_width(Design(rows, space, np.array([0, 1, 0, 1])), 4)
    assert [feature.kind for feature in cut.space.features] == ["indicator"] * 5
    assert cut.space.max_indicators == 2
    bins = cut.matrix.toarray()[:, :4]
    assert bins.argmax(axis=1).tolist() == [0, 1, 3, 3]
    assert (bins.sum(axis=1) == 1).all()
    assert cut.matrix.toarray()[:, 4].tolist() == [1, 0, 1, 0]
    assert cut.y.tolist() == [0, 1, 0, 1]


def test_one_bin_is_none() -> None:
    space = FeatureSpace((Feature("age", "numeric", "age", (0.0, 80.0)),))
    with pytest.raises(InvalidArgument, match="^bins must be"):
        bins_of_equal_width(Design(np.zeros((1, 1)), space, np.zeros(1, dtype=np.int64)), 1)
