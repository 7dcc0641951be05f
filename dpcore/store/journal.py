"""The rows of a ledger, read and written only if its chain holds; backups, and their return."""

from __future__ import annotations

import hashlib
import hmac
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from dpcore.errors import InvalidArgument, LedgerDamaged, MissingResource
from dpcore.store import chain, location
from dpcore.store.account import loss_of, resolved
from dpcore.store.chain import Chain, Entry, Verification, canonical
from dpcore.store.connection import connected, draft_beside, durable, transaction
from dpcore.store.location import require_ledger, schema_problem

# The fact, in the first row, that seals the key: names of data sets and requests rest on it.
SEAL = "ledger"
_KEY_BYTES = 32
# Ledgers that this process remembers: rows that it has hashed, and whose they are.
_REMEMBERED = 8
_ROWS: dict[Path, list[Entry]] = {}
_IDENTITIES: dict[Path, str] = {}


def identity_of(key: bytes) -> str:
    """The public name of a ledger: a hash of its key, from which the key cannot be told."""
    return hashlib.sha256(b"dpcore ledger key 1" + key).hexdigest()


def signed(document: object, key: bytes) -> str:
    """HMAC-SHA256 of a document's canonical JSON, under the key of a ledger."""
    return hmac.digest(key, canonical(document).encode(), "sha256").hex()


@dataclass(frozen=True, eq=False)
class Journal:
    """The rows of a ledger in one transaction.

    Parameters
    ----------
    connection : sqlite3.Connection
    rows
        All of them, oldest first, found in order.
    key : bytes
        Of this ledger; secret.
    """

    connection: sqlite3.Connection
    rows: list[Entry]
    key: bytes

    def sign(self, document: object) -> str:
        """See `signed`."""
        return signed(document, self.key)

    def name_of(self, data_digest: str) -> str:
        """The public name of a data set: that under which it has its account."""
        if not data_digest:
            raise InvalidArgument("data_digest", data_digest, "the SHA-256 of the data, as text")
        name = self.sign({"data": data_digest})
        return resolved(self.of(name), name)

    def of(self, data: str) -> list[Entry]:
        """The rows of one data set, by its public name."""
        return [row for row in self.rows if row.data == data]

    def append(
        self, *, kind: str, data: str, request: str, facts: Mapping[str, Any], moment: str = ""
    ) -> None:
        """Write the next row; the first one seals the key."""
        if _seal(self.rows) is None:
            facts = {**facts, SEAL: identity_of(self.key)}
        last = self.rows[-1] if self.rows else None
        row = chain.append(
            self.connection,
            last,
            kind=kind,
            data=data,
            request=request,
            facts=facts,
            moment=moment,
        )
        self.rows.append(row)


@contextmanager
def journal(path: Path, *, write: bool = False) -> Iterator[Journal]:
    """A transaction on a ledger that holds.

    Every row is read from the table itself and held against the chain, each time; rows that this
    process has hashed before are compared instead, which takes 30 ms for 10,000 of them.

    Raises
    ------
    LedgerDamaged
        If anything is not as it was written, or this machine has seen a newer state.
    MissingResource
        If the file is not there or cannot be used.
    """
    path = path.absolute()
    identity = _IDENTITIES.get(path, "")
    if not identity:
        with transaction(path, write=False) as connection:
            identity = identity_of(key_of(connection))
    # Read before the transaction begins: what others commit meanwhile is newer than the note.
    seen = location.seen(identity)
    with transaction(path, write=write) as connection:
        key = key_of(connection)
        found = chain.read(connection, _ROWS.get(path, ()))
        problem = found.problem or examined(connection, found, key)
        if not problem and identity_of(key) != identity:
            # Another ledger has taken its place since this process first met it.
            identity = identity_of(key)
            seen = location.seen(identity)
        problem = problem or (seen.problem(found.rows) if seen else "")
        if problem:
            raise LedgerDamaged(problem)
        _remember(_ROWS, path, found.rows)
        _remember(_IDENTITIES, path, identity)
        opened = Journal(connection, list(found.rows), key)
        yield opened
    _remember(_ROWS, path, opened.rows)
    location.note(identity, opened.rows)


def _remember(kept: dict[Path, Any], path: Path, what: object) -> None:
    kept.pop(path, None)
    kept[path] = what
    for oldest in list(kept)[:-_REMEMBERED]:
        kept.pop(oldest, None)


def key_of(connection: sqlite3.Connection) -> bytes:
    """The secret key of a ledger.

    Raises
    ------
    LedgerDamaged
        If it is no key.
    """
    found = connection.execute("SELECT key FROM secret").fetchall()
    if len(found) != 1 or not isinstance(found[0][0], bytes) or len(found[0][0]) != _KEY_BYTES:
        raise LedgerDamaged("its key was changed")
    return bytes(found[0][0])


def _seal(rows: list[Entry]) -> str | None:
    """The hash of the key as it was when it was sealed; None before the first row."""
    return next((str(row.content[SEAL]) for row in rows if SEAL in row.content), None)


