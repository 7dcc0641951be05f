"""Predictions in several files, as one."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np

from dpcore import _check
from dpcore.data.reading.prediction_scores import ScaleName, ScoreScale
from dpcore.data.reading.predictions import PredictionColumns, Predictions
from dpcore.data.reading.predictions_reader import read_predictions
from dpcore.data.reading.problems import DEFAULT_LIMITS, ELSEWHERE, Limits
from dpcore.errors import IntakeError


def read_prediction_files(
    paths: Sequence[Path | str] | Path | str,
    *,
    scale: ScoreScale | ScaleName | None = None,
    positive: str | None = None,
    leave_out: bool = False,
    limits: Limits = DEFAULT_LIMITS,
    progress: Callable[[float], None] | None = None,
    **declared: Any,
) -> Predictions:
    """Read predictions from all files of a folder, one after the other.

    Parameters
    ----------
    paths
        At least one; what the classes are called is read from the first.
    scale : {"probability", "percent", "log-odds", "any"}, optional
        Guessed from the first file if left out.
    positive
        The class that scores are about; guessed from the first file if left out.
    leave_out
        Whether rows that lack a label or a score are left out, and counted.
    limits
        Of each file, and of the rows of all together.
    progress
        Called with the share that is done; what it raises ends the reading.
    **declared
        Columns and classes that are the same in every file, as `read_predictions` takes them.

    Returns
    -------
    Predictions
        With the problems of the first file, and one digest for all.

    Raises
    ------
    IntakeError
        If there are no files, one cannot be read, or there are too many rows.
    """
    _check.known_options("read_prediction_files", declared, signature(read_predictions).parameters)
    if not paths:
        raise IntakeError("the folder holds no tables", remedy="choose another folder")
    files = [Path(one) for one in ([paths] if isinstance(paths, Path | str) else paths)]
    # Reading says of a file that is not there how it is called.
    sizes = [path.stat().st_size if path.is_file() else 0 for path in files]
    tell = progress or (lambda _: None)
    declared |= {"leave_out": leave_out, "limits": limits}
    read_one: Callable[..., Predictions] = partial(read_predictions, **declared)
    first = read_one(files[0], scale=scale, positive=positive)
    negative, positive = first.classes
    known: dict[str, Any] = {"positive": positive, "scale": first.scale}
    if first.roles is not None:
        known["roles"] = first.roles
    if negative in first.choices:
        known["negative"] = negative
    read, rows = [first], first.y_score.size
    for place, path in enumerate(files[1:], start=1):
        tell(sum(sizes[:place]) / max(sum(sizes), 1))
        read.append(read_one(path, **known))
        rows += read[-1].y_score.size
        if rows > limits.rows:
            what = f"the files have more than {limits.rows:,} rows together"
            raise IntakeError(what, remedy=f"choose fewer files{ELSEWHERE}")
    tell(1.0)
    digests = "".join(one.digest for one in read)
    parts = [one.parsed for one in read if one.parsed is not None]
    # The files are of one scale and have the same columns.
    written = [one.written for one in read if one.written is not None]
    others = [one.y_score_b for one in read if one.y_score_b is not None]
    places = [one.grouping.places for one in read if one.grouping is not None]
    return replace(
        first,
        y_true=np.concatenate([one.y_true for one in read]),
        y_score=np.concatenate([one.y_score for one in read]),
        written=np.concatenate(written) if written else None,
        y_score_b=np.concatenate(others) if others else None,
        grouping=first.grouping and replace(first.grouping, places=np.concatenate(places)),
        parsed=_together(parts),
        left_out=sum(one.left_out for one in read),
        digest=first.digest if len(read) == 1 else hashlib.sha256(digests.encode()).hexdigest(),
    )


def _together(parts: Sequence[PredictionColumns]) -> PredictionColumns | None:
    if not parts:
        return None
    groups = [one.group for one in parts if one.group is not None]
    names = parts[0].scores
    return PredictionColumns(
        np.concatenate([one.label for one in parts]),
        {name: np.concatenate([one.scores[name] for one in parts]) for name in names},
        np.concatenate(groups) if groups else None,
    )
