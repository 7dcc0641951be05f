"""Files of rows, cut into parts that are read one by one, wherever there is a processor."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from dpcore.aggregates.back_end import Columns, Part
from dpcore.aggregates.text_lines import text_parts
from dpcore.errors import IntakeError
from dpcore.schema.arrow_cells import arrow_cells

__all__ = ["RowGroup", "file_parts"]

SUFFIXES = {".parquet": "", ".pq": "", ".csv": ",", ".tsv": "\t"}
# Rows of a batch: all of a row group as pyarrow writes it, for every batch costs some of its own.
_ROWS = 2**20


def file_parts(
    paths: Sequence[Path],
    columns: Sequence[str],
    *,
    delimiter: str | None = None,
    numbers: Collection[str] = (),
) -> list[Part]:
    """Cut files into parts: Parquet into its row groups, delimited text into runs of lines.

    Parameters
    ----------
    paths : sequence of Path
        Files that end in .parquet, .pq, .csv or .tsv.
    columns : sequence of str
        Names that every file must have.
    delimiter : str, optional
        Of texts; a comma or a tab, by the ending, if left out.
    numbers : collection of str
        Columns of texts that may be handed over as floats where that is what their cells mean; all
        others are texts as they stand in the file.

    Returns
    -------
    list of Part

    Raises
    ------
    IntakeError
        If a file cannot be read, is of another kind, or lacks a column.
    """
    parts: list[Part] = []
    for path in paths:
        if path.suffix.lower() not in SUFFIXES:
            raise IntakeError(
                f"the file {path.name} is neither Parquet nor delimited text",
                remedy=f"give files that end in {', '.join(SUFFIXES)}",
            )
        mark = SUFFIXES[path.suffix.lower()]
        try:
            found = (
                text_parts(path, delimiter or mark, columns, numbers=numbers)
                if mark
                else _groups(path, columns)
            )
        except OSError as error:
            raise _unreadable(path, error) from error
        parts += found
    return parts


@dataclass(frozen=True)
class RowGroup:
    """One row group of a Parquet file.

    Parameters
    ----------
    path : Path
    group : int
        Which one.
    weight : int
        Its bytes.
    """

    path: Path
    group: int
    weight: int

    def batches(self, columns: Sequence[str]) -> Iterator[Columns]:
        """Read the named columns, some rows at a time."""
        try:
            # Fetching ahead serves remote files, and costs local ones a tenth of their reading.
            with pq.ParquetFile(self.path, metadata=_footer(self.path), pre_buffer=False) as file:
                for batch in file.iter_batches(
                    _ROWS, row_groups=[self.group], columns=list(columns), use_threads=False
                ):
                    yield {name: arrow_cells(batch.column(name)) for name in columns}
        except (pa.ArrowException, OSError) as error:
            raise _unreadable(self.path, error) from error


def _footer(path: Path) -> pq.FileMetaData:
    """What a file says of all its row groups, read once rather than for each of them."""
    about = path.stat()
    return _footer_of(path, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=64)
def _footer_of(path: Path, modified: int, size: int) -> pq.FileMetaData:
    return pq.read_metadata(path)


def _groups(path: Path, columns: Sequence[str]) -> list[Part]:
    try:
        metadata = _footer(path)
        present = metadata.schema.to_arrow_schema()
    except pa.ArrowException as error:
        raise _unreadable(path, error) from error
    for name in columns:
        if len(present.get_all_field_indices(name)) != 1:
            raise IntakeError(
                f"the file {path.name} has no column of this name, or several",
                column=name,
                remedy=f"choose among {', '.join(map(repr, present.names[:10]))}",
            )
        if pa.types.is_nested(present.field(name).type):
            raise IntakeError(
                f"the file {path.name} holds several values in a cell",
                column=name,
                remedy="choose a column of numbers or texts",
            )
    numbers = range(metadata.num_row_groups)
    return [RowGroup(path, place, metadata.row_group(place).total_byte_size) for place in numbers]


def _unreadable(path: Path, error: Exception) -> IntakeError:
    number = getattr(error, "errno", None)
    reason = os.strerror(number).lower() if number else "it is damaged"
    return IntakeError(
        f"the file {path.name} cannot be read ({reason})", remedy="check the file and its path"
    )
