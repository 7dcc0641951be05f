"""Reading predictions: label and score of every row, declared or found out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.data.reading import nested_cells, prediction_scores, problems
from dpcore.data.reading.dialect import NOTHING, Dialect, Stated
from dpcore.data.reading.limited_process import in_limited_process
from dpcore.data.reading.prediction_scores import PROBABILITY, SCALES, ScaleName, ScoreScale
from dpcore.data.reading.predictions import (
    ClassScores,
    Grouping,
    PredictionColumns,
    Predictions,
    RowsIncomplete,
)
from dpcore.data.reading.problems import Limits, Pair, Problem
from dpcore.data.reading.roles import classes as label_classes
from dpcore.data.reading.roles import refusals
from dpcore.data.reading.roles.columns import PredictionRoles, guess_roles, score_of_each
from dpcore.data.reading.roles.names import find_columns
from dpcore.data.reading.tables import Upload, read_table, read_texts
from dpcore.data.reading.text_columns import placed_names
from dpcore.errors import IntakeError, InvalidArgument
from dpcore.schema.cell_arrays import called_as
from dpcore.schema.cells import codes_of_classes, level_key, numbers, texts
from dpcore.schema.labels import is_known, is_positive


class _Said(NamedTuple):
    """What is said of columns, classes and scores; what is None is found out, or usual."""

    label: str | None
    score: str | None
    score_b: str | None
    group: str | None
    levels: tuple[str, ...]
    positive: str | None
    negative: str | None
    scale: ScoreScale | ScaleName | None
    bounds: tuple[float, float] | None
    leave_out: bool

    def require(self, dialect: Dialect | None) -> None:
        """Refuse what contradicts itself, before the file is opened."""
        positive, negative = self.positive, self.negative
        if positive is None and (negative is not None or dialect is not None):
            raise InvalidArgument("positive", None, "declared together with negative and dialect")
        if negative is not None and level_key(negative) == level_key(positive):
            raise InvalidArgument("negative", negative, "another label than the positive one")
        if isinstance(self.scale, str) and self.scale not in SCALES:
            known = ", ".join(map(repr, SCALES))
            raise InvalidArgument("scale", self.scale, f"one of {known}")

    def showing_positive(self, every: dict[str, str]) -> _Said:
        """With the score of the positive class, of those of every class, where none is named."""
        same = (one for one in every if level_key(one) == level_key(self.positive))
        return self._replace(score=every.get(next(same, "")) if self.score is None else self.score)

    def names(self, dialect: Dialect, every: dict[str, str]) -> list[str]:
        """What stands for a header, where there is none: the columns that are declared."""
        told = (self.label, self.score, self.score_b, self.group, *every.values())
        # The score that is shown may be that of a class.
        named = [*dict.fromkeys(one for one in told if one is not None)]
        whole = self.label is not None and self.score is not None
        return named if dialect.format == "json" and whole else placed_names(named)


# What may cross from the process that reads.
_READ = (Predictions, Grouping, ClassScores, PredictionRoles, PredictionColumns, ScoreScale)


@in_limited_process(*_READ, Problem, Dialect, Stated)
def read_predictions(
    source: bytes | Path,
    *,
    name: str = "",
    scale: ScoreScale | ScaleName | None = None,
    bounds: tuple[float, float] | None = None,
    label: str | None = None,
    score: str | None = None,
    roles: PredictionRoles | None = None,
    positive: str | None = None,
    negative: str | None = None,
    score_b: str | None = None,
    group: str | None = None,
    levels: tuple[str, ...] | None = None,
    classes: tuple[str, ...] | None = None,
    class_scores: tuple[str, ...] | None = None,
    dialect: Dialect | None = None,
    stated: Stated = NOTHING,
    leave_out: bool = False,
    limits: Limits = problems.DEFAULT_LIMITS,
) -> Predictions:
    r"""Read a table of labels and scores, with any other columns.

    What is not said is guessed, and called so: the columns by their names, types and values; what
    the scores are by their size; the positive class by what the labels mean and how rare they are.

    Parameters
    ----------
    source : bytes or Path
        CSV or its relatives, Parquet, an Excel sheet or JSON, perhaps gzip-compressed.
    name : str, optional
        How sentences call the file.
    scale : {"probability", "percent", "log-odds", "any"}, optional
        What the scores are; see `ScoreScale`. With a dialect probabilities if left out.
    bounds : (float, float), optional
        Public ends of the scale "any"; without a dialect round numbers around the scores, if left
        out.
    label, score : str, optional
        Names of the two columns.
    roles : PredictionRoles, optional
        The same for several scores and a group; without a dialect only.
    positive : str, optional
        The label that counts as positive; "at least 7" cuts a label of numbers. With `negative`
        left out every other label is negative.
    negative : str, optional
        The other label, given with `positive`; rows of a third one are left out.
    score_b : str, optional
        Column of another model's score, of the same scale; with a dialect only.
    group, levels : str and tuple of str, optional
        Column by which records are evaluated in groups, and their public names; with a dialect
        only.
    classes, class_scores : tuple of str, optional
        Public names of the classes, and the column of the score of each; with a dialect only. The
        score of the positive class is then the one that is shown, if no other is named.
    dialect : Dialect, optional
        How the file is written, in the words of its owner; given with `positive`. The columns are
        then found by their names, every row is read by itself, a label that is not positive is
        negative, and a row without a label (or one of neither class, if both are declared) or
        without a usable score is left out.
    stated : Stated, optional
        What is not to be found out of how the file is written, where all the rest is.
    leave_out : bool, default=False
        Whether rows that lack a label or a score are left out without a dialect too, and counted.
    limits : Limits, optional

    Returns
    -------
    Predictions

    Raises
    ------
    IntakeError
        If the columns are not found, a cell is missing (`RowsIncomplete`), the labels are all one,
        or a score is no number or out of a stated range (`ScoreRefused`); the sentence names the
        first data row concerned. With a dialect only if the columns are not found, or the file is
        not written so.
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
    of_rows = (label, score, score_b, group, levels or (), positive, negative)
    said = _Said(*of_rows, scale, bounds, leave_out)
    said.require(dialect)
    if dialect is not None:
        every = dict(zip(classes or (), class_scores or (), strict=True))
        said = said.showing_positive(every)
        names = said.names(dialect, every)
        upload = read_texts(source, name, limits, dialect, names, more=True)
        return _declared(upload, dialect, said, every)
    return _found_out(read_table(source, name, limits, stated), roles, said)


