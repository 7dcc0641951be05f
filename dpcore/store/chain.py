"""The hash chain of a ledger: each entry seals all the entries before it."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from operator import attrgetter
from sqlite3 import Connection
from typing import Any

from dpcore.errors import LedgerDamaged

START = hashlib.sha256(b"dpcore ledger 1").hexdigest()


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
        UTC, ISO 8601, to the second; in what is published the day only. A release, or a void run,
        has the moment of its charge: how long it took depends on the records.
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

    @cached_property
    def line(self) -> str:
        """All fields in one text, as `read` has SQLite put them together."""
        return "\x1f".join(map(str, _FIELDS(self)))

    def as_json(self) -> dict[str, Any]:
        """The row as a dictionary from which anybody can compute its hash again."""
        return asdict(self)

    def as_published(self) -> dict[str, Any]:
        """The row with the day in place of the moment; its hash is that of the row itself."""
        return asdict(self) | {"moment": self.moment[: len("2026-01-31")]}


_NAMES = tuple(field.name for field in fields(Entry))
_COLUMNS = ", ".join(_NAMES)
_LINE = " || char(31) || ".join(_NAMES)
_TYPES = [int] + [str] * (len(_NAMES) - 1)
_FIELDS = attrgetter(*_NAMES)


@dataclass(frozen=True)
class Chain:
    """The rows of a ledger that are in order, from the first on.

    Parameters
    ----------
    problem
        What is wrong with the row after them; empty if there is none.
    """

    rows: list[Entry]
    problem: str = ""

    @property
    def head(self) -> str:
        """Hash of the last of them."""
        return self.rows[-1].hash if self.rows else START


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
        Number of the first row that is not in order; None if the fault is not in a row.
    problem : str
        What is wrong; empty if nothing is.
    """

    rows: int
    head: str
    bad_row: int | None = None
    problem: str = ""

    @property
    def holds(self) -> bool:
        """Whether every row is in order, and everything that vouches for them."""
        return not self.problem


def insert(connection: Connection, row: Entry) -> None:
    """Write a row that is sealed already."""
    marks = ", ".join("?" * len(_NAMES))
    statement = f"INSERT INTO entries ({_COLUMNS}) VALUES ({marks})"  # noqa: S608
    connection.execute(statement, _FIELDS(row))


def keep(connection: Connection, text: str) -> str:
    """Store a result beside the chain, and return the SHA-256 by which a row vouches for it."""
    sha256 = digest_of(text)
    connection.execute("INSERT OR IGNORE INTO documents VALUES (?, ?)", (sha256, text))
    if document(connection, sha256) != text:
        raise LedgerDamaged("a result was stored and is not found again")
    return sha256


def document(connection: Connection, sha256: str) -> str | None:
    """The stored result with this SHA-256, or None."""
    row = connection.execute("SELECT document FROM documents WHERE sha256 = ?", (sha256,))
    found = row.fetchone()
    return None if found is None else str(found[0])


def read(connection: Connection, known: Sequence[Entry] = (), *, compare: bool = True) -> Chain:
    """All rows in the order of the table itself, no index asked, each checked against the last.

    Parameters
    ----------
    known
        Rows that were found in order before. Where the file has the very same, they are not hashed
        again.
    compare
        Whether to look if it has; without, only what follows them is read.
    """
    statement = f"SELECT {_LINE} FROM entries NOT INDEXED ORDER BY number LIMIT ?"  # noqa: S608
    lines = connection.execute(statement, (len(known) if compare else 0,))
    same = not compare or [line for (line,) in lines] == [row.line for row in known]
    found = list(known) if same else []
    for values in connection.execute(
        f"SELECT {_COLUMNS} FROM entries NOT INDEXED "  # noqa: S608
        "WHERE number > ? ORDER BY number",
        (len(found),),
    ):
        if [type(value) for value in values] != _TYPES:
            return Chain(found, f"row {len(found) + 1} was changed after it was written")
        row = Entry(**dict(zip(_NAMES, values, strict=True)))
        if problem := _problem(row, len(found) + 1, found[-1].hash if found else START):
            return Chain(found, problem)
        found.append(row)
    return Chain(found)


def _problem(row: Entry, number: int, previous: str) -> str:
    if row.number != number:
        return f"row {number} was removed"
    if row.previous != previous:
        return f"row {number} does not follow the row before it"
    if row.hash != row.expected_hash:
        return f"row {number} ({row.kind}) was changed after it was written"
    return ""


def lost(rows: Iterable[Entry], document: Callable[[str], str | None]) -> Iterator[tuple[int, str]]:
    """Rows whose result is not what they vouch for, with what is wrong.

    Parameters
    ----------
    document
        Finds the stored result with a given SHA-256.
    """
    for row in rows:
        if row.kind != "release":
            continue
        sha256 = row.content["sha256"]
        found = document(sha256)
        if found is None:
            yield row.number, f"the result of row {row.number} (release) was removed"
        elif digest_of(found) != sha256:
            what = f"the result of row {row.number} (release) was changed after it was written"
            yield row.number, what
