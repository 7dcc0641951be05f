"""At most one process at a time draws noise for one data set."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dpcore.errors import MissingResource
from dpcore.store.connection import connected

__all__ = ["lease"]


@contextmanager
def lease(ledger: Path, name: str, *, timeout: float) -> Iterator[None]:
    """Hold the right to draw from one data set; the system takes it back if the process dies.

    The right is a lock on a file beside the ledger, so no clock and no process number has to be
    trusted to find out whether its holder still lives.

    Parameters
    ----------
    ledger : Path
    name : str
        Of the data set.
    timeout : float
        Seconds to wait for another holder.

    Raises
    ------
    MissingResource
        If another process holds it all that time.
    """
    folder = ledger.with_name(f"{ledger.name}-leases")
    folder.mkdir(exist_ok=True, mode=0o700)
    with connected(folder / f"{name[:32]}.lease", timeout=timeout) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise MissingResource(
                "another release from these data is still being drawn",
                "try again when it has finished",
            ) from error
        try:
            yield
        finally:
            connection.execute("ROLLBACK")
