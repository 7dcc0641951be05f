"""Results that ship with the project, measured on the papers' real data."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from reproductions.experiment import Experiment
from reproductions.result import Result

_FOLDER = Path(__file__).parent / "recorded_results"


def recorded(experiment: Experiment, *, quick: bool | None = None) -> Result | None:
    """The shipped result of an experiment; None if there is none, or its settings have changed.

    Only numbers are recorded. What they say is computed from them, as after any other run.

    Parameters
    ----------
    experiment : Experiment
    quick : bool, optional
        Of the quick settings or the full ones; by default the full ones if they are recorded.

    Examples
    --------
    >>> from reproductions.catalogue import experiment
    >>> recorded(experiment("stoddard-table-1")).quick
    False
    >>> recorded(experiment("stoddard-table-1"), quick=True).quick
    True
    """
    if quick is None:
        return recorded(experiment, quick=False) or recorded(experiment, quick=True)
    result = _read(experiment.name if quick else f"{experiment.name}.full")
    return result if result is not None and result.digest == experiment.digest(quick) else None


@cache
def _read(name: str) -> Result | None:
    path = _FOLDER / f"{name}.json"
    return Result.from_json(path.read_text("utf-8")) if path.is_file() else None
