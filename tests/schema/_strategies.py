"""Random schemas, and tables of any content for them."""

from __future__ import annotations

from typing import Any

import pandas as pd
from hypothesis import strategies as st

from dpcore.schema import Binary, Categorical, Column, Ignore, Label, Numeric, Schema, Text
from dpcore.schema.columns import usable_bounds

WORDS = st.text("abcdefgh \"'é,;=<>\n", min_size=1, max_size=8).map(str.strip).filter(bool)
FINITE = st.floats(-1e9, 1e9, allow_nan=False)


@st.composite
def numeric_columns(draw: st.DrawFn, name: str) -> Numeric:
    low = draw(FINITE)
    # Whatever the floats are that a search comes upon: closer ones are no bounds of a space.
    apart = FINITE.filter(lambda bound: usable_bounds((low, bound)))
    high = draw(apart if low < 1e8 else st.just(2e9))
    return Numeric(name, (low, high), missing=draw(st.none() | st.floats(low, high)))


def columns(name: str) -> st.SearchStrategy[Column]:
    """Any column but a label."""
    levels = st.lists(WORDS, min_size=1, max_size=5, unique=True)
    return st.one_of(
        numeric_columns(name),
        st.lists(WORDS, min_size=2, max_size=2, unique=True).map(
            lambda pair: Binary(name, (pair[0], pair[1]))
        ),
        levels.map(lambda values: Categorical(name, tuple(values))),
        st.builds(Text, st.just(name), st.integers(2, 50), max_words=st.integers(1, 5)),
        st.builds(Ignore, st.just(name)),
    )


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    names = draw(st.lists(WORDS, min_size=1, max_size=5, unique=True))
    made = [draw(columns(name)) for name in names]
    if draw(st.booleans()):
        classes = draw(st.lists(WORDS, min_size=2, max_size=4, unique=True))
        label = draw(st.just("label") | WORDS)
        if label not in names:
            made.append(Label(label, tuple(classes), positive=draw(st.sampled_from(classes))))
    return Schema(tuple(made), title=draw(st.text(max_size=10)))


def cells(column: Column) -> st.SearchStrategy[Any]:
    """Any cell at all, and often a sensible one; labels are always sensible."""
    if isinstance(column, Label):
        return st.sampled_from(column.classes)
    anything = st.none() | WORDS | FINITE | st.booleans() | st.just(float("inf"))
    if isinstance(column, Binary | Categorical):
        return st.sampled_from(column.levels) | anything
    return FINITE | anything


@st.composite
def tables(draw: st.DrawFn, schema: Schema, max_rows: int = 6) -> pd.DataFrame:
    rows = draw(st.integers(0, max_rows))
    return pd.DataFrame(
        {
            column.name: pd.Series([draw(cells(column)) for _ in range(rows)], dtype=object)
            for column in schema.columns
        }
    )
