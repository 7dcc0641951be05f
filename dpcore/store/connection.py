"""Opening the file: one short-lived connection per transaction, and none that survives a fork."""

import os
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from dpcore.errors import LedgerDamaged, MissingResource, PrivacyError
from dpcore.privacy.ledger import FORKS
from dpcore.store.location import draft_beside, fill, migrate, require_ledger

# Where Linux lists what is mounted where: the fifth word of a line, its blanks as octal numbers.
_MOUNTS = Path("/proc/self/mountinfo")
# How long a transaction waits for another process's, each of which takes milliseconds.
BUSY_SECONDS = 30.0
# Looks, a hundredth of a second apart, in which a ledger that is being made gets its one name.
NAME_LOOKS = 200
# What SQLite says of a medium that cannot be written, and of one that is busy or lacks memory: not
# of the file, for the same ledger may hold elsewhere, or later.
_NOT_WRITABLE, _NOT_NOW = (
    {getattr(sqlite3, f"SQLITE_{name}") for name in names.split()}
    for names in ("CANTOPEN FULL IOERR PERM READONLY", "BUSY LOCKED NOMEM PROTOCOL")
)
_NO_TEXT = "a text in it is no text"


# The processes of the connections that are open, a fork's parents among them. SQLite keeps count of
# its file locks in memory. A child inherits the count and not the locks, so it must not touch the
# file; a fork between transactions is harmless.
_OPEN: list[tuple[int, int]] = []


@contextmanager
def connected(
    path: Path, *, timeout: float = BUSY_SECONDS, how: str = "mode=rwc"
) -> Iterator[sqlite3.Connection]:
    """A connection to any SQLite file, closed at the end.

    Raises
    ------
    PrivacyError
        In a process that was forked while a transaction was open.
    """
    here = FORKS.here()
    if any(process != here for process in _OPEN):
        raise PrivacyError(
            "this process was forked while the ledger was in use, so it cannot use the ledger "
            "safely; start a new process instead"
        )
    _OPEN.append(here)
    try:
        address = f"{path.absolute().as_uri()}?{how}"
        opened = sqlite3.connect(address, timeout=timeout, isolation_level=None, uri=True)
        with closing(opened) as connection:
            yield connection
    finally:
        # What was open when this process was forked stays in its list.
        if here == FORKS.here():
            _OPEN.remove(here)


