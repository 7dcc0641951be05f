"""Batches of a table as encoded rows with their classes, and what is added up over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore._typing import IntArray
from dpcore.data.counting.back_end import Columns, Progress, count_collection, count_here
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.data.counting.files import file_parts
from dpcore.schema import Numeric, Schema, encode
from dpcore.schema.cells import as_array
from dpcore.schema.schema import label_codes


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
        codes = label_codes(batch[label.name], label)
        kept = np.flatnonzero(codes >= 0)
        columns = {column.name: _column(batch[column.name][kept]) for column in schema.features}
        frame = pd.DataFrame(columns, index=range(kept.size))
        design = encode(frame, schema)
        yield BoundedRows.of(design.matrix, design.space), codes[kept]


def _column(cells: NDArray[Any]) -> pd.Series:
    # Left to itself, pandas looks for texts among objects, and stumbles over odd ones.
    return pd.Series(cells, dtype=object if cells.dtype == object else None)


@dataclass(frozen=True)
class RowCounter:
    """Adds something up over encoded rows, as one vector of whole numbers."""

    schema: Schema

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that it reads."""
        return column_names(self.schema)

    def __call__(self, batches: Iterable[Columns]) -> IntArray:
        """The vector of all batches."""
        raise NotImplementedError


class RowAggregate:
    """What a `RowCounter` adds up, of a table of any size; `public` is what its counter needs."""

    @classmethod
    def _counter(cls, schema: Schema, **public: Any) -> RowCounter:
        raise NotImplementedError

    @classmethod
    def _of(cls, counts: IntArray, counter: RowCounter) -> Self:
        raise NotImplementedError

    @classmethod
    def from_frame(cls, frame: Any, schema: Schema, **public: Any) -> Self:
        """Count the rows of a pandas data frame."""
        counter = cls._counter(schema, **public)
        return cls._of(counter([batch_of(frame, schema)]), counter)

    @classmethod
    def from_files(
        cls,
        paths: Sequence[Path],
        schema: Schema,
        *,
        workers: int | None = None,
        progress: Progress | None = None,
        **public: Any,
    ) -> Self:
        """Count the rows of files; see `ScoreHistogram.from_files`."""
        counter = cls._counter(schema, **public)
        parts = file_parts(paths, counter.columns, numbers=number_names(schema))
        return cls._of(count_here(parts, counter, workers=workers, progress=progress), counter)

    @classmethod
    def from_dask(
        cls, collection: Any, schema: Schema, *, scheduler: str | None = None, **public: Any
    ) -> Self:
        """Count the rows of a Dask data frame; see `ScoreHistogram.from_dask`."""
        counter = cls._counter(schema, **public)
        return cls._of(count_collection(collection, counter, scheduler=scheduler), counter)
