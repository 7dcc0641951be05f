"""Files of a report: each is there whole or not at all, however the command ends."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from dpcore.errors import MissingResource

_PROBLEM = "the report cannot be written"
_REMEDY = "give another folder with --out"
_UNFINISHED = ".unfinished-"


def check_writable(folder: Path) -> None:
    """Refuse a folder that cannot be written to, before anything is spent on what goes there.

    A command that is refused later leaves nothing behind.

    Raises
    ------
    MissingResource
    """
    standing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not standing.is_dir():
        raise MissingResource(f"{_PROBLEM} to {folder}: {standing} is no folder", _REMEDY)
    try:
        # Tried, because rights alone do not tell: a file system may be read-only, or full.
        with TemporaryDirectory(dir=standing, prefix=_UNFINISHED):
            pass
    except OSError as error:
        raise MissingResource(f"{_PROBLEM} to {folder}: {_reason(error)}", _REMEDY) from None


def write_files(
    folder: Path,
    files: Mapping[str, str | bytes],
    *,
    problem: str = _PROBLEM,
    remedy: str = _REMEDY,
) -> None:
    """Write files by name, in a folder that is made if it is absent.

    They are written aside and then take their places, so that an interruption or a full disk leaves
    what was there before.

    Raises
    ------
    MissingResource
        If that cannot be done.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder, prefix=_UNFINISHED) as aside:
            for name, content in files.items():
                whole = content.encode() if isinstance(content, str) else content
                Path(aside, name).write_bytes(whole)
            for name in files:
                Path(aside, name).replace(folder / name)
    except OSError as error:
        raise MissingResource(f"{problem} to {folder}: {_reason(error)}", remedy) from None


def _reason(error: OSError) -> str:
    return (error.strerror or "unknown reason").lower()
