"""How much an upload may hold."""

from __future__ import annotations

from dataclasses import dataclass, fields

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
