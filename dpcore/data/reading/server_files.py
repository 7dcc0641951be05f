"""Files that lie on the server, below one folder that its operator allowed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from dpcore.errors import IntakeError

ENVIRONMENT_NAME = "DPCORE_DATA_ROOT"
_ENDINGS = (".csv", ".tsv", ".txt", ".parquet", ".pq", ".gz")
_MOST_LISTED = 1000


@dataclass(frozen=True)
class Listing:
    """What a folder holds: names of its folders and of the files that can be read, in order."""

    folders: tuple[str, ...]
    files: tuple[str, ...]


def server_folder(environ: Mapping[str, str] | None = None) -> ServerFolder | None:
    """The folder that the environment variable DPCORE_DATA_ROOT allows, or None.

    Raises
    ------
    IntakeError
        If the variable names no folder.

    Examples
    --------
    >>> server_folder({}) is None
    True
    """
    named = (os.environ if environ is None else environ).get(ENVIRONMENT_NAME, "").strip()
    if not named:
        return None
    if not Path(named).is_dir():
        raise IntakeError(
            f"{ENVIRONMENT_NAME} names no folder", remedy="ask the operator of this server"
        )
    return ServerFolder(Path(named).resolve())


@dataclass(frozen=True)
class ServerFolder:
    """A folder whose contents visitors may open, and nothing outside it.

    Parameters
    ----------
    root : Path
        Resolved.
    """

    root: Path

    def find(self, name: str) -> Path:
        """The file or folder of a name relative to the root, with every link followed.

        Parameters
        ----------
        name : str
            With forward slashes; empty for the root itself.

        Raises
        ------
        IntakeError
            If it is not there, is hidden, or lies outside the root in the end. The sentence is the
            same for all of these, so it does not tell what lies outside.
        """
        refused = IntakeError(
            f"there is no {name[:100]!r} among the files of this server",
            remedy="choose one of those listed",
        )
        parts = PurePosixPath(name).parts
        if "\0" in name or "\\" in name or any(part.startswith((".", "/")) for part in parts):
            raise refused
        try:
            found = self.root.joinpath(*parts).resolve(strict=True)
        except (OSError, RuntimeError):
            raise refused from None
        if not found.is_relative_to(self.root) or not (found.is_dir() or found.is_file()):
            raise refused
        return found

    def list(self, name: str = "") -> Listing:
        """What a folder holds, hidden entries and ones that lead outside left out.

        Raises
        ------
        IntakeError
            If there is no such folder, or it cannot be read.
        """
        folder = self.find(name)
        try:
            names = sorted(entry.name for entry in folder.iterdir())[:_MOST_LISTED]
        except OSError:
            raise IntakeError(
                f"{name or 'the folder of this server'} cannot be listed",
                remedy="choose a folder, or ask the operator of this server",
            ) from None
        folders, files = [], []
        for entry in names:
            try:
                found = self.find(f"{name}/{entry}" if name else entry)
            except IntakeError:
                continue
            if found.is_dir():
                folders.append(entry)
            elif entry.lower().endswith(_ENDINGS):
                files.append(entry)
        return Listing(tuple(folders), tuple(files))