def _found_out(upload: Upload, roles: PredictionRoles | None, said: _Said) -> Predictions:
    """Guess what is not said of the columns too; a refusal tells what was found until then."""
    # A list or an object ends so; most files have none.
    if any(str(cell).endswith(("]", "}", ")")) for cell in upload.frame.iloc[:1].to_numpy().flat):
        upload = replace(upload, frame=nested_cells.unfolded(upload.frame))
    asked = (roles.label, roles.group, *roles.scores) if roles else (said.label, said.score)
    if any(asked):
        upload = replace(upload, frame=called_as(upload.frame, filter(None, asked)))
    found, frame = roles, upload.frame
    try:
        found = found or _roles_of(frame, said.label, said.score, upload.dialect.delimiter)
        _require_present(frame, (found.label, *found.scores))
        labels = label_classes.in_usual_letters(frame[found.label], (said.positive, said.negative))
        frame[found.label], told = labels
        if frame.shape[1] > 2 and roles is None and said.label is None:
            told += refusals.second_label(frame, found.label, found.scores)
        upload = replace(upload, problems=(*upload.problems, *told))
        by_class = score_of_each(frame, found)
        if by_class and roles is None and said.score is None:
            # Every class has a score: the one that is shown is that of the positive class.
            positive = said.positive
            if positive is None:
                cells = frame[found.label].dropna()
                positive = label_classes.likely_positive(label_classes.counts_of(cells))
            found = found.showing(by_class.get(positive, found.score))
        return _guessed(upload, found, said, by_class)
    except IntakeError as error:
        columns = tuple(map(str, frame.columns))
        error.tell(names=columns, dialect=upload.dialect, sheets=upload.sheets, roles=found)
        raise


def _roles_of(
    frame: pd.DataFrame, label: str | None, score: str | None, delimiter: str
) -> PredictionRoles:
    """What the columns are: as said, and guessed where nothing is."""
    said = [one for one in (label, score) if one is not None]
    _require_present(frame, said)
    if label is not None and score is not None:
        return PredictionRoles(label, (score,))
    if not said and (frame.shape[1] == 1 or len(frame) < frame.shape[1]):
        refusals.require_upright(frame)
    found = guess_roles(frame.drop(columns=said), delimiter=delimiter)
    if score is None and any(map(str.isdigit, found.score)):
        refusals.require_one_class(found.score, frame.columns)
    return PredictionRoles(label or found.label, (score,) if score else found.scores, found.group)


