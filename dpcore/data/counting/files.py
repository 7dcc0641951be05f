"""Files of rows, cut into parts that are read one by one, wherever there is a processor."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from dpcore._typing import NDArray
from dpcore.data.counting.back_end import Columns, FileChunk
from dpcore.data.counting.named_files import FORMS, PARQUET, SUFFIXES, once
from dpcore.data.reading import nested_cells, problems, source
from dpcore.data.reading.declared import read_declared
from dpcore.data.reading.declared_lines import Header, Lines, read_header
from dpcore.data.reading.dialect import DELIMITERS, Dialect
from dpcore.data.reading.parquet import is_text, pieces, require_plain, rows_at_once
from dpcore.errors import IntakeError, InvalidArgument
from dpcore.schema.arrow_cells import arrow_cells
from dpcore.schema.cells import Decimal

_PART_BYTES = 2**23

_LONGEST_HEADER = 2**20


_TEXTS: Mapping[str, Decimal] = {}

# Codes such as "007", infinity and NaN: as labels these are texts.
_NOT_PLAIN = r"^\s*[+-]?(0[0-9]|[iInN])"

# However it is written, such as "0,5", "85 %" and "<1e-3".
_LIKE_A_NUMBER = re.compile(r"\W*+\d[\W\de]*+", re.IGNORECASE)


@dataclass(frozen=True)
class TextLines:
    r"""The lines of a text that begin in a range of its bytes.

    Parameters
    ----------
    lines
        How a line is cut into cells: as every other reader of declared text does.
    header
        Names of the columns.
    start, stop
        The range of bytes; `start` begins a line or lies within one that belongs to the part
        before.
    numbers
        Columns that may be handed over as floats where that is what their cells mean, and the
        decimal mark by which they are numbers to whoever reads them as texts.
    """

    path: Path
    lines: Lines
    header: tuple[str, ...]
    start: int
    stop: int
    numbers: Mapping[str, Decimal] = field(default_factory=dict)

    @property
    def weight(self) -> int:
        """Its bytes."""
        return self.stop - self.start

    def batches(self, columns: Sequence[str]) -> Iterator[Columns]:
        """Read the named columns, as texts except for `numbers`."""
        held = _held(columns, self.header)
        found = self.lines.cut(self._content(), [self.header.index(name) for name in held])
        if len(found[0]):
            cells = (self._cells(name, some) for name, some in zip(held, found, strict=True))
            yield _named(columns, dict(zip(held, cells, strict=True)))

    def _content(self) -> bytes:
        mark = self.lines.mark
        with self.path.open("rb") as file:
            # One byte earlier: a line end there says that a line begins at the start.
            file.seek(self.start - 1)
            size = self.stop - self.start + 1 - len(_up_to(file, mark))
            if size <= 0:
                return b""
            content = file.read(size)
            return content if content.endswith(mark) else content + _up_to(file, mark)

    def _cells(self, name: str, cells: pa.Array) -> NDArray[Any]:
        found = _as_numbers(cells, self.numbers[name]) if name in self.numbers else None
        return np.array(cells.to_pylist(), dtype=object) if found is None else found


def _held(columns: Sequence[str], names: Sequence[str]) -> list[str]:
    """The columns of a file that hold those wanted, such as that of a vector its values."""
    return list(dict.fromkeys(nested_cells.column_of(name, names) for name in columns))


def _named(columns: Sequence[str], cells: dict[str, NDArray[Any]]) -> Columns:
    """With the values wanted of vectors, each read from its own cell."""
    within = [name for name in columns if name not in cells]
    frame = nested_cells.with_values(pd.DataFrame(cells), within) if within else cells
    return cells | {name: np.asarray(frame[name]) for name in within}


def _up_to(file: BinaryIO, mark: bytes) -> bytes:
    """Read up to the next mark, mark included."""
    if mark == b"\n":
        return file.readline()
    read = b""
    while mark not in read and (more := file.read(2**16)):
        read += more
    size = read.find(mark) + 1 or len(read)
    file.seek(size - len(read), 1)
    return read[:size]


def _as_numbers(cells: pa.Array, decimal: Decimal) -> NDArray[Any] | None:
    """Floats if all cells are plain numbers or empty: what counters make of each text as well."""
    if decimal == ",":
        if pc.any(pc.match_substring(cells, ".")).as_py():
            return None
        cells = pc.replace_substring(cells, ",", ".")
    try:
        if pc.any(pc.match_substring_regex(cells, _NOT_PLAIN)).as_py():
            return None
        if pc.any(pc.equal(pc.binary_length(cells), 0)).as_py():
            cells = pc.if_else(pc.equal(cells, ""), pa.scalar(None, cells.type), cells)
        found = np.asarray(pc.cast(cells, pa.float64()).to_numpy(zero_copy_only=False))
    except pa.ArrowInvalid:
        return None
    # As labels, numbers beyond all doubles are texts too.
    return None if np.isinf(found).any() else found


def text_parts(
    path: Path, dialect: Dialect, columns: Sequence[str], *, numbers: Mapping[str, Decimal] = _TEXTS
) -> list[FileChunk]:
    """Cut a text into parts of some megabytes.

    Parameters
    ----------
    dialect
        Without a delimiter it is found: the usual one, or else the first under which the header
        names all columns. The header is public.
    columns
        Names that the header must have once.
    numbers
        See `TextLines`.

    Raises
    ------
    IntakeError
        If the header does not name every column once.
    InvalidArgument
        If the dialect lets cells hold line breaks: where a part begins, nobody knows if it is
        within such a cell.
    """
    if dialect.line_breaks:
        raise InvalidArgument("dialect.line_breaks", True, "False; or save the table as Parquet")
    with path.open("rb") as file:
        first = file.read(_LONGEST_HEADER)
    head = _header(first, dialect, columns, path)
    size = path.stat().st_size
    ends = [*range(head.size, size, _PART_BYTES), size]
    return [TextLines(path, head.lines, head.names, *one, numbers) for one in pairwise(ends)]


def _header(first: bytes, dialect: Dialect, columns: Sequence[str], path: Path) -> Header:
    usual = "\t" if path.suffix.lower() == ".tsv" else ","
    marks = [dialect.delimiter] if dialect.delimiter else dict.fromkeys((usual, *DELIMITERS))
    heads = [read_header(first, replace(dialect, delimiter=mark), path.name) for mark in marks]
    named = [head for head in heads if _not_once(columns, head.names) is None]
    if not named:
        source.refuse_foreign(first, f"the file {path.name}")
        said = [name for one in heads for name in one.names]
        _require_once(columns, heads[0].names, f"the first line of {path.name}", said)
    return named[0]


def _not_once(columns: Sequence[str], names: Sequence[str]) -> str | None:
    """The first column that is not there once; None if all are."""
    return next((name for name in _held(columns, names) if names.count(name) != 1), None)


def _require_once(
    columns: Sequence[str], names: Sequence[str], where: str, said: Iterable[str] = ()
) -> None:
    """Refuse names that lack a column; what is `said` in their place may be a record's cells."""
    if (absent := _not_once(columns, names)) is not None:
        what = f"{where} has no column of this name, or several"
        remedy = f"choose among {', '.join(map(repr, names[:10]))}"
        if any(map(_LIKE_A_NUMBER.fullmatch, said)):
            what = f"{where} holds numbers, as a record does, and not this name"
            remedy = "write the names of all columns above it, or say one that is there"
        raise IntakeError(what, column=absent, remedy=remedy)


