"""The feature space is public, tiled by its blocks, and stays so when features are taken."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument, SchemaError
from dpcore.schema import (
    Binary,
    Block,
    Categorical,
    Feature,
    FeatureSpace,
    Label,
    Numeric,
    Schema,
    Text,
)
from dpcore.schema.columns import usable_bounds
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


def test_a_text_stays_one_while_a_word_of_it_is_left() -> None:
    kept = SPACE, SPACE.take(range(7)), SPACE.take([0, 7]), SPACE.take(range(5))
    assert [one.has_words for one in kept] == [True, True, True, False]
    several = [[block.has_several_words for block in one.blocks[3:]] for one in kept]
    assert several == [[True], [True], [], []]
    assert [block.has_several_words for block in SPACE.take([0, 7]).blocks] == [False, False]


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


@pytest.mark.parametrize(
    "bounds",
    [
        (5.0, 1.0),
        (2.0, 2.0),
        (-np.inf, np.inf),
        (0.0, np.nan),
        (0.0, "x"),
        (0.0,),
        (1e16, 1e16 + 2),
        (-1e308, 1e308),
        (0.0, 1e-305),
    ],
)
def test_bounds_that_cannot_bound_are_refused(bounds: tuple[float, float]) -> None:
    with pytest.raises(SchemaError, match="column 'age': its bounds .* well apart"):
        FeatureSpace((Feature("age", "numeric", "age", bounds),))


@given(st.floats(-1e290, 1e290), st.floats(1e-11, 1e9))
def test_bounds_well_apart_are_usable(low: float, share: float) -> None:
    assert usable_bounds((low, low + max(abs(low), 1.0) * share))
    if abs(low) > 1:
        assert not usable_bounds((low, low + abs(low) * 2.0**-42))


WORDS = tuple(Feature(f"j{i}", "indicator", "j") for i in range(5))
NUMBER = Feature("a", "numeric", "a", (0.0, 1.0))


@pytest.mark.parametrize(
    "block",
    [
        Block("j", "one-hot", 0, 5, 5),
        Block("j", "one-hot", 0, 5, 0),
        Block("j", "bag", 0, 5, 0),
        Block("j", "bag", 0, 5, -1),
        Block("j", "bag", 0, 5, 2.5),  # type: ignore[arg-type]
        Block("j", "bag", 0, 5, float("nan")),  # type: ignore[arg-type]
    ],
)
def test_a_block_says_how_many_ones_a_row_may_have(block: Block) -> None:
    with pytest.raises(InvalidArgument, match="^blocks must be bounded by a whole number"):
        FeatureSpace(WORDS, (block,))


@pytest.mark.parametrize(
    "features, block",
    [
        (WORDS, Block("j", "numeric", 0, 5, 5)),
        (WORDS, Block("j", "words", 0, 5, 5)),  # type: ignore[arg-type]
        ((NUMBER,), Block("a", "one-hot", 0, 1, 1)),
        ((NUMBER,), Block("a", "bag", 0, 1, 1)),
        ((NUMBER, *WORDS), Block("a", "bag", 0, 6, 1)),
        ((Feature("a", "number", "a"),), Block("a", "one-hot", 0, 1, 1)),  # type: ignore[arg-type]
    ],
)
def test_blocks_and_features_are_of_one_kind(features: tuple[Feature, ...], block: Block) -> None:
    with pytest.raises(InvalidArgument, match="^blocks must be of numeric features, or"):
        FeatureSpace(features, (block,))


MARKED = Schema(
    (Numeric("age", (18, 95)), Categorical("job", ("a", "b")), Label("y", ("no", "yes"))),
    taken_from_data=frozenset({"age.bounds", "job.levels", "y.classes"}),
)


def test_marks_are_carried_from_the_schema() -> None:
    space = FeatureSpace.of(MARKED)
    assert space.taken_from_data == MARKED.taken_from_data
    assert SPACE.taken_from_data == frozenset()
    assert FeatureSpace((NUMBER,)).taken_from_data == frozenset()
    assert FeatureSpace.of(Schema(MARKED.columns)) != space


def test_marks_stay_with_the_features_that_are_taken() -> None:
    space = FeatureSpace.of(MARKED)
    assert space.take([0]).taken_from_data == {"age.bounds", "y.classes"}
    assert space.take([2]).taken_from_data == {"job.levels", "y.classes"}
    assert space.take([0, 1, 2]) == space
