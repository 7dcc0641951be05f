"""Predictions of a model that was trained elsewhere: a label and a score in every row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.data.reading.dialect import Dialect
from dpcore.data.reading.labels import is_known, is_positive
from dpcore.data.reading.limited_process import in_limited_process
from dpcore.data.reading.limits import DEFAULT_LIMITS, Limits
from dpcore.data.reading.prediction_columns import find_columns
from dpcore.data.reading.prediction_scores import (
    SCORE_SCALES,
    ScoreScale,
    guessed_numbers,
    probabilities,
    written_numbers,
)
from dpcore.data.reading.problems import Problem
from dpcore.data.reading.tables import Upload, only_intake_errors, read_table, read_texts
from dpcore.data.reading.two_values import in_order
from dpcore.errors import IntakeError, InvalidArgument
from dpcore.schema.cells import cell_text, level_codes, level_key, shown


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
    left_out : int, default=0
        Rows without a label or a usable score that were left out (private).
    taken_from_data : frozenset of str, default=frozenset()
        "dialect", "types" and "classes" if they were guessed from the rows; a private release
        refuses that.
    link : {"probability", "percent", "logit"}, default="probability"
        What the scores are in the file.
    columns : (str, str)
        Names of the label and of the score.
    written : FloatArray of shape (n,), optional
        The numbers of the scores as they are in the file, where `link` had to turn them into
        probabilities: those of log-odds beyond 37 are all 1 to a computer.
    """

    y_true: IntArray
    y_score: FloatArray
    problems: tuple[Problem, ...]
    digest: str
    classes: tuple[str, str]
    left_out: int = 0
    taken_from_data: frozenset[str] = frozenset()
    link: ScoreScale = "probability"
    columns: tuple[str, str] = ("", "")
    written: FloatArray | None = None

    def with_positive(self, positive: str) -> Predictions:
        r"""The same predictions with scores that are about this class.

        Raises
        ------
        InvalidArgument
            If it is none of the two classes.

        Examples
        --------
        >>> read = read_predictions(b"label,score\ngood,0.9\nbad,0.2\n")
        >>> read.classes, read.with_positive("bad").y_true.tolist()
        (('bad', 'good'), [0, 1])
        """
        if positive not in self.classes:
            raise InvalidArgument("positive", positive, f"one of {self.classes}")
        if positive == self.classes[1]:
            return self
        classes = self.classes[::-1]
        told = Problem("note", _roles(self.columns, self.classes), column=self.columns[0])
        now = replace(told, sentence=_roles(self.columns, classes))
        problems = tuple(now if problem == told else problem for problem in self.problems)
        return replace(self, y_true=1 - self.y_true, classes=classes, problems=problems)


class RowsIncomplete(IntakeError):
    """Some rows lack a label or a score: `missing` of `rows`."""

    def __init__(self, missing: int, rows: int, *, what: str, row: int, column: str) -> None:
        self.missing, self.rows = missing, rows
        super().__init__(
            f"the {what} of this data row is missing, and {missing:,} of {rows:,} rows lack a "
            "label or a score",
            row=row,
            column=column,
            remedy="complete them, or leave them out",
        )