# A batch is all of a row group as pyarrow writes it, for every batch costs some of its own.
_BATCH_BYTES, _MOST_ROWS = 2**26, 2**20


def file_parts(
    paths: Sequence[Path | str] | Path,
    columns: Sequence[str],
    *,
    dialect: Dialect | None = None,
    numbers: Mapping[str, Decimal] = _TEXTS,
) -> list[FileChunk]:
    """Cut files into parts: row groups of Parquet, runs of lines of text, and any other file whole.

    Parameters
    ----------
    paths
        Files that end in .parquet, .pq, .csv, .tsv, .txt, .xlsx, .json, .jsonl or .ndjson; one
        named twice is read once.
    columns
        Names that every file must have.
    dialect
        How texts are written; without a delimiter, a comma or a tab by the ending, or else what
        the header shows.
    numbers
        Columns of texts that may be handed over as floats where that is what their cells mean, and
        the decimal mark of each; all others are texts as they stand in the file.

    Raises
    ------
    IntakeError
        If a file cannot be read, is of another kind, or lacks a column.
    """
    parts: list[FileChunk] = []
    written = Dialect(delimiter="") if dialect is None else dialect
    for path in once(paths):
        # Of a folder such a text is no part: it may be a note on the others.
        known, ending = (*SUFFIXES, *FORMS), path.suffix.lower()
        if ending not in (*known, ".txt"):
            what = f"the file {path.name} is neither Parquet, delimited text, a workbook nor JSON"
            raise IntakeError(what, remedy=f"give files that end in {', '.join(known)}")
        try:
            if ending in PARQUET:
                found = _groups(path, columns)
            elif ending in FORMS:
                found = _table(path, written, columns)
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
    group
        Which one.
    weight
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
            held = _held(columns, kinds.names)
            wanted = pa.schema([kinds.field(name) for name in held])
            texts = [field.name for field in wanted if is_text(field.type)]
            # Fetching ahead serves remote files, and costs local ones a tenth of their reading.
            with pq.ParquetFile(
                self.path, metadata=footer, read_dictionary=texts, pre_buffer=False
            ) as file:
                for batch in file.iter_batches(
                    rows_at_once(wanted, _BATCH_BYTES, _MOST_ROWS),
                    row_groups=[self.group],
                    columns=held,
                    use_threads=False,
                ):
                    for piece in pieces(batch, _BATCH_BYTES):
                        cells = {name: arrow_cells(piece.column(name)) for name in held}
                        yield _named(columns, cells)
        except (pa.ArrowException, OSError) as error:
            raise _unreadable(self.path, error) from error


