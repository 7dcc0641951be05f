"""Entries that each seal all the entries before them."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from dpcore.errors import LedgerDamaged

__all__ = [
    "Entry",
    "Verification",
    "append",
    "canonical",
    "digest_of",
    "document",
    "entries",
    "keep",
    "verify",
]

_START = hashlib.sha256(b"dpcore ledger 1").hexdigest()


def canonical(document: object) -> str:
    r"""JSON in its one spelling: sorted keys, no spaces, ASCII.

    Examples
    --------
    >>> canonical({"b": 1, "a": ["é"]})
    '{"a":["\\u00e9"],"b":1}'
    """
    return json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest_of(document: str) -> str:
    """SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(document.encode()).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One row of the ledger; everything in it may be shown.

    Parameters
    ----------
    number : int
        1, 2, 3 and so on.
    moment : str
        UTC, ISO 8601, to the second; in what is published the day only. A release has the moment of
        its charge: how long it took depends on the records.
    kind : {"budget", "reserve", "charge", "release", "void"}
    data : str
        Name of the data set: a keyed digest. Checking a guess at the records takes the key, or a
        server that has it.
    request : str
        What it belongs to; empty for budgets and reserves.
    facts : str
        Canonical JSON; exact fractions as text.
    previous, hash : str
        SHA-256 of the row before and of this one, in hexadecimal.
    """

    number: int
    moment: str
    kind: str
    data: str
    request: str
    facts: str
    previous: str
    hash: str

    @cached_property
    def content(self) -> Mapping[str, Any]:
        """The facts as a dictionary."""
        found: Mapping[str, Any] = json.loads(self.facts)
        return found

    @property
    def expected_hash(self) -> str:
        """What the hash must be: SHA-256 of the canonical JSON list of all the other fields."""
        sealed = [getattr(self, name) for name in _NAMES[:-1]]
        return hashlib.sha256(canonical(sealed).encode()).hexdigest()

    def as_json(self) -> dict[str, Any]:
        """The row as a dictionary from which anybody can compute its hash again."""
        return asdict(self)

    def as_published(self) -> dict[str, Any]:
        """The row with the day in place of the moment; its hash is that of the row itself."""
        return asdict(self) | {"moment": self.moment[:_DAY]}


_NAMES = tuple(field.name for field in fields(Entry))
_COLUMNS = ", ".join(_NAMES)
_DAY = len("2026-01-31")


@dataclass(frozen=True)
class Verification:
    """Whether the ledger is as it was written.

    Parameters
    ----------
    rows : int
        How many are in order, from the first on.
    head : str
        Hash of the last of them. Keep it elsewhere, and `verify` can be held against it.
    bad_row : int or None
        Number of the first row that is not in order.
    problem : str
        What is wrong with it; empty if nothing is.
    """

    rows: int
    head: str
    bad_row: int | None = None
    problem: str = ""

    @property
    def holds(self) -> bool:
        """Whether every row is in order."""
        return self.bad_row is None


def entries(connection: sqlite3.Connection, data: str | None = None) -> list[Entry]:
    """All rows, or those of one data set, oldest first."""
    chosen = "" if data is None else "WHERE data = ?"
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM entries {chosen} ORDER BY number",  # noqa: S608
        () if data is None else (data,),
    )
    return [Entry(**dict(zip(_NAMES, row, strict=True))) for row in rows]


def append(
    connection: sqlite3.Connection,
    *,
    kind: str,
    data: str,
    request: str,
    facts: Mapping[str, Any],
    moment: str = "",
) -> Entry:
    """Write the next row, at this moment unless another one is given.

    Raises
    ------
    LedgerDamaged
        If the last row is not in order: nothing is added to a chain that is broken at its end.
    """
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM entries ORDER BY number DESC LIMIT 1"  # noqa: S608
    ).fetchone()
    last = Entry(**dict(zip(_NAMES, row, strict=True))) if row else None
    if last is not None and last.hash != last.expected_hash:
        raise LedgerDamaged(f"row {last.number} was changed")
    draft = Entry(
        number=last.number + 1 if last else 1,
        moment=moment or datetime.now(UTC).isoformat(timespec="seconds"),
        kind=kind,
        data=data,
        request=request,
        facts=canonical(facts),
        previous=last.hash if last else _START,
        hash="",
    )
    sealed = Entry(**{**asdict(draft), "hash": draft.expected_hash})
    marks = ", ".join("?" * len(_NAMES))
    connection.execute(
        f"INSERT INTO entries ({_COLUMNS}) VALUES ({marks})",  # noqa: S608
        tuple(asdict(sealed).values()),
    )
    return sealed


def keep(connection: sqlite3.Connection, text: str) -> str:
    """Store a result beside the chain, and return the SHA-256 by which a row vouches for it."""
    sha256 = digest_of(text)
    connection.execute("INSERT OR IGNORE INTO documents VALUES (?, ?)", (sha256, text))
    return sha256


def document(connection: sqlite3.Connection, sha256: str) -> str | None:
    """The stored result with this SHA-256, or None."""
    row = connection.execute("SELECT document FROM documents WHERE sha256 = ?", (sha256,))
    found = row.fetchone()
    return None if found is None else str(found[0])


def verify(
    rows: Iterable[Entry],
    *,
    written: int,
    document: Callable[[str], str | None],
    head: str | None = None,
) -> Verification:
    """Recompute the chain.

    Parameters
    ----------
    rows : iterable of Entry
    written : int
        How many rows were ever written.
    document : callable
        Finds the stored result with a given SHA-256.
    head : str, optional
        A hash that was noted earlier; it must be that of some row.

    Returns
    -------
    Verification
    """
    number, previous, seen = 0, _START, head is None
    for row in rows:
        number += 1
        problem = _problem(row, number, previous) or _lost(row, document)
        if problem:
            return Verification(number - 1, previous, number, problem)
        previous = row.hash
        seen = seen or row.hash == head
    if number != written:
        problem = f"row {number + 1} and all after it, up to row {written}, were removed"
        return Verification(number, previous, number + 1, problem)
    if not seen:
        problem = "no row has the hash that was noted earlier, so the ledger was written anew"
        return Verification(number, previous, number, problem)
    return Verification(number, previous)


def _problem(row: Entry, number: int, previous: str) -> str:
    if row.number != number:
        return f"row {number} was removed"
    if row.previous != previous:
        return f"row {number} does not follow the row before it"
    if row.hash != row.expected_hash:
        return f"row {number} ({row.kind}) was changed after it was written"
    return ""


def _lost(row: Entry, document: Callable[[str], str | None]) -> str:
    """What is wrong with the result that a row vouches for."""
    if row.kind != "release":
        return ""
    sha256 = row.content["sha256"]
    found = document(sha256)
    if found is None:
        return f"the result of row {row.number} (release) was removed"
    if digest_of(found) != sha256:
        return f"the result of row {row.number} (release) was changed after it was written"
    return ""
