"""Where the ledger is kept if nobody says, and where this machine notes what it has seen of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

__all__ = ["STATE_VARIABLE", "VARIABLE", "default_path", "state_directory"]

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
    environment : mapping of str to str, optional
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
