"""Finished experiments on disk, so that an interrupted run goes on where it stopped."""

from __future__ import annotations

import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path

from dpcore.errors import DataError
from reproductions.experiment import Experiment
from reproductions.paper_data import PaperData
from reproductions.result import Result

_ROOT = Path(__file__).resolve().parents[1]
_SOURCES = (_ROOT / "dpcore", _ROOT / "reproductions")


@cache
def code_version() -> str:
    """Digest of every source file: a result of other code is never taken for this one's.

    Examples
    --------
    >>> len(code_version())
    16
    """
    digest = hashlib.sha256()
    for path in sorted(path for folder in _SOURCES for path in folder.rglob("*.py")):
        digest.update(path.relative_to(_ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def default_folder() -> Path:
    """Where results are kept if nobody says otherwise: the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "dpcore" / "reproductions"


class ResultCache:
    """Results by configuration, data and code.

    Parameters
    ----------
    folder : Path or None
        None keeps nothing.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def get(self, experiment: Experiment, quick: bool, materials: PaperData) -> Result | None:
        """The finished result, if it is there and whole."""
        if self.folder is None:
            return None
        try:
            text = self._path(self.folder, experiment, quick, materials).read_text("utf-8")
            return Result.from_json(text)
        except (OSError, DataError):
            return None

    def put(self, result: Result, experiment: Experiment, materials: PaperData) -> None:
        """Keep a result: in one step, so that an interruption leaves no half of it."""
        if self.folder is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self._path(self.folder, experiment, result.quick, materials)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=self.folder, suffix=".part", delete=False
        ) as file:
            file.write(result.to_json())
        Path(file.name).replace(path)

    @staticmethod
    def _path(folder: Path, experiment: Experiment, quick: bool, materials: PaperData) -> Path:
        parts = experiment.digest(quick), materials.digest(experiment.data), code_version()
        digest = hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]
        return folder / f"{experiment.name}-{digest}.json"
