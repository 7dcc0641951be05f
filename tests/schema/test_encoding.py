"""Encoding follows the schema alone, row by row."""

from __future__ import annotations

import time
import tracemalloc
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.counting import FeatureCounts
from dpcore.data.reading import suggest_schema
from dpcore.errors import InvalidArgument, SchemaError
from dpcore.schema import Binary, Categorical, Ignore, Label, Numeric, Schema, Text, encode
from dpcore.schema.encoding import Matrix, word_sets
from tests._real_data import real_data
from tests.schema._strategies import schemas, tables

MESSAGES = st.lists(st.none() | st.text("ab cd\n.,ÄÖ1", max_size=60), max_size=8).map(
    lambda texts: pd.Series(texts, dtype="str")
)


def test_words_are_matched_whole_and_in_any_case() -> None:
    column = Text("m", vocabulary=("free", "win"))
    cells = pd.Series(["WIN, win, win!", "freedom", "a free win", None, ""])
    assert word_sets(cells, column).toarray().tolist() == [[0, 1], [0, 0], [1, 1], [0, 0], [0, 0]]


def test_the_first_words_of_the_vocabulary_are_kept() -> None:
    column = Text("m", vocabulary=("zebra", "apple", "mango"), max_words=2)
    marked = word_sets(pd.Series(["apple mango zebra", "mango apple", "mango"]), column)
    assert marked.toarray().tolist() == [[1, 1, 0], [0, 1, 1], [0, 0, 1]]


def test_hashing_is_public_and_stable() -> None:
    # These buckets must never change: a model trained last year counts on them.
    marked = word_sets(pd.Series(["free phone call"]), Text("m", buckets=4096))
    assert marked.indices.tolist() == [1134, 1682, 3484]


def test_numbers_share_a_bucket_by_their_length() -> None:
    column = Text("m", buckets=4096)
    call, other, short = word_sets(
        pd.Series(["08712460324", "09061701461", "87121"]), column
    ).indices.tolist()
    assert call == other != short


def test_words_of_a_vocabulary_keep_their_digits() -> None:
    column = Text("m", vocabulary=("150p", "250p"))
    cells = pd.Series(["now 150p", "now 250P"])
    assert word_sets(cells, column).toarray().tolist() == [[1, 0], [0, 1]]


@given(MESSAGES, st.integers(1, 4))
def test_rows_are_bounded_and_binary(cells: pd.Series, max_words: int) -> None:
    marked = word_sets(cells, Text("m", buckets=16, max_words=max_words))
    assert marked.shape == (len(cells), 16)
    assert (np.diff(marked.indptr) <= max_words).all()
    assert set(marked.data) <= {1.0}
    assert marked.has_canonical_format


@given(MESSAGES)
def test_every_row_stands_for_itself(cells: pd.Series) -> None:
    column = Text("m", buckets=16, max_words=2)
    together = word_sets(cells, column).toarray()
    for row in range(len(cells)):
        alone = word_sets(cells.iloc[[row]], column).toarray()[0]
        np.testing.assert_array_equal(together[row], alone)


SCHEMA = Schema(
    (
        Numeric("age", (18, 90), missing=40),
        Binary("default", ("no", "yes")),
        Categorical("job", ("admin", "nurse")),
        Label("y", ("no", "yes")),
        Ignore("id"),
    )
)

TABLE = pd.DataFrame(
    {
        "age": [30.0, np.nan, 200.0, -np.inf],
        "default": ["yes", "no", None, "perhaps"],
        "job": ["nurse", "spy", None, "admin"],
        "y": ["no", "yes", "yes", "no"],
        "id": [1, 2, 3, 4],
    }
)


def array(matrix: Matrix) -> np.ndarray:
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()


def test_values_are_clipped_filled_or_left_out() -> None:
    design = encode(TABLE, SCHEMA)
    assert design.space.names == ("age", "default=yes", "job=admin", "job=nurse")
    assert array(design.matrix).tolist() == [
        [30, 1, 0, 1],
        [40, 0, 0, 0],
        [90, 0, 0, 0],
        [18, 0, 1, 0],
    ]
    assert design.y is not None
    assert design.y.tolist() == [0, 1, 1, 0]


def test_a_level_is_the_same_in_other_letters_unless_both_are_declared() -> None:
    table = pd.DataFrame(
        {"sex": ["F", "f", "F ", "m", "x", None], "job": ["A", "a", "b", "B", "", "A"]}
    )
    schema = Schema((Binary("sex", ("M", "F")), Categorical("job", ("A", "a", "b"))))
    wanted = [[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0], [0, 1, 0, 0]]
    design = encode(table, schema)
    assert array(design.matrix).tolist() == wanted
    # Each row by itself, in whatever form the matrix is.
    wide = Schema((*schema.columns, Text("note", buckets=4096)))
    for row, alone in enumerate(wanted):
        one = table.iloc[[row]]
        assert array(encode(one, schema).matrix).tolist() == [alone]
        assert array(encode(one.assign(note=""), wide).matrix)[0, :4].tolist() == alone


def test_the_label_column_may_be_absent() -> None:
    assert encode(TABLE.drop(columns="y"), SCHEMA).y is None
    assert encode(TABLE, Schema((Numeric("age", (18, 90)),))).y is None


