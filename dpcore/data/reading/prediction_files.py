"""Predictions in several files, as one."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dpcore.data.reading.prediction_scores import ScaleName, ScoreScale
from dpcore.data.reading.predictions import PredictionColumns, Predictions
from dpcore.data.reading.predictions_reader import read_predictions
from dpcore.data.reading.problems import DEFAULT_LIMITS, Limits
from dpcore.errors import IntakeError


def read_prediction_files(
    paths: Sequence[Path],
    *,
    scale: ScoreScale | ScaleName | None = None,
    leave_out: bool = False,
    limits: Limits = DEFAULT_LIMITS,
    progress: Callable[[float], None] | None = None,
) -> Predictions:
    """Read predictions from all files of a folder, one after the other.

    Parameters
    ----------
    paths
        At least one; what the classes are called is read from the first.
    scale : {"probability", "percent", "log-odds", "any"}, optional
        Guessed from the first file if left out.
    leave_out
        Whether rows that lack a label or a score are left out, and counted.
    limits
        Of each file, and of the rows of all together.
    progress
        Called with the share that is done; what it raises ends the reading.

    Returns
    -------
    Predictions
        With the problems of the first file, and one digest for all.

    Raises
    ------
    IntakeError
        If there are no files, one cannot be read, or there are too many rows.
    """
    if not paths:
        raise IntakeError("the folder holds no tables", remedy="choose another folder")
    sizes, tell = [path.stat().st_size for path in paths], progress or (lambda _: None)
    read_one = partial(read_predictions, leave_out=leave_out, limits=limits)
    first = read_one(paths[0], scale=scale)
    negative, positive = first.classes
    known: dict[str, Any] = {"positive": positive, "roles": first.roles, "scale": first.scale}
    if negative in first.choices:
        known["negative"] = negative
    read, rows = [first], first.y_score.size
    for place, path in enumerate(paths[1:], start=1):
        tell(sum(sizes[:place]) / max(sum(sizes), 1))
        read.append(read_one(path, **known))
        rows += read[-1].y_score.size
        if rows > limits.rows:
            what = f"the files have more than {limits.rows:,} rows together"
            remedy = "count them without loading them: `python -m dpcore evaluate`"
            raise IntakeError(what, remedy=remedy)
    tell(1.0)
    digests = "".join(one.digest for one in read)
    parts = [one.parsed for one in read if one.parsed is not None]
    groups = [one.group for one in parts if one.group is not None]
    # The files are of one scale and have the same columns.
    written = [one.written for one in read if one.written is not None]
    return replace(
        first,
        y_true=np.concatenate([one.y_true for one in read]),
        y_score=np.concatenate([one.y_score for one in read]),
        written=np.concatenate(written) if written else None,
        parsed=PredictionColumns(
            np.concatenate([one.label for one in parts]),
            {name: np.concatenate([one.scores[name] for one in parts]) for name in parts[0].scores},
            np.concatenate(groups) if groups else None,
        ),
        left_out=sum(one.left_out for one in read),
        digest=first.digest if len(read) == 1 else hashlib.sha256(digests.encode()).hexdigest(),
    )
