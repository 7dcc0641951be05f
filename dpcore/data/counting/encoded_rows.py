"""Batches of a table as encoded rows with their classes, by a public schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore._typing import IntArray
from dpcore.data.counting.back_end import Columns
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.schema import Numeric, Schema, encode
from dpcore.schema.cells import as_array, level_codes

__all__ = ["batch_of", "column_names", "encoded", "number_names"]


def column_names(schema: Schema) -> tuple[str, ...]:
    """Names of the features and the label, which counters of a schema read."""
    return (*(column.name for column in schema.features), schema.label.name)


def number_names(schema: Schema) -> tuple[str, ...]:
    """Names of the features that are numbers; the cells of all others stay as they are written."""
    return tuple(column.name for column in schema.features if isinstance(column, Numeric))


def batch_of(frame: Any, schema: Schema) -> Columns:
    """The columns of a pandas data frame as one batch."""
    return {name: as_array(frame[name]) for name in column_names(schema)}


def encoded(batches: Iterable[Columns], schema: Schema) -> Iterator[tuple[BoundedRows, IntArray]]:
    """Encode every batch; records whose label is none of the declared classes are left out.

    Yields
    ------
    (BoundedRows, int array of shape (n,))
        Rows, and the place of each one's class among `schema.label.classes`.
    """
    label = schema.label
    for batch in batches:
        codes = level_codes(batch[label.name], label.classes)
        kept = np.flatnonzero(codes >= 0)
        columns = {column.name: _column(batch[column.name][kept]) for column in schema.features}
        frame = pd.DataFrame(columns, index=range(kept.size))
        design = encode(frame, schema)
        yield BoundedRows.of(design.matrix, design.space), codes[kept]


def _column(cells: NDArray[Any]) -> pd.Series:
    # Left to itself, pandas looks for texts among objects, and stumbles over odd ones.
    return pd.Series(cells, dtype=object if cells.dtype == object else None)
