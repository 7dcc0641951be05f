"""Columns refuse what could not be meant."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from dpcore.errors import SchemaError
from dpcore.schema import Binary, Categorical, Ignore, Label, Numeric, Schema, Text, encode
from dpcore.schema.columns import COLUMN_TYPES


def test_the_fill_value_is_the_midpoint_unless_declared() -> None:
    assert Numeric("age", (18, 95)).fill == 56.5
    assert Numeric("age", (18, 95), missing=40).fill == 40.0
    assert Numeric("balance", (-1, 9), missing=0).fill == 0.0


def test_values_become_canonical() -> None:
    assert Numeric("age", [18, 95]).bounds == (18.0, 95.0)  # type: ignore[arg-type]
    assert Binary("b", [0, 1]).levels == ("0", "1")  # type: ignore[arg-type]
    assert Label("y", (False, True), positive=True).positive == "true"  # type: ignore[arg-type]
    assert Categorical("c", (" a ", 2.0)).levels == ("a", "2")  # type: ignore[arg-type]


def test_the_last_class_is_positive_unless_declared() -> None:
    assert Label("y", ("no", "yes")).positive == "yes"
    assert Label("y", ("a", "b", "c"), positive="b").positive_index == 1


def test_a_text_is_as_wide_as_its_vocabulary() -> None:
    assert Text("m", buckets=64).width == 64
    assert Text("m", vocabulary=("free", "win")).width == 2


@pytest.mark.parametrize(
    "make, sentence",
    [
        (lambda: Numeric("", (0, 1)), "^a column has no name; "),
        (lambda: Numeric(0, (0, 1)), "^a column has no name; give every column a text as its name"),
        (lambda: Ignore("  "), "^a column has no name; "),
        (lambda: Numeric("a", (1, 1)), "^column 'a': its bounds are not two finite numbers"),
        (lambda: Numeric("a", (0, 1e-307)), "well apart, the lower first; write .* or subtract"),
        (lambda: Numeric("a", (1e16, 1e16 + 2)), "well apart"),
        (lambda: Numeric("a", (-1e308, 1e308)), "well apart"),
        (lambda: Numeric("a", (2, 1)), "its bounds"),
        (lambda: Numeric("a", (0, float("inf"))), "its bounds"),
        (lambda: Numeric("a", (0, float("nan"))), "its bounds"),
        (lambda: Numeric("a", (0, 1, 2)), "its bounds"),
        (lambda: Numeric("a", ("low", "high")), "its bounds"),
        (lambda: Numeric("a", None), "its bounds"),
        (lambda: Numeric("a", (0, 1), missing=2), "its fill value .* 2, is not within the bounds"),
        (lambda: Numeric("a", (0, 1), missing=float("nan")), "its fill value"),
        (lambda: Numeric("a", (0, 1), missing="x"), "its fill value"),
        (lambda: Numeric("a", (0, 1), missing=False), "its fill value"),
        (lambda: Binary("b", ("x",)), "two levels, not 1"),
        (lambda: Binary("b", ("x", "y", "z")), "two levels, not 3"),
        (lambda: Binary("b", ("1", 1)), "its levels hold '1' more than once"),
        (lambda: Binary("b", ("1", "1.0")), "hold '1' and '1.0', which are the same value; list"),
        (lambda: Label("y", (True, 1)), "hold 'true' and '1', which are the same value"),
        (lambda: Categorical("c", ()), "it has no levels"),
        (lambda: Categorical("c", ("a", " ")), "its levels hold an empty text"),
        (lambda: Categorical("c", "abc"), "its levels must be a list"),
        (lambda: Label("y", ("a",)), "two or more classes, not 1"),
        (lambda: Label("y", ("a", "b"), positive="c"), "positive class 'c' is none of its classes"),
        (lambda: Text("m", buckets=1), "its buckets is 1; choose a whole number from 2 to"),
        (lambda: Text("m", buckets=2.5), "its buckets is 2.5"),
        (lambda: Text("m", buckets=10**9), "its buckets"),
        (lambda: Text("m", max_words=0), "its max_words is 0"),
        (lambda: Text("m", max_words=True), "its max_words is True"),
        (lambda: Text("m", vocabulary=("Free",)), "vocabulary's 'Free' can never occur"),
        (lambda: Text("m", vocabulary=("two words",)), "can never occur"),
        (lambda: Text("m", vocabulary=("x",)), "can never occur"),
    ],
)
def test_a_wrong_column_is_explained(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(SchemaError, match=sentence):
        make()


def test_every_type_has_a_name_of_its_own() -> None:
    assert list(COLUMN_TYPES) == ["numeric", "binary", "categorical", "text", "label", "ignore"]


def test_a_label_of_numbers_is_cut_cell_by_cell() -> None:
    schema = Schema((Label.at_least("quality", 6.5), Numeric("acid", (0, 9))))
    assert Schema.from_toml(schema.to_toml()) == schema
    table = pd.DataFrame({"quality": ["3", "6.5", 9, None, "good"], "acid": 1.0})
    assert encode(table, schema).y.tolist() == [0, 1, 1, -1, -1]
    with pytest.raises(SchemaError, match="does not make its two classes"):
        Label("quality", ("a", "b", "c"), cut=7)
    with pytest.raises(SchemaError, match="does not make its two classes"):
        Label("quality", ("a", "b"), cut=float("nan"))
