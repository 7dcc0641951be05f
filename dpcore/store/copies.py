"""Copies of a ledger, and the way back from one: neither loses a charge unless told to."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection

from dpcore.errors import InvalidArgument, LedgerDamaged, MissingResource
from dpcore.store import chain, location
from dpcore.store.account import loss_of
from dpcore.store.chain import Entry
from dpcore.store.connection import connected, durable, transaction
from dpcore.store.journal import identity_of, journal, key_of, verified
from dpcore.store.location import draft_beside, require_ledger

# Seconds that `restore` waits for whoever uses the ledger.
PATIENCE = 30.0


def backup(path: Path, copy: Path) -> int:
    """Copy a ledger that holds, whole, while others go on using it; returns its number of rows.

    Raises
    ------
    LedgerDamaged
        If the ledger, or the copy when it is read again, is not in order.
    InvalidArgument
        If there is such a file already: an earlier copy is not written over.
    MissingResource
        If the copy cannot be written.
    """
    if copy.exists():
        raise InvalidArgument("out", str(copy), "a file that does not exist yet")
    with _writing(copy), draft_beside(copy) as draft:
        with journal(path):
            pass
        _copy(path, draft)
        found = verified(draft, noted=False)
        if not found.holds:
            raise LedgerDamaged(found.problem)
        durable(draft)
        try:
            os.link(draft, copy)
        except FileExistsError:
            raise InvalidArgument("out", str(copy), "a file that does not exist yet") from None
        durable(copy.parent)
    return found.rows


@dataclass(frozen=True)
class Restored:
    """What `restore` did.

    Parameters
    ----------
    rows
        How many rows the ledger has now.
    carried
        How many of them were not in the copy, and were taken over from the file it replaced.
    lost
        What is lost, in words; empty if nothing is.
    aside
        Where the file that was replaced lies now.
    """

    rows: int
    carried: int
    lost: str
    aside: Path | None


def restore(copy: Path, path: Path, *, lose_charges: bool = False) -> Restored:
    """Put a copy in the place of a ledger that was damaged or is gone.

    Rows that the present file has beyond the copy, and that go on from it by their hashes, are
    taken over with their results: what damaged the file is seldom in them. The file that is
    replaced is kept beside the new one.

    Parameters
    ----------
    copy : Path
        From `backup`.
    path : Path
        The ledger.
    lose_charges : bool, default False
        Whether to go back to an older state although rows are lost by it: more has been spent then
        than the ledger says.

    Raises
    ------
    LedgerDamaged
        If the copy does not hold, or is older than what the present file or this machine has seen.
    InvalidArgument
        If the present file is another ledger than the copy.
    MissingResource
        If a file is not there, in use, or cannot be written.
    """
    path = path.resolve()
    if not copy.is_file():
        raise MissingResource(f"there is no copy {copy}", "give a file that `backup` has made")
    try:
        problem = verified(copy, noted=False).problem
    except LedgerDamaged as error:
        problem = error.problem
    if problem:
        raise LedgerDamaged(problem, copy=copy.name)
    with _writing(path), draft_beside(path) as draft:
        _copy(copy, draft)
        with _alone(path) as present:
            # Of layout 1 too: from here on it is one of this version.
            with transaction(draft) as connection:
                key, rows = key_of(connection), chain.read(connection).rows
                beyond = _beyond(present, rows, copy.name)
                carried = _carry(present, connection, beyond)
            rows = [*rows, *carried]
            lost = _lost(rows, beyond[len(carried) :], present, location.seen(identity_of(key)))
            if lost and not lose_charges:
                remedy = "give a newer copy, or agree to the loss with --lose-charges"
                raise LedgerDamaged(f"it is older: {lost}", copy=copy.name, remedy=remedy)
            aside = _replace(path, draft)
    if lost:
        location.forget(identity_of(key))
    with journal(path):
        pass
    return Restored(len(rows), len(carried), lost, aside)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        remedy = "check that its folder is there, can be written, and has room"
        raise MissingResource(f"{path} cannot be written: {error.strerror}", remedy) from error


def _copy(path: Path, copy: Path) -> None:
    """One state of a ledger, by SQLite's own means: nobody is stopped meanwhile."""
    with transaction(path, write=False) as source, connected(copy) as target:
        source.backup(target)
        # In one file, with nothing beside it.
        target.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def _alone(path: Path) -> Iterator[Connection | None]:
    """The present file with everybody else locked out; None if there is none that can be opened.

    The second file of SQLite is emptied into it and removed first: it would be read as if it
    belonged to the new one. Whoever waits for the file finds it replaced, and writes nothing.
    """
    if not path.is_file():
        yield None
        return
    with connected(path, how="mode=rw", timeout=PATIENCE) as connection:
        try:
            require_ledger(connection, path)
            mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
            connection.execute("BEGIN EXCLUSIVE")
        except (sqlite3.DatabaseError, LedgerDamaged) as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                what = f"the ledger {path.name} is in use"
                raise MissingResource(what, "stop what uses it, and try again") from error
            mode = ""
        present = path.stat().st_ino
        try:
            yield connection if mode else None
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if mode and path.stat().st_ino == present:
                connection.execute("PRAGMA journal_mode = WAL")


