"""The feature space is public, tiled by its blocks, and stays so when features are taken."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.schema import Binary, Block, Categorical, Feature, FeatureSpace, Numeric, Schema, Text
from tests.schema._strategies import schemas

SPACE = FeatureSpace.of(
    Schema(
        (
            Numeric("age", (18, 95)),
            Binary("default", ("no", "yes")),
            Categorical("job", ("admin", "nurse", "other")),
            Text("message", vocabulary=("free", "win", "call"), max_words=2),
        )
    )
)


def test_layout() -> None:
    assert SPACE.names == (
        "age",
        "default=yes",
        "job=admin",
        "job=nurse",
        "job=other",
        "message:free",
        "message:win",
        "message:call",
    )
    assert SPACE.blocks == (
        Block("age", "numeric", 0, 1, 1),
        Block("default", "one-hot", 1, 2, 1),
        Block("job", "one-hot", 2, 5, 1),
        Block("message", "bag", 5, 8, 2),
    )
    assert SPACE.n_numeric == 1
    assert SPACE.max_indicators == 4
    assert SPACE.features[0] == Feature("age", "numeric", "age", (18.0, 95.0))
    assert SPACE.features[1].bounds == (0.0, 1.0)


def test_a_bag_never_has_more_ones_than_words() -> None:
    schema = Schema((Text("m", vocabulary=("free", "win"), max_words=20),))
    assert FeatureSpace.of(schema).max_indicators == 2


def test_taking_features_shrinks_the_blocks() -> None:
    taken = SPACE.take([0, 3, 4, 7])
    assert taken.names == ("age", "job=nurse", "job=other", "message:call")
    assert taken.blocks == (
        Block("age", "numeric", 0, 1, 1),
        Block("job", "one-hot", 1, 3, 1),
        Block("message", "bag", 3, 4, 1),
    )
    assert taken.max_indicators == 2
    assert SPACE.take([]).names == ()
    assert SPACE.take(np.arange(8)) == SPACE


@pytest.mark.parametrize("indices", [[1, 0], [1, 1], [-1], [8], [0, 9]])
def test_indices_must_increase_and_exist(indices: list[int]) -> None:
    with pytest.raises(InvalidArgument, match="^indices must be strictly increasing .* below 8"):
        SPACE.take(indices)


@given(schemas(), st.data())
def test_taking_twice_is_taking_once(schema: Schema, data: st.DataObject) -> None:
    space = FeatureSpace.of(schema)
    numbers = st.integers(0, max(len(space.features) - 1, 0))
    chosen = sorted(data.draw(st.sets(numbers))) if space.features else []
    once = space.take(chosen)
    again = sorted(data.draw(st.sets(st.integers(0, len(chosen) - 1)))) if chosen else []
    assert once.take(again) == space.take([chosen[index] for index in again])
    assert once.max_indicators <= space.max_indicators


def test_blocks_are_derived_from_the_names() -> None:
    features = (
        Feature("a", "numeric", "a", (0, 9)),
        Feature("b=1", "indicator", "b"),
        Feature("b=2", "indicator", "b"),
    )
    assert FeatureSpace(features).blocks == (
        Block("a", "numeric", 0, 1, 1),
        Block("b", "one-hot", 1, 3, 1),
    )
    assert FeatureSpace(()).blocks == ()


@pytest.mark.parametrize(
    "blocks",
    [
        (Block("a", "bag", 0, 1, 1),),
        (Block("a", "bag", 0, 3, 1),),
        (Block("a", "bag", 1, 2, 1),),
        (Block("a", "bag", 0, 2, 1), Block("b", "bag", 1, 2, 1)),
        (Block("a", "bag", 0, 0, 1), Block("b", "bag", 0, 2, 1)),
    ],
)
def test_blocks_must_tile_the_features(blocks: tuple[Block, ...]) -> None:
    features = (Feature("a", "indicator", "a"), Feature("b", "indicator", "a"))
    with pytest.raises(InvalidArgument, match="^blocks must be a tiling of the features"):
        FeatureSpace(features, blocks)
