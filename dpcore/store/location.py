"""Where the ledger is kept, and what this machine notes of it: the newest row that it has seen.

A copy of a ledger from last week is in order in itself: only something that is not copied with it
can tell that it is old. The note lies in the folder that `dpcore.store.location.state_directory`
names, under the identity of the ledger, so it holds for every copy on this machine wherever that
lies. It does not hold on another machine, nor where it is rolled back together with the ledger, nor
where it cannot be written; there a hash that was noted by hand (`verify --head`) does the same.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dpcore.store.chain import Entry, canonical, digest_of

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
            return (
                f"this is an older copy: it has {len(found)} rows, and this machine has seen "
                f"{self.rows} of the same ledger"
            )
        if self.rows and found[self.rows - 1].hash != self.head:
            return f"row {self.rows} is not the one that this machine has seen of the same ledger"
        return ""


def place(identity: str) -> Path:
    """Where the note of a ledger lies."""
    return state_directory() / "ledgers" / f"{identity[:32]}.json"


def seen(identity: str) -> Seen | None:
    """The newest row of a ledger that this machine has noted; None if there is no whole note."""
    try:
        facts, seal = json.loads(place(identity).read_text(encoding="ascii"))
        return Seen(**facts) if seal == digest_of(canonical(facts)) else None
    except (OSError, ValueError, TypeError):
        return None


def note(identity: str, rows: list[Entry]) -> bool:
    """Note the newest row, unless a newer one was noted; whether the note now says so.

    Nothing depends on it at the moment, so a folder that cannot be written stops no release.
    """
    before = seen(identity)
    if before is not None and before.rows >= len(rows):
        return True
    facts = {"rows": len(rows), "head": rows[-1].hash if rows else ""}
    text = canonical([facts, digest_of(canonical(facts))])
    path = place(identity)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")
    except OSError:
        return False
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
        Path(name).replace(path)
    except OSError:
        with suppress(OSError):
            Path(name).unlink()
        return False
    return True


def forget(identity: str) -> None:
    """Give up what was noted: a ledger is deliberately taken back to an older state."""
    place(identity).unlink(missing_ok=True)
