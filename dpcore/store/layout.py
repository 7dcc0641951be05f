"""What the file of a ledger consists of, and how one of an earlier version becomes one of this."""

from __future__ import annotations

import sqlite3
from functools import cache
from pathlib import Path

import numpy as np

from dpcore.errors import LedgerDamaged, MissingResource
from dpcore.noise import SystemNoise

# 1 had an index in place of the head: what was spent was read through it, and it could be damaged.
VERSION = 2
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

# Kept by the file itself: a copy of the last row's number and hash, in another page than the row.
_HEAD = (
    "CREATE TABLE head (number INTEGER NOT NULL, hash TEXT NOT NULL)",
    """CREATE TRIGGER head_follows AFTER INSERT ON entries
BEGIN UPDATE head SET number = NEW.number, hash = NEW.hash; END""",
)


def fill(connection: sqlite3.Connection) -> None:
    """Make an empty ledger with a fresh key of an empty file."""
    # The system's entropy comes through the coins of its noise source: 256 fair ones.
    key = np.packbits(SystemNoise().coins(256, 0.5)).tobytes()
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.executescript(_TABLES)
    _add_head(connection)
    connection.execute("INSERT INTO secret VALUES (?)", (key,))
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _add_head(connection: sqlite3.Connection) -> None:
    for statement in _HEAD:
        connection.execute(statement)
    connection.execute("INSERT INTO head VALUES (0, '')")


def require_ledger(connection: sqlite3.Connection, path: Path) -> int:
    """The version of the layout.

    Raises
    ------
    LedgerDamaged
        If the file is no ledger.
    MissingResource
        If a later version of this program wrote it.
    """
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION:
        raise LedgerDamaged(f"{path.name} is no ledger of dpcore")
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version not in (1, VERSION):
        raise MissingResource(
            f"the ledger {path.name} has layout {version}, and this program knows {VERSION} only",
            "use the version of dpcore that wrote it",
        )
    return version


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a ledger of layout 1 up to date, inside the transaction that is open.

    Its rows stay as they are. The hash of its key is sealed by the next row that is written.
    """
    connection.execute("DROP INDEX IF EXISTS by_request")
    _add_head(connection)
    connection.execute(
        "UPDATE head SET (number, hash) = (SELECT number, hash FROM entries NOT INDEXED "
        "ORDER BY number DESC LIMIT 1) WHERE EXISTS (SELECT 1 FROM entries)"
    )
    connection.execute(f"PRAGMA user_version = {VERSION}")


def schema_problem(connection: sqlite3.Connection) -> str:
    """What is wrong with the declarations of tables and triggers; empty if nothing is.

    They are the same to the letter in a ledger that was migrated.
    """
    if _declared(connection) != _expected():
        return "the declarations of its tables were changed"
    return ""


@cache
def _expected() -> frozenset[tuple[object, ...]]:
    made = sqlite3.connect(":memory:", isolation_level=None)
    try:
        made.executescript(_TABLES)
        _add_head(made)
        return _declared(made)
    finally:
        made.close()


def _declared(connection: sqlite3.Connection) -> frozenset[tuple[object, ...]]:
    return frozenset(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))
