"""Predictions of a model that was trained elsewhere: a label and a score in every row."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype
from scipy.special import expit

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import IntakeError
from dpcore.intake.limits import DEFAULT_LIMITS, Limits
from dpcore.intake.problems import Problem
from dpcore.intake.tables import only_intake_errors, read_table
from dpcore.intake.two_values import in_order
from dpcore.schema.cells import cell_text, level_codes, numbers, shown

LABEL_NAMES = ("label", "y_true", "y", "target", "class", "truth", "actual", "outcome")
SCORE_NAMES = (
    "score",
    "y_score",
    "probability",
    "prob",
    "p",
    "prediction",
    "y_pred",
    "y_prob",
    "proba",
)


@dataclass(frozen=True)
class Predictions:
    """Labels and scores.

    Parameters
    ----------
    y_true : IntArray of shape (n,)
        1 for the positive class, 0 for the other.
    y_score : FloatArray of shape (n,)
        Probability of the positive class.
    problems : tuple of Problem
    digest : str
        SHA-256 of the file as it arrived, in hexadecimal.
    classes : (str, str)
        What 0 and 1 are called in the file.
    """

    y_true: IntArray
    y_score: FloatArray
    problems: tuple[Problem, ...]
    digest: str
    classes: tuple[str, str]


@only_intake_errors
def read_predictions(
    source: bytes | Path,
    *,
    name: str = "",
    link: Literal["probability", "logit"] = "probability",
    positive: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Predictions:
    r"""Read a table of labels and scores.

    The two columns are found by their names (label, y_true, y, target, class; score, probability,
    prob, p, prediction, y_score, y_pred); a table of two columns may have others, and then the one
    with two values is the label, or else the first.

    Parameters
    ----------
    source : bytes or Path
        CSV or its relatives, or Parquet, either perhaps gzip-compressed.
    name : str, optional
        How sentences call the file.
    link : {"probability", "logit"}, default="probability"
        What the scores are. Log-odds become probabilities through the logistic function.
    positive : str, optional
        The label that counts as positive. If left out, the greater of two numbers, or the text that
        says so (true, yes, positive), or the later one in the alphabet; a note says which.
    limits : Limits, optional

    Returns
    -------
    Predictions

    Raises
    ------
    IntakeError
        If the columns are not found, a cell is missing, the labels are not two, or a score is no
        probability; the sentence names the first data row concerned.

    Examples
    --------
    >>> read = read_predictions(b"label,score\nyes,0.9\nno,0.2\n")
    >>> read.y_true.tolist(), read.y_score.tolist(), read.classes
    ([1, 0], [0.9, 0.2], ('no', 'yes'))
    """
    _check.one_of(("probability", "logit"), link=link)
    upload = read_table(source, name, limits)
    label, score = _find_columns(upload.frame)
    classes = _classes(upload.frame[label], label, positive)
    y_true = level_codes(upload.frame[label], classes)
    y_score = _scores(upload.frame[score], score, link)
    what = f"Column {label!r} is the label, {score!r} the score"
    note = f"{what}; {classes[1]!r} counts as positive and {classes[0]!r} as negative."
    problems = (*upload.problems, Problem("note", note, column=label))
    return Predictions(y_true, y_score, problems, upload.digest, classes)


def _find_columns(frame: pd.DataFrame) -> tuple[str, str]:
    """Names of the label column and the score column."""
    by_name = {str(name).strip().lower().replace(" ", "_"): str(name) for name in frame.columns}
    label = next((by_name[name] for name in LABEL_NAMES if name in by_name), None)
    score = next((by_name[name] for name in SCORE_NAMES if name in by_name), None)
    if label is not None and score is not None:
        return label, score
    columns = [str(name) for name in frame.columns]
    if len(columns) != 2:
        absent = "label" if label is None else "score"
        raise IntakeError(
            f"no column is named like a {absent}, and there are {len(columns)}, not two",
            remedy="call the two columns of the predictions label and score",
        )
    if label is None and score is None:
        label = _label_of_two(frame, columns)
    first, second = columns
    if label is not None:
        return label, second if label == first else first
    return (second, first) if score == first else (first, second)


def _label_of_two(frame: pd.DataFrame, columns: list[str]) -> str:
    """Of two columns without telling names, the one that can be the label."""
    first, second = columns
    by_values = frame[second].nunique() <= 2 and frame[first].nunique() > 2
    by_type = is_numeric_dtype(frame[first]) and not is_numeric_dtype(frame[second])
    return second if by_values or by_type else first


def _classes(cells: pd.Series, name: str, positive: str | None) -> tuple[str, str]:
    """The two labels, the negative one first."""
    _require_present(cells, name, "label")
    distinct = list(dict.fromkeys(cell_text(value) for value in cells.unique()))
    if len(distinct) == 1:
        raise IntakeError(
            f"every label is {shown(distinct[0])}",
            column=name,
            remedy="upload rows of both classes: a ROC curve needs them",
        )
    if len(distinct) > 2:
        row = int(np.argmax(level_codes(cells, tuple(distinct[:2])) < 0)) + 1
        raise IntakeError(
            f"the label {shown(distinct[2])} of this data row is a third one, after "
            f"{shown(distinct[0])} and {shown(distinct[1])}",
            row=row,
            column=name,
            remedy="reduce the labels to two, or call the right columns label and score",
        )
    negative, greater = in_order(*distinct)
    if positive is None or positive == greater:
        return negative, greater
    if positive != negative:
        raise IntakeError(
            f"no label is {shown(positive)}", column=name, remedy=f"choose {negative} or {greater}"
        )
    return greater, negative


def _require_present(cells: pd.Series, name: str, what: str) -> None:
    missing = cells.isna().to_numpy()
    if missing.any():
        raise IntakeError(
            f"the {what} of this data row is missing ({int(missing.sum()):,} are in all)",
            row=int(np.argmax(missing)) + 1,
            column=name,
            remedy="complete it, or remove the row",
        )


def _scores(cells: pd.Series, name: str, link: str) -> FloatArray:
    _require_present(cells, name, "score")
    scores = numbers(cells)
    if np.isnan(scores).any():
        row = int(np.argmax(np.isnan(scores)))
        raise IntakeError(
            f"the score {shown(cells.iloc[row])} of this data row is no number",
            row=row + 1,
            column=name,
            remedy="correct it, or call the right columns label and score",
        )
    if link == "logit":
        return np.asarray(expit(scores), dtype=np.float64)
    outside = (scores < 0.0) | (scores > 1.0)
    if outside.any():
        row = int(np.argmax(outside))
        raise IntakeError(
            f"the score {shown(scores[row])} of this data row is not between 0 and 1",
            row=row + 1,
            column=name,
            remedy='correct it, or say link="logit" if the scores are log-odds',
        )
    return scores