def _require_present(frame: pd.DataFrame, wanted: Iterable[str]) -> None:
    """Refuse a table that lacks a column that is asked for."""
    for name in wanted:
        if name not in frame.columns:
            raise IntakeError("the file has no such column", column=name, remedy="choose another")


def _declared(upload: Upload, dialect: Dialect, said: _Said, every: dict[str, str]) -> Predictions:
    """Read every row by itself, by declared facts; the scores of classes of rows with a label."""
    frame, scale = upload.frame, ScoreScale.of(said.scale or PROBABILITY, said.bounds)
    found = find_columns([*map(str, frame.columns)], said.label, said.score)
    label, score = found.label, found.score
    more = [one for one in (said.score_b, said.group, *every.values()) if one is not None]
    frame = nested_cells.with_values(frame, (label, score, *more))
    _require_present(frame, (label, score, *more))
    labels, positive = frame[label].to_numpy(), str(said.positive)
    others = [one for one in (said.negative, *every) if one is not None]
    y_true = is_positive(labels, positive, others).astype(np.int64)
    written = prediction_scores.written_numbers(frame[score], dialect.decimal, scale)
    known = is_known(labels, positive, said.negative)
    cut = label_classes.cut_at(positive)
    if cut is not None and said.negative is None:
        # Each label by itself: a number, or the very words.
        values = numbers(frame[label], dialect.decimal)
        known = ~np.isnan(values) | (y_true == 1)
        y_true = np.asarray(y_true | (values >= cut), dtype=np.int64)
    kept = ~np.isnan(scale.unit(written)) & (True if known is None else known)
    columns, classes = (label, score), (said.negative or f"not {positive}", positive)
    read = _predictions(upload, columns, y_true[kept], written[kept], scale, classes)

    def scores(name: str) -> FloatArray:
        return prediction_scores.declared_scores(frame[name], dialect.decimal, scale)

    other = None if said.score_b is None else scores(said.score_b)[kept]
    by_class, grouping = None, None
    if said.group is not None:
        places = codes_of_classes(frame[said.group], said.levels)[kept]
        grouping = Grouping(places, said.levels)
    if every:
        of_class = is_known(labels, next(iter(every)), None)
        here = slice(None) if of_class is None else of_class
        theirs = {one: scores(one)[here] for one in every.values()}
        by_class = ClassScores.of(every, codes_of_classes(labels, tuple(every))[here], theirs)
    gone = int(np.sum(~kept))
    return replace(read, y_score_b=other, grouping=grouping, by_class=by_class, left_out=gone)


def _guessed(
    upload: Upload, roles: PredictionRoles, said: _Said, by_class: dict[str, str]
) -> Predictions:
    """Read by the roles of the columns, guess what is not said, and refuse rows that do not fit."""
    label, score = columns = roles.label, roles.score
    _require_present(upload.frame, filter(None, (roles.group,)))
    # Rows are counted in the file, whatever is left out.
    frame, unknown = upload.frame.reset_index(drop=True), list[Problem]()
    if roles.group:
        frame[roles.group], unknown = label_classes.in_usual_letters(frame[roles.group])
    if said.leave_out and said.negative is None and not by_class:
        frame[label], told = label_classes.without_odd_labels(frame[label], said.positive)
        unknown += told
    every = {one: _score(frame[one], upload, said) for one in roles.scores}
    units = {one: scale.unit(written) for one, (written, _, scale) in every.items()}
    written, signed, scale = every[score]
    if frame.shape[1] > 2:
        refusals.require_a_row_each(frame, units[score], columns)
    unusable = np.isnan(units[score] if said.scale is None else written)
    kept = _complete(frame, columns, unusable & said.leave_out, said.leave_out)
    cells, labels = frame[score][kept], frame[label][kept]
    # What is beside a score, and another model's is not, may be the other class's.
    beside = [one for one in frame.columns if one == score or one not in roles.scores]
    # A class that has a score of its own is meant, rather than a cut of numbers.
    classes, y_true, told = label_classes.classes_of(
        labels, said.positive, said.negative, cuts=not by_class, score=score, columns=beside
    )
    if (y_true < 0).any():
        label_classes.refuse_third(labels, classes)
    signed = signed and cells.dtype != np.float64
    prediction_scores.require_scores(cells, written[kept], signed, scale)
    read = _predictions(upload, columns, y_true, written[kept], scale, classes)
    guessed = {"classes"} | ({"scale"} if said.scale is None else set())
    guessed |= {"bounds"} if scale.bounds is not None and said.bounds is None else set()
    read = replace(
        read,
        taken_from_data=upload.taken_from_data | guessed,
        left_out=int(np.sum(~kept)),
        roles=roles,
        dialect=upload.dialect,
        names=tuple(str(one) for one in frame.columns),
        choices=label_classes.choices_of(frame[label]),
        sheets=upload.sheets,
        problems=(*read.problems, *unknown, *told, *_remarks(read, written[kept], frame)),
    )
    return _with_every_score(read, roles, frame, units, said, by_class)


