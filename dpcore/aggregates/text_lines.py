"""Delimited text of any length, where every line is a row and is read by itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import csv

from dpcore.aggregates.back_end import Columns, Part
from dpcore.errors import IntakeError

__all__ = ["TextLines", "text_parts"]

_PART_BYTES = 2**23
_LONGEST_HEADER = 2**20
# Codes such as "007", infinity and NaN: as labels these are texts.
_NOT_PLAIN = r"^\s*[+-]?(0[0-9]|[iInN])"


@dataclass(frozen=True)
class TextLines:
    r"""The lines of a text that begin in a range of its bytes.

    A line is a row, whatever it holds: quotation marks enclose no line break and no delimiter, so
    no row can swallow another. A pair of marks around a cell is taken off. A line with another
    number of cells than the header has none of them.

    Parameters
    ----------
    path : Path
    delimiter : str
    header : tuple of str
        Names of the columns.
    start, stop : int
        The range of bytes; `start` begins a line or lies within one that belongs to the part
        before.
    numbers : frozenset of str
        Columns that may be handed over as floats where all cells of the part are plain numbers: to
        a score, a number or a label that is the same. All others are texts as they are written.
    """

    path: Path
    delimiter: str
    header: tuple[str, ...]
    start: int
    stop: int
    numbers: frozenset[str] = frozenset()

    @property
    def weight(self) -> int:
        """Its bytes."""
        return self.stop - self.start

    def batches(self, columns: Sequence[str]) -> Iterator[Columns]:
        """Read the named columns."""
        lines = self._lines()
        # A line of spaces or tabs is a row of missing cells.
        if lines.strip(b"\n"):
            yield self._cells(lines, columns)

    def _lines(self) -> bytes:
        with self.path.open("rb") as file:
            # One byte earlier: a line break there says that a line begins at the start.
            file.seek(self.start - 1)
            begins_line = file.read(1) == b"\n"
            skipped = b"" if begins_line else file.readline()
            size = self.stop - self.start - len(skipped)
            if size <= 0:
                return b""
            content = file.read(size)
            content = content if content.endswith(b"\n") else content + file.readline()
        # To the reader a carriage return by itself ends a line: one row could then be many.
        return content.replace(b"\r\n", b"\n").replace(b"\r", b" ")

    def _cells(self, lines: bytes, columns: Sequence[str]) -> Columns:
        skipped: list[object] = []

        def skip(row: object) -> str:
            skipped.append(row)
            return "skip"

        table = csv.read_csv(
            pa.BufferReader(lines),
            read_options=csv.ReadOptions(
                column_names=list(self.header), use_threads=False, block_size=len(lines) + 1
            ),
            parse_options=csv.ParseOptions(
                delimiter=self.delimiter, quote_char=False, invalid_row_handler=skip
            ),
            convert_options=csv.ConvertOptions(
                include_columns=list(columns),
                column_types=dict.fromkeys(columns, pa.binary()),
                check_utf8=False,
                strings_can_be_null=False,
            ),
        )
        return {
            name: _with_missing(
                (_read if name in self.numbers else _texts)(table[name]), len(skipped)
            )
            for name in columns
        }


def _read(column: pa.ChunkedArray) -> NDArray[Any]:
    """Numbers if all cells are plain numbers, or else texts, which counters read the same way."""
    try:
        cells = column.combine_chunks().cast(pa.string())
        if pc.any(pc.match_substring_regex(cells, _NOT_PLAIN)).as_py():
            raise pa.ArrowInvalid("texts")
        read = np.asarray(pc.cast(cells, pa.float64()).to_numpy(zero_copy_only=False))
        # What no double holds is a text to a label.
        return read if np.isfinite(read).all() else _texts(column)
    except pa.ArrowInvalid:
        return _texts(column)


def _texts(column: pa.ChunkedArray) -> NDArray[Any]:
    """Texts as they are written, each by itself."""
    texts = (bytes(cell).decode("utf-8", "replace") for cell in column.to_pylist())
    return np.array([_unquoted(text.strip()) for text in texts], dtype=object)


def _unquoted(text: str) -> str:
    quoted = len(text) >= 2 and text[0] == text[-1] == '"'
    return text[1:-1].strip() if quoted else text


def _with_missing(cells: NDArray[Any], missing: int) -> NDArray[Any]:
    """Lines of the wrong length count as rows without cells."""
    if not missing:
        return cells
    nothing = np.full(missing, np.nan if cells.dtype.kind == "f" else None, dtype=cells.dtype)
    return np.concatenate([cells, nothing])


def text_parts(
    path: Path, delimiter: str, columns: Sequence[str], *, numbers: Collection[str] = ()
) -> list[Part]:
    """Cut a text into parts of some megabytes.

    Raises
    ------
    IntakeError
        If its first line does not name every column once, or ends with a carriage return alone.
    """
    with path.open("rb") as file:
        first = file.readline(_LONGEST_HEADER)
    line = first.removesuffix(b"\n").removesuffix(b"\r")
    if b"\r" in line:
        # Rows would follow in what looks like one line, and be quoted as its names.
        raise IntakeError(
            f"the lines of {path.name} do not end with a line feed",
            remedy="save it with the line ends of Unix or Windows",
        )
    names = line.decode("utf-8-sig", "replace").split(delimiter)
    header = tuple(_unquoted(name.strip()) for name in names)
    for name in columns:
        if header.count(name) != 1:
            raise IntakeError(
                f"the first line of {path.name} has no column of this name, or several",
                column=name,
                remedy=f"choose among {', '.join(map(repr, header[:10]))}",
            )
    size = path.stat().st_size
    starts = range(len(first), size, _PART_BYTES)
    return [
        TextLines(
            path, delimiter, header, start, min(start + _PART_BYTES, size), frozenset(numbers)
        )
        for start in starts
    ]
