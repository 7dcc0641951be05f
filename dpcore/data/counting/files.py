"""Files of rows, cut into parts that are read one by one, wherever there is a processor."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from dpcore.data.counting.back_end import Columns, Part
from dpcore.data.counting.text_lines import text_parts
from dpcore.data.reading.dialect import Dialect
from dpcore.data.reading.parquet import is_text, pieces, require_plain, rows_at_once
from dpcore.errors import IntakeError
from dpcore.schema.arrow_cells import arrow_cells

PARQUET = (".parquet", ".pq")
SUFFIXES = (*PARQUET, ".csv", ".tsv")
# A batch is all of a row group as pyarrow writes it, for every batch costs some of its own.
_BATCH_BYTES, _MOST_ROWS = 2**26, 2**20


def file_parts(
    paths: Sequence[Path],
    columns: Sequence[str],
    *,
    dialect: Dialect | None = None,
    numbers: Collection[str] = (),
) -> list[Part]:
    """Cut files into parts: Parquet into its row groups, delimited text into runs of lines.

    Parameters
    ----------
    paths : sequence of Path
        Files that end in .parquet, .pq, .csv or .tsv.
    columns : sequence of str
        Names that every file must have.
    dialect : Dialect, optional
        How texts are written; without a delimiter, a comma or a tab by the ending, or else what
        the header shows.
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
    written = Dialect(delimiter="") if dialect is None else dialect
    for path in paths:
        if path.suffix.lower() not in SUFFIXES:
            raise IntakeError(
                f"the file {path.name} is neither Parquet nor delimited text",
                remedy=f"give files that end in {', '.join(SUFFIXES)}",
            )
        try:
            if path.suffix.lower() in PARQUET:
                found = _groups(path, columns)
            else:
                found = text_parts(path, written, columns, numbers=numbers)
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
        """Read the named columns, some rows at a time, and no more than some megabytes."""
        try:
            footer = _footer(self.path)
            kinds = footer.schema.to_arrow_schema()
            wanted = pa.schema([kinds.field(name) for name in columns])
            texts = [field.name for field in wanted if is_text(field.type)]
            # Fetching ahead serves remote files, and costs local ones a tenth of their reading.
            with pq.ParquetFile(
                self.path, metadata=footer, read_dictionary=texts, pre_buffer=False
            ) as file:
                for batch in file.iter_batches(
                    rows_at_once(wanted, _BATCH_BYTES, _MOST_ROWS),
                    row_groups=[self.group],
                    columns=list(columns),
                    use_threads=False,
                ):
                    for piece in pieces(batch, _BATCH_BYTES):
                        yield {name: arrow_cells(piece.column(name)) for name in columns}
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
        require_plain(present.field(name), f"the file {path.name}")
    numbers = range(metadata.num_row_groups)
    return [RowGroup(path, place, metadata.row_group(place).total_byte_size) for place in numbers]


def _unreadable(path: Path, error: Exception) -> IntakeError:
    number = getattr(error, "errno", None)
    reason = os.strerror(number).lower() if number else "it is damaged"
    return IntakeError(
        f"the file {path.name} cannot be read ({reason})", remedy="check the file and its path"
    )