@contextmanager
def transaction(path: Path, *, write: bool = True) -> Iterator[sqlite3.Connection]:
    """One transaction on the ledger: all of it is durable at the end, or nothing of it happened.

    A ledger of an earlier layout is brought up to date by the first transaction that writes. One
    that only reads does so in a folder that cannot be written, and on a full disk.

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
        with _opened(path, write=write) as connection:
            try:
                if write and require_ledger(connection, path) == 1:
                    migrate(connection)
                yield connection
            except BaseException:
                # A full disk may have ended the transaction already.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
    except sqlite3.DatabaseError as error:
        # The low byte is the kind of the error; the others say where it arose. Without one the
        # fault is in a text, which Python's module quotes: it may be the key.
        code = getattr(error, "sqlite_errorcode", None)
        if code is None:
            raise LedgerDamaged(_NO_TEXT) from None
        if code & 0xFF not in _NOT_WRITABLE | _NOT_NOW:
            raise LedgerDamaged(str(error)) from error
        remedy = "try again, and check that its folder can be written and has room"
        raise MissingResource(f"the ledger {path.name} cannot be used: {error}", remedy) from error
    except UnicodeDecodeError as error:
        raise LedgerDamaged(_NO_TEXT) from error


@contextmanager
def _opened(path: Path, *, write: bool) -> Iterator[sqlite3.Connection]:
    """A connection in a transaction."""
    if write:
        before = _alone_by_name(path)
        with connected(path, how="mode=rw") as connection:
            _begin(connection, path, "BEGIN IMMEDIATE")
            if path.stat().st_ino != before:
                what = f"the ledger {path.name} was replaced meanwhile"
                raise MissingResource(what, "ask once more")
            yield connection
        return
    with connected(path, how="mode=rw") as connection:
        if _begins(connection, path):
            yield connection
            return
    with _only_read(path) as connection:
        yield connection


def _alone_by_name(path: Path) -> int:
    """The number of a file that has one name; making and restoring give it two for a moment.

    SQLite keeps its log and its locks under the name by which a file is opened. Of two hard links
    each would have its own, and whoever used one could spend what the other had spent. The same
    holds of a file that was mounted without its folder, which has its other name where it is from.
    """
    if _mounted_by_itself(path):
        what = f"the ledger {path.name} was mounted without its folder"
        raise MissingResource(what, "mount the folder: its log has to be beside it for everybody")
    for _ in range(NAME_LOOKS):
        if (found := path.stat()).st_nlink < 2:
            return found.st_ino
        time.sleep(0.01)
    what = f"the ledger {path.name} has a second name (a hard link)"
    raise MissingResource(what, "remove one: both would have a log of their own")


def _mounted_by_itself(path: Path) -> bool:
    """Whether a file is the root of a mount, as far as the system lists its mounts."""
    mounts = _MOUNTS.read_bytes() if os.access(_MOUNTS, os.R_OK) else b""
    there = os.fsencode(path.resolve())
    name = re.sub(rb"[ \t\n\\]", lambda mark: b"\\%03o" % ord(mark[0]), there)
    return any(line.split(b" ")[4:5] == [name] for line in mounts.splitlines())


def _begins(connection: sqlite3.Connection, path: Path) -> bool:
    """Begin to read; False where SQLite would have to write for it, and cannot."""
    try:
        _begin(connection, path, "BEGIN")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in _NOT_WRITABLE:
            raise
        return False
    return True


def _begin(connection: sqlite3.Connection, path: Path, statement: str) -> None:
    require_ledger(connection, path)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(statement)
    # What is seen from now on is one state of the file.
    connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()


@contextmanager
def _only_read(path: Path) -> Iterator[sqlite3.Connection]:
    """A transaction where nothing can be written, not even SQLite's list of readers.

    What was committed and not yet moved into the file lies in a second one beside it. Without one
    the file is read as it is. With one, SQLite keeps its list in memory while nobody else may read,
    or, where it may not lock the file, a copy in the folder for temporary files is read.
    """
    log = path.with_name(f"{path.name}-wal")
    if not (log.is_file() and log.stat().st_size):
        before = path.stat()
        with connected(path, how="mode=ro&immutable=1") as connection:
            _begin(connection, path, "BEGIN")
            yield connection
        after = path.stat()
        if (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, after.st_size):
            what = f"the ledger {path.name} was written while it was read"
            raise MissingResource(what, "ask once more")
        return
    with connected(path, how="mode=rw") as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        if _begins(connection, path):
            yield connection
            return
    with _copied(path, log) as copy, connected(copy, how="mode=rw") as connection:
        _begin(connection, copy, "BEGIN")
        yield connection


@contextmanager
def _copied(path: Path, log: Path) -> Iterator[Path]:
    with ExitStack() as stack:
        try:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            copy = folder / "ledger.sqlite"
            shutil.copyfile(path, copy)
            shutil.copyfile(log, copy.with_name(f"{copy.name}-wal"))
        except OSError as error:
            what = f"the ledger {path.name} cannot be read where it is, nor copied"
            remedy = f"copy it and {log.name} to a folder that can be written and has room"
            raise MissingResource(what, remedy) from error
        yield copy


def create(path: Path) -> None:
    """Make an empty ledger with a fresh key, unless there is one already.

    The file is made under another name and linked into place whole: of two processes that make it,
    one wins, and nobody sees a half-made one. Only its owner can read it.
    """
    if path.exists():
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with draft_beside(path) as draft:
            with connected(draft) as connection:
                fill(connection)
            with suppress(FileExistsError):
                os.link(draft, path)
            durable(path.parent)
    except (OSError, sqlite3.Error) as error:
        what = f"the ledger {path} cannot be made: {getattr(error, 'strerror', error)}"
        raise MissingResource(what, "give another path, or a folder that can be written") from error


def durable(path: Path) -> None:
    """Have a file or a folder on the disk when this returns.

    Without this a power cut can lose the name of a file whose content is safe.
    """
    if path.is_dir() and not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