def _beyond(present: Connection | None, rows: list[Entry], copy: str) -> list[Entry]:
    """What the present file has beyond the rows of a copy, as far as it is in order."""
    if present is None:
        return []
    try:
        first = chain.read(present).rows[:1]
        found = chain.read(present, rows, compare=False).rows[len(rows) :]
    except (sqlite3.Error, UnicodeDecodeError):
        return []
    if first and rows and first != rows[:1]:
        raise InvalidArgument("copy", copy, "a copy of this ledger, not of another one")
    return found


def _carry(present: Connection | None, draft: Connection, beyond: list[Entry]) -> list[Entry]:
    """Write rows of the present file behind those of a copy, up to a release without its result."""
    carried: list[Entry] = []
    if present is None:
        return carried
    for row in beyond:
        if row.kind == "release":
            text = None
            with suppress(sqlite3.Error, UnicodeDecodeError):
                text = chain.document(present, row.content["sha256"])
            if text is None or chain.digest_of(text) != row.content["sha256"]:
                break
            chain.keep(draft, text)
        chain.insert(draft, row)
        carried.append(row)
    return carried


def _lost(
    rows: list[Entry], beyond: list[Entry], present: Connection | None, seen: location.Seen | None
) -> str:
    """What the new ledger would lack of the present one, in words; empty if nothing."""
    last = max(len(rows) + len(beyond), seen.rows if seen else 0)
    if present is not None:
        with suppress(sqlite3.Error, TypeError):
            last = max(last, present.execute("SELECT MAX(seq) FROM sqlite_sequence").fetchone()[0])
    if last == len(rows):
        return "" if seen is None else seen.problem(rows)
    paid = [row for row in beyond if row.kind == "charge"]
    lines = ((loss_of(row.content), row.content["label"], row.data[:12]) for row in paid)
    charges = [f"{loss} for {label!r} of data set {name}" for loss, label, name in lines]
    known = f"charges of {'; '.join(charges)}" if charges else "charges that are not known"
    first = len(rows) + 1
    which = f"row {last}" if first == last else f"rows {first} to {last}"
    return f"{which} would be lost, with {known}"


def _replace(path: Path, draft: Path) -> Path | None:
    """Put the draft in place in one step, the old file having got another name before."""
    aside = None
    if path.is_file():
        moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        # Two may fall in one moment of the clock; a draft has a name of its own.
        aside = path.with_name(f"{path.name}-replaced-{moment}-{draft.name[-8:]}")
        os.link(path, aside)
        for suffix in ("-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
    with connected(draft) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    durable(draft)
    draft.replace(path)
    durable(path.parent)
    return aside
