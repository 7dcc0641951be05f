"""What is odd about an upload, one sentence each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

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