def examined(
    connection: sqlite3.Connection, found: Chain, key: bytes, *, thorough: bool = False
) -> str:
    """What is wrong with whatever vouches for rows that are in order; empty if nothing is.

    Parameters
    ----------
    connection : sqlite3.Connection
    key : bytes
    thorough : bool, default False
        Whether to have SQLite check every page, which takes as long as the file is large.
    """
    rows = found.rows
    counter = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'entries'")
    written = (counter.fetchone() or (0,))[0]
    if written != len(rows):
        return f"row {len(rows) + 1} and all after it, up to row {written}, were removed"
    seal = _seal(rows)
    if seal is not None and seal != identity_of(key):
        return "its key is not the one that its first row seals"
    if require_ledger(connection, Path("ledger")) > 1:
        head = connection.execute("SELECT number, hash FROM head").fetchall()
        if head != [(len(rows), rows[-1].hash if rows else "")]:
            return "its last row is not the one that it noted as the last"
        if problem := schema_problem(connection):
            return problem
    # A page that is taken for free, and is not, would be written over.
    if thorough or connection.execute("PRAGMA freelist_count").fetchone()[0]:
        report = connection.execute("PRAGMA integrity_check(1)").fetchall()
        if report != [("ok",)]:
            return f"its file is damaged ({str(report[0][0]).splitlines()[-1]})"
    return ""


def verified(path: Path, head: str | None = None, *, noted: bool = True) -> Verification:
    """Recompute all hashes, and name the first row that is not in order.

    Nothing that was found before is relied on, every page of the file is checked, and every result
    is held against the row that vouches for it.

    Parameters
    ----------
    head
        A hash that was noted earlier; it must be that of some row.
    noted : bool, default True
        Whether to hold it against the newest state that this machine has seen; a copy is older.
    """
    with transaction(path, write=False) as connection:
        seen = location.seen(identity_of(key_of(connection)))
    with transaction(path, write=False) as connection:
        key, found = key_of(connection), chain.read(connection)
        rows, count = found.rows, len(found.rows)
        if found.problem:
            return Verification(count, found.head, count + 1, found.problem)
        for number, problem in chain.lost(rows, partial(chain.document, connection)):
            return Verification(number - 1, rows[number - 2].hash, number, problem)
        problem = examined(connection, found, key, thorough=True)
        if problem.startswith("row "):
            return Verification(count, found.head, count + 1, problem)
        problem = problem or (seen.problem(rows) if seen and noted else "")
        if not problem and head is not None and all(row.hash != head for row in rows):
            problem = "no row has the hash that was noted earlier, so the ledger was written anew"
        return Verification(count, found.head, None, problem)


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
    found = verified(copy, noted=False)
    if not found.holds:
        raise LedgerDamaged(f"the copy {copy.name} does not hold: {found.problem}")
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
                raise LedgerDamaged(f"the copy {copy.name} is older than the ledger: {lost}")
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
        raise MissingResource(
            f"{path} cannot be written: {error.strerror}",
            "check that its folder is there, can be written, and has room",
        ) from error


def _copy(path: Path, copy: Path) -> None:
    """One state of a ledger, by SQLite's own means: nobody is stopped meanwhile."""
    with transaction(path, write=False) as source, connected(copy) as target:
        source.backup(target)
        # In one file, with nothing beside it.
        target.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def _alone(path: Path) -> Iterator[sqlite3.Connection | None]:
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
                raise MissingResource(
                    f"the ledger {path.name} is in use", "stop what uses it, and try again"
                ) from error
            mode = ""
        present = path.stat().st_ino
        try:
            yield connection if mode else None
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if mode and path.stat().st_ino == present:
                connection.execute("PRAGMA journal_mode = WAL")


def _beyond(present: sqlite3.Connection | None, rows: list[Entry], copy: str) -> list[Entry]:
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


def _carry(
    present: sqlite3.Connection | None, draft: sqlite3.Connection, beyond: list[Entry]
) -> list[Entry]:
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
    rows: list[Entry],
    beyond: list[Entry],
    present: sqlite3.Connection | None,
    seen: location.Seen | None,
) -> str:
    """What the new ledger would lack of the present one, in words; empty if nothing."""
    last = max(len(rows) + len(beyond), seen.rows if seen else 0)
    if present is not None:
        with suppress(sqlite3.Error, TypeError):
            last = max(last, present.execute("SELECT MAX(seq) FROM sqlite_sequence").fetchone()[0])
    if last == len(rows):
        return "" if seen is None else seen.problem(rows)
    charges = [
        f"{loss_of(row.content)} for {row.content['label']!r} of data set {row.data[:12]}"
        for row in beyond
        if row.kind == "charge"
    ]
    known = f"charges of {'; '.join(charges)}" if charges else "charges that are not known"
    first = len(rows) + 1
    which = f"row {last}" if first == last else f"rows {first} to {last}"
    return f"{which} would be lost, with {known}"


def _replace(path: Path, draft: Path) -> Path | None:
    """Put the draft in place in one step, the old file having got another name before."""
    aside = None
    if path.is_file():
        moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        aside = path.with_name(f"{path.name}-replaced-{moment}")
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