@only_intake_errors
@in_limited_process(Predictions, Problem, Dialect)
def read_predictions(
    source: bytes | Path,
    *,
    name: str = "",
    link: ScoreScale = "probability",
    positive: str | None = None,
    negative: str | None = None,
    dialect: Dialect | None = None,
    leave_out: bool = False,
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
    link : {"probability", "percent", "logit"}, default="probability"
        What the scores are. Percentages lie between 0 and 100 and may carry their sign; log-odds
        become probabilities through the logistic function.
    positive : str, optional
        The label that counts as positive. If left out, the greater of two numbers, or the text that
        says so (true, yes, positive), or the later one in the alphabet; a note says which.
    negative : str, optional
        The other label, given with `positive`.
    dialect : Dialect, optional
        How the file is written, in the words of its owner; given with `positive`. The columns are
        then found by their names, every row is read by itself, a label that is not positive is
        negative, and a row without a label (or one of neither class, if both are declared) or
        without a usable score is left out.
    leave_out : bool, default=False
        Whether rows that lack a label or a score are left out without a dialect too, and counted.
    limits : Limits, optional

    Returns
    -------
    Predictions

    Raises
    ------
    IntakeError
        If the columns are not found, a cell is missing (`RowsIncomplete`), the labels are not two,
        or a score is no number or out of range (`ScoreRefused`); the sentence names the first data
        row concerned. With a dialect only if the columns are not found, or the file is not written
        so.
    InvalidArgument
        If `negative` or `dialect` is given without `positive`, or both labels are one.

    Examples
    --------
    >>> read = read_predictions(b"label,score\nyes,0.9\nno,0.2\n")
    >>> read.y_true.tolist(), read.y_score.tolist(), read.classes
    ([1, 0], [0.9, 0.2], ('no', 'yes'))
    >>> table = b"label,score\nyes,0.9\nyes,high\n"
    >>> read = read_predictions(table, positive="yes", negative="no", dialect=Dialect())
    >>> read.y_true.tolist(), read.left_out
    ([1], 1)
    """
    _check.one_of(SCORE_SCALES, link=link)
    if positive is None and (negative is not None or dialect is not None):
        raise InvalidArgument("positive", None, "declared together with negative and dialect")
    if negative is not None and level_key(negative) == level_key(positive):
        raise InvalidArgument("negative", negative, "another label than the positive one")
    if dialect is None:
        return _guessed(read_table(source, name, limits), link, positive, negative, leave_out)
    upload = read_texts(source, name, limits, dialect)
    label, score = find_columns(upload.frame, by_content=False)
    labels = upload.frame[label].to_numpy()
    y_true = is_positive(labels, str(positive)).astype(np.int64)
    written = written_numbers(upload.frame[score], dialect.decimal, link)
    kept = ~np.isnan(probabilities(written, link))
    known = is_known(labels, str(positive), negative)
    kept = kept if known is None else known & kept
    classes = (negative or f"not {positive}", str(positive))
    read = _predictions(upload, (label, score), y_true[kept], written[kept], classes, link)
    return replace(read, left_out=int(np.sum(~kept)))


def _guessed(
    upload: Upload, link: ScoreScale, positive: str | None, negative: str | None, leave_out: bool
) -> Predictions:
    """Find columns and classes by looking at the cells, and refuse any row that does not fit."""
    label, score = find_columns(upload.frame, by_content=True)
    # Rows are counted in the file, whatever is left out.
    frame = upload.frame.reset_index(drop=True)
    kept = _complete(frame, label, score, leave_out)
    frame = frame[kept]
    classes = _classes(frame[label], label, positive, negative)
    y_true = level_codes(frame[label], classes)
    written = guessed_numbers(frame[score], score, link, upload.dialect.delimiter)
    read = _predictions(upload, (label, score), y_true, written, classes, link)
    guessed = upload.taken_from_data | {"classes"}
    return replace(read, taken_from_data=guessed, left_out=int(np.sum(~kept)))


def _complete(frame: pd.DataFrame, label: str, score: str, leave_out: bool) -> BoolArray:
    """Which rows have a label and a score; others are refused unless they may be left out."""
    missing = frame[[label, score]].isna().to_numpy()
    lacking = missing.any(axis=1)
    if lacking.any() and (lacking.all() or not leave_out):
        row = int(np.argmax(lacking))
        what, column = ("label", label) if missing[row, 0] else ("score", score)
        raise RowsIncomplete(int(lacking.sum()), len(frame), what=what, row=row + 1, column=column)
    return np.asarray(~lacking, dtype=np.bool_)


def _predictions(
    upload: Upload,
    columns: tuple[str, str],
    y_true: IntArray,
    written: FloatArray,
    classes: tuple[str, str],
    link: ScoreScale,
) -> Predictions:
    note = Problem("note", _roles(columns, classes), column=columns[0])
    return Predictions(
        y_true,
        probabilities(written, link),
        (*upload.problems, note),
        upload.digest,
        classes,
        link=link,
        columns=columns,
        written=None if link == "probability" else written,
    )


def _roles(columns: tuple[str, str], classes: tuple[str, str]) -> str:
    """What each column and each class is, in a sentence."""
    what = f"Column {columns[0]!r} is the label, {columns[1]!r} the score"
    return f"{what}; {classes[1]!r} counts as positive and {classes[0]!r} as negative."


def _classes(
    cells: pd.Series, name: str, positive: str | None, negative: str | None
) -> tuple[str, str]:
    """The two labels, the negative one first."""
    if positive is not None and negative is not None:
        _refuse_third(cells, name, (negative, positive))
        return negative, positive
    written: dict[str | float, str] = {}
    for value in cells.unique():
        written.setdefault(level_key(value), cell_text(value))
    first, *others = written.values()
    if not others:
        return _one_class(first, name, positive)
    _refuse_third(cells, name, (first, others[0]))
    lesser, greater = in_order(first, others[0])
    if positive is None or level_key(positive) == level_key(greater):
        return lesser, greater
    if level_key(positive) != level_key(lesser):
        raise IntakeError(
            f"no label is {shown(positive)}", column=name, remedy=f"choose {lesser} or {greater}"
        )
    return greater, lesser


def _one_class(label: str, name: str, positive: str | None) -> tuple[str, str]:
    if positive is None:
        raise IntakeError(
            f"every label is {shown(label)}",
            column=name,
            remedy="upload rows of both classes",
        )
    is_positive = level_key(positive) == level_key(label)
    return (f"not {positive}" if is_positive else label), positive


def _refuse_third(cells: pd.Series, name: str, classes: tuple[str, str]) -> None:
    others = level_codes(cells, classes) < 0
    if others.any():
        row = int(np.argmax(others))
        raise IntakeError(
            f"the label {shown(cells.iloc[row])} of this data row is a third one, after "
            f"{shown(classes[0])} and {shown(classes[1])}",
            row=int(cells.index[row]) + 1,
            column=name,
            remedy="reduce the labels to two, or call the right columns label and score",
        )
