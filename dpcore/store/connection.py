"""Opening the file: one short-lived connection per transaction, and none that survives a fork."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import numpy as np

from dpcore.errors import LedgerDamaged, MissingResource, PrivacyError
from dpcore.noise import SystemNoise

__all__ = ["BUSY_SECONDS", "connected", "create", "transaction"]

# How long a transaction waits for another process's, each of which takes milliseconds.
BUSY_SECONDS = 30.0
VERSION = 1
APPLICATION = 0x64704C31

_TABLES = """
CREATE TABLE entries (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    moment TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('budget', 'reserve', 'charge', 'release', 'void')),
    data TEXT NOT NULL,
    request TEXT NOT NULL,
    facts TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE
);
CREATE UNIQUE INDEX one_release ON entries (data, request) WHERE kind = 'release';
CREATE UNIQUE INDEX one_budget ON entries (data) WHERE kind = 'budget';
CREATE INDEX by_request ON entries (data, request);
CREATE TABLE documents (sha256 TEXT PRIMARY KEY, document TEXT NOT NULL);
CREATE TABLE secret (key BLOB NOT NULL);
CREATE TRIGGER entries_in_order BEFORE INSERT ON entries
WHEN NEW.number IS NOT (SELECT COALESCE(MAX(number), 0) + 1 FROM entries)
BEGIN SELECT RAISE(ABORT, 'entries are numbered one by one'); END;
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER entries_remain BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER documents_stay BEFORE UPDATE ON documents
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER documents_remain BEFORE DELETE ON documents
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER secret_stays BEFORE UPDATE ON secret
BEGIN SELECT RAISE(ABORT, 'the key is made once'); END;
CREATE TRIGGER secret_remains BEFORE DELETE ON secret
BEGIN SELECT RAISE(ABORT, 'the key is made once'); END;
"""


class _Forks:
    """Whether this process was forked from one that was in the middle of a transaction.

    SQLite keeps count of its file locks in memory. A child inherits the count and not the locks, so
    it must not touch the file; a fork between transactions is harmless.
    """

    def __init__(self) -> None:
        self.open = 0
        self.unusable = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._after)

    def _after(self) -> None:
        self.unusable = self.unusable or self.open > 0


_FORKS = _Forks()


@contextmanager
def connected(path: Path, *, timeout: float = BUSY_SECONDS) -> Iterator[sqlite3.Connection]:
    """A connection to any SQLite file, closed at the end.

    Raises
    ------
    PrivacyError
        In a process that was forked while a transaction was open.
    """
    if _FORKS.unusable:
        raise PrivacyError(
            "this process was forked while the ledger was in use, so it cannot use the ledger "
            "safely; start a new process instead"
        )
    _FORKS.open += 1
    try:
        with closing(sqlite3.connect(path, timeout=timeout, isolation_level=None)) as connection:
            yield connection
    finally:
        _FORKS.open -= 1


@contextmanager
def transaction(path: Path, *, write: bool = True) -> Iterator[sqlite3.Connection]:
    """One transaction on the ledger: all of it is durable at the end, or nothing of it happened.

    Raises
    ------
    MissingResource
        If there is no ledger, or it is busy or on a medium that cannot be written.
    LedgerDamaged
        If the file is no ledger, or one that this program does not understand.
    """
    if not path.is_file():
        raise MissingResource(f"there is no ledger {path.name}", "open a budget first")
    try:
        with connected(path) as connection:
            _require_ledger(connection, path)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        raise MissingResource(
            f"the ledger {path.name} cannot be used: {error}",
            "try again, and check that its folder can be written and has room",
        ) from error
    except sqlite3.DatabaseError as error:
        raise LedgerDamaged(str(error)) from error


def _require_ledger(connection: sqlite3.Connection, path: Path) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION:
        raise LedgerDamaged(f"{path.name} is no ledger of dpcore")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION:
        raise MissingResource(
            f"the ledger {path.name} has layout {version}, and this program knows {VERSION} only",
            "use the version of dpcore that wrote it",
        )


def create(path: Path) -> None:
    """Make an empty ledger with a fresh key, unless there is one already.

    The file is made under another name and linked into place whole: of two processes that make it,
    one wins, and nobody sees a half-made one. Only its owner can read it.
    """
    if path.exists():
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        os.close(handle)
        draft = Path(name)
        try:
            _fill(draft)
            with suppress(FileExistsError):
                os.link(draft, path)
            _make_durable(path.parent)
        finally:
            draft.unlink()
    except OSError as error:
        raise MissingResource(
            f"the ledger {path} cannot be made: {error.strerror}",
            "give another path, or a folder that can be written",
        ) from error


def _make_durable(folder: Path) -> None:
    # Without this a power cut can lose the name of a file whose content is safe.
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _fill(draft: Path) -> None:
    # The system's entropy comes through the coins of its noise source: 256 fair ones.
    key = np.packbits(SystemNoise().coins(256, 0.5)).tobytes()
    with connected(draft) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.executescript(_TABLES)
        connection.execute("INSERT INTO secret VALUES (?)", (key,))
        connection.execute(f"PRAGMA user_version = {VERSION}")