def _footer(path: Path) -> pq.FileMetaData:
    """What a file says of all its row groups, read once rather than for each of them."""
    about = path.stat()
    return _footer_of(path, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=64)
def _footer_of(path: Path, modified: int, size: int) -> pq.FileMetaData:
    return pq.read_metadata(path)


def _groups(path: Path, columns: Sequence[str]) -> list[FileChunk]:
    try:
        metadata = _footer(path)
        present = metadata.schema.to_arrow_schema()
    except pa.ArrowException as error:
        raise _unreadable(path, error) from error
    _require_once(columns, present.names, f"the file {path.name}")
    for name in _held(columns, present.names):
        require_plain(present.field(name), f"the file {path.name}")
    numbers = range(metadata.num_row_groups)
    return [RowGroup(path, place, metadata.row_group(place).total_byte_size) for place in numbers]


@dataclass(frozen=True, eq=False)
class TableRows:
    """All rows of a workbook or of JSON, held in memory: none is found before all are read.

    Parameters
    ----------
    weight
        Bytes of the file.
    """

    frame: pd.DataFrame
    weight: int

    def batches(self, columns: Sequence[str]) -> Iterator[Columns]:
        """Hand the named columns over, all rows at a time."""
        cells = nested_cells.with_values(self.frame, columns)
        yield {name: np.asarray(cells[name], dtype=object) for name in columns}


def _table(path: Path, written: Dialect, columns: Sequence[str]) -> list[FileChunk]:
    form = FORMS[path.suffix.lower()]
    form = replace(form, decimal=written.decimal, sheet=written.sheet, above=written.above)
    # The reader of every declared table, so that a row means here what it means anywhere.
    opened = source.open_source(path, "", problems.DEFAULT_LIMITS)
    frame, _ = read_declared(opened, problems.DEFAULT_LIMITS, form, columns)
    _require_once(columns, [*frame.columns], f"the first row of {path.name}", frame.columns)
    return [TableRows(frame, len(opened.content))]


def _unreadable(path: Path, error: Exception) -> IntakeError:
    number = getattr(error, "errno", None)
    reason = os.strerror(number).lower() if number else "it is damaged"
    what = f"the file {path.name} cannot be read ({reason})"
    return IntakeError(what, remedy="check the file and its path")
