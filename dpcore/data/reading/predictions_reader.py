"""Reading predictions: label and score of every row, declared or found out."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.data.reading import label_classes, nested_cells, prediction_scores, problems
from dpcore.data.reading.dialect import NOTHING, Dialect, Stated
from dpcore.data.reading.label_classes import MOST_CLASSES, counts_of, levels_of, likely_positive
from dpcore.data.reading.limited_process import in_limited_process
from dpcore.data.reading.prediction_columns import (
    PredictionRoles,
    find_columns,
    guess_roles,
    require_upright,
    scores_of_classes,
    words_of,
)
from dpcore.data.reading.prediction_scores import PROBABILITY, SCALES, ScaleName, ScoreScale
from dpcore.data.reading.predictions import (
    ClassScores,
    Grouping,
    PredictionColumns,
    Predictions,
    RowsIncomplete,
)
from dpcore.data.reading.problems import Limits, Pair, Problem
from dpcore.data.reading.tables import Upload, read_table, read_texts
from dpcore.data.reading.text_columns import placed_names
from dpcore.errors import IntakeError, InvalidArgument
from dpcore.schema.cells import level_codes, level_key, numbers, texts


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


@in_limited_process(
    Predictions, Grouping, ClassScores, PredictionRoles, PredictionColumns, ScoreScale, Problem,
    Dialect, Stated,
)  # fmt: skip
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
    if positive is None and (negative is not None or dialect is not None):
        raise InvalidArgument("positive", None, "declared together with negative and dialect")
    if negative is not None and level_key(negative) == level_key(positive):
        raise InvalidArgument("negative", negative, "another label than the positive one")
    if isinstance(scale, str) and scale not in SCALES:
        raise InvalidArgument("scale", scale, f"one of {', '.join(map(repr, SCALES))}")
    of_rows = (label, score, score_b, group, levels or (), positive, negative)
    said = _Said(*of_rows, scale, bounds, leave_out)
    if dialect is not None:
        every = dict(zip(classes or (), class_scores or (), strict=True))
        if score is None:
            same = (name for name in every if level_key(name) == level_key(positive))
            score = every.get(next(same, ""))
        # Where there is no header, what is declared stands for it.
        told = (label, score, score_b, group, *every.values())
        named = [one for one in told if one is not None]
        whole = label is not None and score is not None
        names = named if dialect.format == "json" and whole else placed_names(named)
        upload = read_texts(source, name, limits, dialect, names, more=True)
        return _declared(upload, dialect, said._replace(score=score), every)
    upload = read_table(source, name, limits, stated)
    # A list or an object ends so; most files have none.
    if any(str(cell).endswith(("]", "}", ")")) for cell in upload.frame.iloc[:1].to_numpy().flat):
        upload = replace(upload, frame=nested_cells.unfolded(upload.frame))
    found = roles
    try:
        found = found or _roles_of(upload, label, score)
        by_class = _by_class(upload, found)
        if by_class and roles is None and score is None:
            # Every class has a score: the one that is shown is that of the positive class.
            cells = upload.frame[found.label].dropna()
            positive_ = likely_positive(counts_of(cells)) if positive is None else positive
            found = found.showing(by_class.get(positive_, found.score))
        return _guessed(upload, found, said, by_class)
    except IntakeError as error:
        columns = tuple(map(str, upload.frame.columns))
        error.tell(names=columns, dialect=upload.dialect, sheets=upload.sheets, roles=found)
        raise


def _by_class(upload: Upload, roles: PredictionRoles) -> dict[str, str]:
    """The score of each class, where there are more than two and each has one; else empty."""
    _require_columns(upload.frame, (roles.label, *roles.scores))
    classes = levels_of(upload.frame[roles.label]) if len(roles.scores) > 2 else ()
    found = scores_of_classes(roles.scores, classes) if 2 < len(classes) <= MOST_CLASSES else ()
    return dict(zip(classes, found, strict=True)) if found else {}


def _declared(upload: Upload, dialect: Dialect, said: _Said, every: dict[str, str]) -> Predictions:
    """Read every row by itself, by declared facts alone.

    The scores of all classes are those of whichever rows have a label.
    """
    frame, label, score = upload.frame, said.label, said.score
    scale = ScoreScale.of(said.scale or PROBABILITY, said.bounds)
    if label is None or score is None:
        found = find_columns([str(one) for one in frame.columns])
        label, score = label or found.label, score or found.score
    more = [one for one in (said.score_b, said.group, *every.values()) if one is not None]
    frame = nested_cells.with_values(frame, (label, score, *more))
    _require_columns(frame, (label, score, *more))
    labels, positive = frame[label].to_numpy(), str(said.positive)
    y_true = label_classes.is_positive(labels, positive).astype(np.int64)
    written = prediction_scores.written_numbers(frame[score], dialect.decimal, scale)
    known = label_classes.is_known(labels, positive, said.negative)
    cut = label_classes.cut_at(positive)
    if cut is not None and said.negative is None:
        # Each label by itself: a number, or the very words.
        values = numbers(frame[label], dialect.decimal)
        known = ~np.isnan(values) | (y_true == 1)
        y_true = np.asarray(y_true | (values >= cut), dtype=np.int64)
    kept = ~np.isnan(scale.unit(written)) & (True if known is None else known)
    columns, classes = (label, score), (said.negative or f"not {positive}", positive)
    read = _predictions(upload, columns, y_true[kept], written[kept], scale, classes)
    others = (one for one in (said.score_b, *every.values()) if one is not None)
    read_one = partial(prediction_scores.declared_scores, decimal=dialect.decimal, scale=scale)
    scores = {one: read_one(frame[one]) for one in others}
    other, by_class, grouping = None, None, None
    if said.score_b is not None:
        other = scores[said.score_b][kept]
    if said.group is not None:
        grouping = Grouping(level_codes(frame[said.group], said.levels)[kept], said.levels)
    if every:
        of_class = label_classes.is_known(labels, next(iter(every)), None)
        here = slice(None) if of_class is None else of_class
        theirs = {one: scores[one][here] for one in every.values()}
        by_class = ClassScores.of(every, level_codes(labels, tuple(every))[here], theirs)
    gone = int(np.sum(~kept))
    return replace(read, y_score_b=other, grouping=grouping, by_class=by_class, left_out=gone)


def _require_columns(frame: pd.DataFrame, wanted: tuple[str, ...]) -> None:
    for name in wanted:
        if name not in frame.columns:
            raise IntakeError("the file has no such column", column=name, remedy="choose another")


def _roles_of(upload: Upload, label: str | None, score: str | None) -> PredictionRoles:
    """What the columns are: as said, and guessed where nothing is."""
    said = [one for one in (label, score) if one is not None]
    _require_columns(upload.frame, tuple(said))
    if label is not None and score is not None:
        return PredictionRoles(label, (score,))
    if not said:
        require_upright(upload.frame)
    found = guess_roles(upload.frame.drop(columns=said), delimiter=upload.dialect.delimiter)
    # Of "probs_0_prob" beside "probs_0_label" only a row says which class it is of.
    stem = words_of(found.score)[:-1]
    told = [one for one in map(words_of, upload.frame.columns) if one[-1:] == ["label"]]
    many = len([one for one in told if stem and one[:-2] == stem[:-1]]) > 1
    if score is None and many and stem[-1].isdigit() and [*stem, "label"] in told:
        what = "it is the score of whichever class the label of the same number says"
        remedy = "give the score of one class in a column, or choose a column as the score"
        raise IntakeError(what, column=found.score, remedy=remedy)
    return PredictionRoles(label or found.label, (score,) if score else found.scores, found.group)


def _guessed(
    upload: Upload, roles: PredictionRoles, said: _Said, by_class: dict[str, str]
) -> Predictions:
    """Read by the roles of the columns, guess what is not said, and refuse rows that do not fit."""
    label, score, positive, negative = roles.label, roles.score, said.positive, said.negative
    _require_columns(upload.frame, (label, *roles.scores, *([roles.group] if roles.group else [])))
    # Rows are counted in the file, whatever is left out.
    frame, unknown = upload.frame.reset_index(drop=True), list[Problem]()
    if said.leave_out and negative is None and not by_class:
        frame[label], unknown = label_classes.without_odd_labels(frame[label], positive)
    parsed = {one: _numbers(frame[one], upload) for one in roles.scores}
    written, signed = parsed[score]
    scale = prediction_scores.scale_of(said.scale, said.bounds, written, score, signed=signed)
    unusable = np.isnan(scale.unit(written)) if said.scale is None else np.isnan(written)
    label_classes.require_a_row_each(frame, scale.unit(written), (label, score))
    kept = _complete(frame, (label, score), unusable & said.leave_out, said.leave_out)
    cells, labels = frame[score][kept], frame[label][kept]
    # A class that has a score of its own is meant, rather than a cut of numbers.
    cuts, named = not by_class, words_of(score)
    classes, y_true, told = label_classes.classes_of(
        labels, positive, negative, cuts=cuts, score=named
    )
    if (y_true < 0).any():
        label_classes.refuse_third(labels, classes)
    signed = signed and cells.dtype != np.float64
    prediction_scores.require_scores(cells, written[kept], signed, scale)
    read = _predictions(upload, (label, score), y_true, written[kept], scale, classes)
    there = frame[label].notna().to_numpy()
    all_labels = np.full(len(frame), -1, dtype=np.int64)
    if there.sum() > y_true.size:
        y_true = label_classes.classes_of(frame[label][there], positive or classes[1], negative)[1]
    all_labels[there] = y_true
    known = all_labels >= 0
    scores = dict[str, FloatArray]()
    for one, (found, sign) in parsed.items():
        on = prediction_scores.scale_of(said.scale, said.bounds, found, one, signed=sign)
        scores[one] = on.unit(found)[known]
    group = None if not roles.group else np.array(texts(frame[roles.group]), dtype=object)[known]
    places = level_codes(frame[label], tuple(by_class))[known] if by_class else None
    guessed = {"classes"} | ({"scale"} if said.scale is None else set())
    guessed |= {"bounds"} if scale.bounds is not None and said.bounds is None else set()
    return replace(
        read,
        taken_from_data=upload.taken_from_data | guessed,
        left_out=int(np.sum(~kept)),
        roles=roles,
        parsed=PredictionColumns(all_labels[known], scores, group),
        by_class=None if places is None else ClassScores.of(by_class, places, scores),
        dialect=upload.dialect,
        names=tuple(str(one) for one in frame.columns),
        choices=label_classes.choices_of(frame[label]),
        sheets=upload.sheets,
        problems=(*read.problems, *unknown, *told, *_remarks(read, written[kept], frame)),
    )


def _remarks(read: Predictions, written: FloatArray, frame: pd.DataFrame) -> list[Problem]:
    """What a reader of the curve should know."""
    told, bounds = (read.classes, read.columns), read.scale.bounds
    odd = problems.odd_predictions(read.y_true, written, *told)
    odd += [] if bounds is None else problems.beyond(written, bounds, read.columns[1])
    if read.scale.name in ("probability", "percent"):
        odd += problems.decided(read.y_true, read.y_score, *told)
        if MOST_CLASSES * read.y_score.min(initial=1.0) >= 1.0:
            odd += nested_cells.sure_of_another(frame, read.y_score, *told)
    return odd + problems.repeated_people(frame.drop(columns=[*read.columns]))


def _numbers(cells: pd.Series, upload: Upload) -> tuple[FloatArray, bool]:
    """The numbers of a column of scores, and whether they carried percent signs."""
    found, signed = prediction_scores.guessed_numbers(cells, upload.dialect.delimiter)
    return found, signed or str(cells.name) in upload.signed


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
    return Predictions(
        y,
        on.unit(written),
        (*upload.problems, problems.columns_note(columns, classes)),
        upload.digest,
        classes,
        scale=on,
        columns=columns,
        written=None if on == PROBABILITY else written,
    )
