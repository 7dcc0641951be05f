"""Batches of a table as encoded rows with their classes, by a public schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pandas as pd

from dpcore._typing import IntArray
from dpcore.aggregates.back_end import Columns
from dpcore.aggregates.bounded_rows import BoundedRows
from dpcore.schema import Numeric, Schema, encode
from dpcore.schema.cells import level_codes

__all__ = ["column_names", "encoded", "number_names"]


def column_names(schema: Schema) -> tuple[str, ...]:
    """Names of the features and the label, which counters of a schema read."""
    return (*(column.name for column in schema.features), schema.label.name)


def number_names(schema: Schema) -> tuple[str, ...]:
    """Names of the features that are numbers; the cells of all others stay as they are written."""
    return tuple(column.name for column in schema.features if isinstance(column, Numeric))


def encoded(batches: Iterable[Columns], schema: Schema) -> Iterator[tuple[BoundedRows, IntArray]]:
    """Encode every batch; records whose label is none of the declared classes are left out.

    Yields
    ------
    (BoundedRows, int array of shape (n,))
        Rows, and the place of each one's class among `schema.label.classes`.
    """
    label = schema.label
    for batch in batches:
        frame = pd.DataFrame(dict(batch))
        frame = frame[level_codes(frame[label.name], label.classes) >= 0]
        design = encode(frame, schema)
        assert design.y is not None
        yield BoundedRows.of(design.matrix, design.space), design.y