def test_a_label_outside_the_classes_is_none_of_them_and_no_error() -> None:
    table = TABLE.assign(y=["no", "yes", "later", None])
    assert encode(table, SCHEMA).y.tolist() == [0, 1, -1, -1]  # type: ignore[union-attr]
    with pytest.raises(SchemaError, match="^row 3, column 'y': the label 'later' is no class"):
        SCHEMA.validate(table)


def test_a_missing_column_is_named() -> None:
    with pytest.raises(SchemaError, match="^column 'job': the data lack this column"):
        encode(TABLE.drop(columns="job"), SCHEMA)
    with pytest.raises(InvalidArgument, match="^frame must be a data frame, or a table"):
        encode(np.zeros((2, 2)), SCHEMA)  # type: ignore[arg-type]


def test_a_table_of_arrow_is_a_data_frame_to_a_schema() -> None:
    table = TABLE.assign(y=["no", "yes", "no", "yes"])
    held: Any = pa.Table.from_pandas(table, preserve_index=False)
    SCHEMA.validate(held)
    assert suggest_schema(held, "y") == suggest_schema(table, "y")
    design, same = encode(held, SCHEMA), encode(table, SCHEMA)
    np.testing.assert_array_equal(design.matrix, same.matrix)
    counts = FeatureCounts.from_frame(held, SCHEMA), FeatureCounts.from_frame(table, SCHEMA)
    np.testing.assert_array_equal(counts[0].counts, counts[1].counts)
    for read in (SCHEMA.validate, suggest_schema):
        with pytest.raises(InvalidArgument, match="^frame must be a data frame.* got 'list'"):
            read([1])


def test_features_and_rows_can_be_taken() -> None:
    design = encode(TABLE, SCHEMA)
    taken = design.take([3, 0])
    assert taken.space.names == ("age", "job=nurse")
    assert array(taken.matrix)[:, 1].tolist() == [1, 0, 0, 0]
    some = design.rows(np.array([False, True, True, False]))
    assert some.y is not None
    assert some.y.tolist() == [1, 1]
    assert array(some.matrix)[:, 0].tolist() == [40, 90]
    assert design.take([]).matrix.shape == (4, 0)


@given(st.data())
def test_every_matrix_keeps_the_promises_of_its_space(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    design = encode(data.draw(tables(schema)), schema)
    matrix = array(design.matrix)
    assert matrix.shape[1] == len(design.space.features)
    for index, feature in enumerate(design.space.features):
        low, high = feature.bounds
        assert ((matrix[:, index] >= low) & (matrix[:, index] <= high)).all()
    for block in design.space.blocks:
        if block.kind != "numeric":
            ones = matrix[:, block.start : block.stop]
            assert set(np.unique(ones)) <= {0.0, 1.0}
            assert (ones.sum(axis=1) <= block.max_nonzeros).all()


@given(st.data())
def test_one_record_changes_one_row(data: st.DataObject) -> None:
    # The premise of every sensitivity in the project: rows are encoded by themselves.
    schema = data.draw(schemas())
    table = data.draw(tables(schema))
    together = array(encode(table, schema).matrix)
    for row in range(len(table)):
        others = table.drop(index=row)
        np.testing.assert_array_equal(
            array(encode(others, schema).matrix), np.delete(together, row, 0)
        )


@given(st.data())
def test_sparse_and_dense_agree(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    table = data.draw(tables(schema)).assign(extra_text="two words")
    extended = Schema((*schema.columns, Text("extra_text", 4)))
    width = encode(table, schema).matrix.shape[1]
    np.testing.assert_array_equal(
        array(encode(table, extended).matrix)[:, :width], array(encode(table, schema).matrix)
    )


def test_an_empty_table_has_no_rows() -> None:
    assert encode(TABLE.iloc[:0], SCHEMA).matrix.shape == (0, 4)


def fastest(run: object, times: int = 3) -> float:
    seconds = []
    for _ in range(times):
        start = time.process_time()
        run()  # type: ignore[operator]
        seconds.append(time.process_time() - start)
    return min(seconds)


def test_a_large_table_is_encoded_fast() -> None:
    from dpcore.data.reading import openml_schema, read_dataset

    frame = read_dataset(real_data("bank-full.csv.gz")).frame
    assert fastest(lambda: encode(frame, openml_schema("bank-marketing"))) < 0.3


def test_many_messages_are_encoded_fast() -> None:
    frame = pd.DataFrame(
        {"m": [f"call now {i} to win a free phone number {i * 7}" for i in range(5500)]}
    )
    assert fastest(lambda: encode(frame, Schema((Text("m"),)))) < 0.5


def test_many_levels_take_no_more_room_than_the_columns() -> None:
    """A dense row of all levels would make the number of rows that fit depend on the schema."""
    levels = tuple(f"l{number}" for number in range(5000))
    schema = Schema((Numeric("x", (0, 1)), Categorical("c", levels)))
    table = pd.DataFrame({"x": np.full(3000, 0.5), "c": ["l1", "l4999", "none"] * 1000})
    tracemalloc.start()
    design = encode(table, schema)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10e6  # dense: 120 MB
    assert design.matrix.nnz == 5000
    assert design.matrix[[0], :].toarray()[0, [0, 2]].tolist() == [0.5, 1.0]
    narrow = Schema((Numeric("x", (0, 1)), Categorical("c", levels[:127])))
    assert isinstance(encode(table, narrow).matrix, np.ndarray)
