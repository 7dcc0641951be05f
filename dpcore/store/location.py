"""Where the ledger is kept, how its file is laid out, and what this machine has seen of it.

A copy of a ledger from last week is in order in itself: only something that is not copied with it
can tell that it is old. The note lies in the folder that `dpcore.store.location.state_directory`
names, under the identity of the ledger, so it holds for every copy on this machine wherever that
lies. It does not hold on another machine, nor where it is rolled back together with the ledger, nor
where it cannot be written; there a hash that was noted by hand (`verify --head`) does the same.
"""

import json
import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from dpcore.errors import LedgerDamaged, MissingResource
from dpcore.noise import SystemNoise
from dpcore.store.chain import Entry, canonical, digest_of

# 1 had an index in place of the head: what was spent was read through it, and it could be damaged.
VERSION = 2

APPLICATION = 0x64704C31

_TABLES = Path(__file__).with_name("tables.sql").read_text(encoding="utf-8")

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
    # All of it is one transaction: the disk is waited for once, and not at each declaration.
    connection.executescript(f"BEGIN; PRAGMA application_id = {APPLICATION}; {_TABLES}")
    _add_head(connection)
    connection.execute("INSERT INTO secret VALUES (?)", (key,))
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


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
        what = f"the ledger {path.name} has layout {version}, and this program knows {VERSION} only"
        raise MissingResource(what, "use the version of dpcore that wrote it")
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


VARIABLE = "DPCORE_LEDGER"

STATE_VARIABLE = "DPCORE_STATE"


def default_path(environment: Mapping[str, str] | None = None) -> Path:
    """Path of the ledger: what ``DPCORE_LEDGER`` says, else a file in the user's data directory.

    Parameters
    ----------
    environment : mapping of str to str, optional
        In place of the environment of the process.

    Examples
    --------
    >>> default_path({"DPCORE_LEDGER": "ledger.sqlite"}).name
    'ledger.sqlite'
    >>> default_path({"XDG_DATA_HOME": "data"}).parts[-2:]
    ('dpcore', 'ledger.sqlite')
    """
    known = os.environ if environment is None else environment
    if named := known.get(VARIABLE):
        return Path(named)
    return _data_directory(known) / "dpcore" / "ledger.sqlite"


def state_directory(environment: Mapping[str, str] | None = None) -> Path:
    """What ``DPCORE_STATE`` says, else the folder for the state of the user's programs.

    Another one than that of the ledger: it is not to be taken back to an older state with it.

    Parameters
    ----------
    environment
        In place of the environment of the process.

    Examples
    --------
    >>> state_directory({"DPCORE_STATE": "state"}).name
    'state'
    >>> state_directory({"XDG_STATE_HOME": "local"}).parts[-2:]
    ('local', 'dpcore')
    """
    known = os.environ if environment is None else environment
    if named := known.get(STATE_VARIABLE):
        return Path(named)
    if home := known.get("XDG_STATE_HOME"):
        return Path(home) / "dpcore"
    if sys.platform in ("darwin", "win32"):
        return _data_directory(known) / "dpcore" / "state"
    return Path.home() / ".local" / "state" / "dpcore"


def _data_directory(environment: Mapping[str, str]) -> Path:
    if named := environment.get("XDG_DATA_HOME") or environment.get("LOCALAPPDATA"):
        return Path(named)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path.home() / ".local" / "share"


@dataclass(frozen=True)
class Seen:
    """The newest row that was seen."""

    rows: int
    head: str

    def problem(self, found: list[Entry]) -> str:
        """What is wrong with rows that should go on from it; empty if nothing is."""
        if len(found) < self.rows:
            seen = f"this machine has seen {self.rows} of the same ledger"
            return f"this is an older copy: it has {len(found)} rows, and {seen}"
        if self.rows and found[self.rows - 1].hash != self.head:
            return f"row {self.rows} is not the one that this machine has seen of the same ledger"
        return ""


# So often notes are looked for that others replace meanwhile.
_LOOKS = 100


def _notes(identity: str) -> dict[Path, Seen | None]:
    """What was noted of a ledger, by where it stands; None for what is no whole note."""
    for _ in range(_LOOKS):
        found = (state_directory() / "ledgers").glob(f"{identity[:32]}*.json")
        # What is gone before it was read has given way to a newer one.
        with suppress(FileNotFoundError):
            return {path: _read(path) for path in found}
    return {}


def _read(path: Path) -> Seen | None:
    try:
        facts, seal = json.loads(path.read_text(encoding="ascii"))
        return Seen(**facts) if seal == digest_of(canonical(facts)) else None
    except FileNotFoundError:
        raise
    except (OSError, ValueError, TypeError):
        return None


def _newest(notes: Mapping[Path, Seen | None]) -> Seen | None:
    return max(filter(None, notes.values()), key=lambda one: one.rows, default=None)


def seen(identity: str) -> Seen | None:
    """The newest row of a ledger that this machine has noted; None if there is no whole note."""
    return _newest(_notes(identity))


def note(identity: str, rows: list[Entry]) -> bool:
    """Note the newest row, unless a newer one was noted; whether the note now says so.

    Each row has a note of its own, which then takes the place of older ones: of two processes
    neither overwrites what the other has seen. Nothing depends on it at the moment, so a folder
    that cannot be written stops no release.
    """
    before = _notes(identity)
    newest = _newest(before)
    if newest is not None and newest.rows >= len(rows):
        return True
    facts = {"rows": len(rows), "head": rows[-1].hash if rows else ""}
    text = canonical([facts, digest_of(canonical(facts))])
    path = state_directory() / "ledgers" / f"{identity[:32]}-{len(rows)}.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with draft_beside(path) as draft:
            draft.write_text(text, encoding="ascii")
            draft.replace(path)
        for older in before.keys() - {path}:
            older.unlink(missing_ok=True)
    except OSError:
        return False
    return True


@contextmanager
def draft_beside(path: Path) -> Iterator[Path]:
    """An empty file in the same folder, only its owner's, that is gone at the end."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    os.close(handle)
    draft = Path(name)
    try:
        yield draft
    finally:
        # What SQLite could not finish lies beside it, the key of a ledger perhaps within.
        for suffix in ("", "-wal", "-shm", "-journal"):
            Path(f"{name}{suffix}").unlink(missing_ok=True)


def forget(identity: str) -> None:
    """Give up what was noted: a ledger is deliberately taken back to an older state."""
    for path in _notes(identity):
        path.unlink(missing_ok=True)
