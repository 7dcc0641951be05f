"""Where the ledger is kept if nobody says."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

__all__ = ["VARIABLE", "default_path"]

VARIABLE = "DPCORE_LEDGER"


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


def _data_directory(environment: Mapping[str, str]) -> Path:
    if named := environment.get("XDG_DATA_HOME") or environment.get("LOCALAPPDATA"):
        return Path(named)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path.home() / ".local" / "share"
