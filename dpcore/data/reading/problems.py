"""What is odd about an upload, one sentence each, and how much one may hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

from dpcore import _check
from dpcore.errors import IntakeError

_MEBIBYTE = 2**20


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Upper limits that are checked before, and while, an upload is read.

    Parameters
    ----------
    upload_bytes : int
        Size of the file as it arrives.
    decompressed_bytes : int
        Size after decompression, checked while it streams, so that a small file cannot unfold into
        a huge one.
    rows, columns, cells : int
        Size of the table. A table of as many cells as that, of a few characters each, is read
        within `memory_bytes` and `seconds` by every reader; longer texts reach these first.
    memory_bytes, seconds : int
        What may be spent on reading a file: seconds of processor time, so that a server with much
        to do reads what an idle one reads. See `dpcore.data.reading.limited_process`.

    Raises
    ------
    InvalidArgument
        If a limit is not a positive whole number.

    Examples
    --------
    >>> Limits(rows=1000).columns
    10000
    """

    upload_bytes: int = 200 * _MEBIBYTE
    decompressed_bytes: int = 256 * _MEBIBYTE
    rows: int = 5_000_000
    columns: int = 10_000
    cells: int = 20_000_000
    memory_bytes: int = 640 * _MEBIBYTE
    seconds: int = 16

    def __post_init__(self) -> None:
        _check.integer_in_range(1, None, **{f.name: getattr(self, f.name) for f in fields(self)})


DEFAULT_LIMITS = Limits()


class TooCostly(IntakeError):
    """A file takes more memory or time than its limits; the sentence says nothing else of it."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(
            f"the file takes more than {byte_size(limits.memory_bytes)} of memory or "
            f"{limits.seconds} seconds of processor time to read",
            remedy="give fewer rows or columns, or count large files without loading them: "
            "`python -m dpcore evaluate`",
        )


def byte_size(number: int) -> str:
    """Write a number of bytes for people.

    Examples
    --------
    >>> byte_size(900), byte_size(200 * 2**20)
    ('900 bytes', '200 MB')
    """
    return f"{number / _MEBIBYTE:,.0f} MB" if number >= _MEBIBYTE else f"{number:,} bytes"


Severity: TypeAlias = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One sentence that names row and column and says what to do.

    Parameters
    ----------
    severity : {"error", "warning", "note"}
        An error must be solved before a model can be trained; a note needs nothing.
    sentence : str
    row : int, optional
        Data row, counted from 1 without the header, of the first cell concerned.
    column : str, optional
    columns : tuple of str
        All that are meant, where one sentence is about several.
    act : {"", "ignore", "missing"}
        What a press may do about it: ignore the columns, or count `mark` as a missing cell.
    mark : str
    """

    severity: Severity
    sentence: str
    row: int | None = None
    column: str | None = None
    columns: tuple[str, ...] = ()
    act: Literal["", "ignore", "missing"] = ""
    mark: str = ""

    @property
    def about(self) -> tuple[str, ...]:
        """The columns that it is about."""
        return self.columns or ((self.column,) if self.column is not None else ())


def count_of(number: int, noun: str) -> str:
    """Write a number with its noun.

    Examples
    --------
    >>> count_of(1, "row"), count_of(12000, "row")
    ('1 row', '12,000 rows')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(names: Sequence[str], most: int = 3) -> str:
    """Name a few columns, and count the others.

    Examples
    --------
    >>> listed(["a", "b"]), listed(["a", "b", "c", "d", "e"])
    ("'a' and 'b'", "'a', 'b', 'c' and 2 more")
    """
    shown = [repr(name) for name in names[:most]]
    more = len(names) - len(shown)
    *first, last = [*shown, f"{more} more"] if more else shown
    return f"{', '.join(first)} and {last}" if first else last


def limited(problems: Sequence[Problem], what: str, most: int = 20) -> list[Problem]:
    """Keep the first few problems of one kind, and one sentence for the others.

    Parameters
    ----------
    problems : sequence of Problem
        All of one kind.
    what : str
        Completes "... more columns", such as "have missing values".
    most : int, default=20
    """
    kept = list(problems[:most])
    rest = problems[most:]
    if rest:
        sentence = f"{count_of(len(rest), 'more column')} {what}."
        kept.append(Problem(rest[0].severity, sentence))
    return kept