def _score(cells: pd.Series, upload: Upload, said: _Said) -> tuple[FloatArray, bool, ScoreScale]:
    """The numbers of a column of scores, whether they carried percent signs, and their scale."""
    name = str(cells.name)
    written, signed = prediction_scores.guessed_numbers(cells, upload.dialect.delimiter)
    signed = signed or name in upload.signed
    on = prediction_scores.scale_of(said.scale, said.bounds, written, name, signed=signed)
    return written, signed, on


def _with_every_score(
    read: Predictions,
    roles: PredictionRoles,
    frame: pd.DataFrame,
    units: dict[str, FloatArray],
    said: _Said,
    by_class: dict[str, str],
) -> Predictions:
    """Add what compares models, groups and classes: all scores, of all rows with a label."""
    cells = frame[roles.label]
    there, y_true = cells.notna().to_numpy(), read.y_true
    if there.sum() > y_true.size:
        positive = said.positive or read.classes[1]
        y_true = label_classes.classes_of(cells[there], positive, said.negative)[1]
    labels = np.full(len(frame), -1, dtype=np.int64)
    labels[there] = y_true
    known = labels >= 0
    scores = {one: unit[known] for one, unit in units.items()}
    group = None if not roles.group else np.array(texts(frame[roles.group]), dtype=object)[known]
    each = None
    if by_class:
        each = ClassScores.of(by_class, codes_of_classes(cells, tuple(by_class))[known], scores)
    return replace(read, parsed=PredictionColumns(labels[known], scores, group), by_class=each)


def _remarks(read: Predictions, written: FloatArray, frame: pd.DataFrame) -> list[Problem]:
    """What a reader of the curve should know."""
    told, bounds = (read.classes, read.columns), read.scale.bounds
    odd = problems.odd_predictions(read.y_true, written, *told)
    odd += [] if bounds is None else problems.beyond(written, bounds, read.columns[1])
    if read.scale.name in ("probability", "percent"):
        odd += problems.decided(read.y_true, read.y_score, *told)
        if label_classes.MOST_CLASSES * np.nanmin(read.y_score, initial=1.0) >= 1.0:
            odd += refusals.sure_of_another(frame, read.y_score, *told)
    return odd + problems.repeated_people(frame.drop(columns=[*read.columns]))


def _complete(frame: pd.DataFrame, columns: Pair, bad: BoolArray, leave_out: bool) -> BoolArray:
    """Which rows have a label and a score; others are refused unless they may be left out."""
    missing = frame[[*columns]].isna().to_numpy()
    missing[:, 1] |= bad
    lacking = np.asarray(missing.any(axis=1), dtype=np.bool_)
    if lacking.any() and (lacking.all() or not leave_out):
        row = int(np.argmax(lacking))
        what, column = ("label", columns[0]) if missing[row, 0] else ("score", columns[1])
        raise RowsIncomplete(int(lacking.sum()), len(frame), what=what, row=row + 1, column=column)
    return np.asarray(~lacking, dtype=np.bool_)


def _predictions(
    upload: Upload, columns: Pair, y: IntArray, written: FloatArray, on: ScoreScale, classes: Pair
) -> Predictions:
    told = (*upload.problems, problems.columns_note(columns, classes))
    # Who has turned the classes, so that the event is the negative one, knows.
    if prediction_scores.falls(columns[1]) and classes == label_classes.in_order(*classes):
        told += (problems.falling_note(columns[1], classes),)
    held = None if on == PROBABILITY else written
    read = Predictions(y, on.unit(written), told, upload.digest, classes)
    return replace(read, scale=on, columns=columns, written=held)
