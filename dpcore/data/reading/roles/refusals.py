"""Refusals of tables of which nobody could tell whose the scores are, each with its sentence."""

from collections.abc import Iterable
from itertools import permutations

import numpy as np
import pandas as pd
from pandas.api.types import is_integer_dtype

from dpcore._typing import FloatArray
from dpcore.data.reading.prediction_scores import guessed_numbers
from dpcore.data.reading.problems import FEW_RECORDS, Pair, Problem, listed
from dpcore.data.reading.roles import KNOWN
from dpcore.data.reading.roles.classes import MOST_CLASSES, levels_of, words_of
from dpcore.data.reading.roles.columns import is_decided, label_likeness, score_likeness
from dpcore.data.reading.roles.pairs import scores_of_classes
from dpcore.data.reading.survey import columns_of
from dpcore.errors import IntakeError
from dpcore.schema import Numeric, Schema
from dpcore.schema.cells import level_key, shown

# How far the scores of all classes of a record may be from one, together.
_NEARLY_ONE = 1e-3
_SHARES = frozenset(("pct", "percent", "margin"))
_RATERS = frozenset(KNOWN["raters"])


def require_upright(frame: pd.DataFrame) -> None:
    """Refuse one column, names in the first column instead of the first row, and mere counts."""
    first = frame.iloc[:, 0]
    if frame.shape[1] == 1:
        remedy = "give a label and a score, with commas, semicolons, tabs or bars between them and"
        remedy += " no quotation marks around whole lines"
        raise IntakeError(f"the file has one column only, {shown(first.name)}", remedy=remedy)
    cells = [str(one) for one in first] if len(frame) < frame.shape[1] else []
    if all(any(of(one) == 5 for one in cells) for of in (label_likeness, score_likeness)):
        what = "the table lies on its side: names stand in its first column"
        remedy = "turn it, so that names stand in the first line and every record is a line"
        raise IntakeError(what, remedy=remedy)
    square = len(frame) == frame.shape[1] - 1 and first.dtype == "str" and first.is_unique
    if square and all(map(is_integer_dtype, frame.dtypes[1:])):
        remedy = "give the label and the score of every record"
        raise IntakeError("the table counts classes, as a confusion matrix does", remedy=remedy)


def require_one_class(score: str, columns: Iterable[str]) -> None:
    """Refuse a guess at scores of whichever class a cell beside each names, row by row.

    Of "probs_0_prob" beside "probs_0_label" only a row says which class it is of.
    """
    stem = words_of(score)[:-1]
    if not stem or not stem[-1].isdigit():
        return
    told = [one for one in map(words_of, columns) if one[-1:] == ["label"]]
    many = len([one for one in told if one[:-2] == stem[:-1]]) > 1
    if many and [*stem, "label"] in told:
        what = "it is the score of whichever class the label of the same number says"
        remedy = "give the score of one class in a column, or choose a column as the score"
        raise IntakeError(what, column=score, remedy=remedy)


def require_a_row_each(frame: pd.DataFrame, unit: FloatArray, columns: Pair) -> None:
    """Refuse a table that has a row for each class of a record, as databases unfold lists.

    Then rows that follow each other hold every class once, beside what happened, which is one of
    them, and their scores add up to one; a record without scores does not count.

    Examples
    --------
    >>> table = pd.DataFrame({"y": [0, 0, 1, 1] * 5, "class": [0, 1] * 10, "p": [0.25, 0.75] * 10})
    >>> require_a_row_each(table, table["p"].to_numpy(), ("y", "p"))
    Traceback (most recent call last):
      ...
    dpcore.errors.IntakeError: every record has 2 rows, one for each class in column 'class'; keep \
the rows of one class alone, with what happened in a column
    """
    label, score = columns
    for many in range(2, MOST_CLASSES + 1) if unit.size >= FEW_RECORDS else ():
        # The first record shows of most files that they are none of these.
        if unit.size % many or abs(unit[:many].sum() - 1.0) > _NEARLY_ONE:
            continue
        if (np.abs(unit.reshape(-1, many).sum(axis=1) - 1.0) > _NEARLY_ONE).any():
            continue
        few = [one for one in frame.columns.drop(score) if 2 <= frame[one].nunique() <= many]
        for name, told in permutations(few, 2):
            cells = pd.concat([frame[name], frame[told]]).map(level_key, na_action="ignore")
            every, truth = pd.factorize(cells)[0].reshape(2, -1, many)
            one = (truth == truth.max(axis=1, keepdims=True)) | (truth < 0)
            each = (np.sort(every, axis=1) == np.arange(many)).all() and truth.max() < many
            if label in (name, told) and each and one.all():
                what = f"every record has {many} rows, one for each class in column {name!r}"
                remedy = "keep the rows of one class alone, with what happened in a column"
                raise IntakeError(what, remedy=remedy)


def second_label(frame: pd.DataFrame, label: str, scores: Iterable[str]) -> list[Problem]:
    """A warning if other columns look as much like the label as the one that is taken.

    One that is called after it, or that a score decides, is an answer, and one that has the same
    records in each of two classes is the same. Two raters may differ.

    Examples
    --------
    >>> table = pd.DataFrame({"y_true": [0, 1, 1], "label": [0, 1, 0], "p": [0.2, 0.4, 0.9]})
    >>> second_label(table, "y_true", ["p"])[0].sentence[:62]
    "Column 'y_true' is taken as the label, and 'label' looks like "
    """
    likeness, words, alike = max(label_likeness(label), 3), words_of(label), list[str]()
    numbers = [guessed_numbers(frame[one])[0] for one in scores]
    for name in map(str, frame.columns.drop([label, *scores])):
        other = words_of(name)
        same = other[:-1] == words[:-1] != []
        alone = not (same or other[1:] == words) and label_likeness(name) == likeness
        rated = same and not _RATERS.isdisjoint(words)
        if (alone or rated) and not is_decided(frame[name], numbers):
            theirs, own = (pd.factorize(frame[one])[0] for one in (name, label))
            if theirs.max() == own.max() == 1 and (theirs != own).any():
                alike.append(name)
    if not alike:
        return []
    what = f"Column {label!r} is taken as the label, and {listed(alike)} looks like one too"
    return [Problem("warning", f"{what}: choose the one that says what happened.", column=label)]


def called_like_scores(schema: Schema) -> list[Problem]:
    """A warning if numbers are called like what a model gave, of which one may be meant itself.

    Examples
    --------
    >>> from dpcore.schema import Label
    >>> died, score, age = (
    ...     Label("died", ("0", "1")),
    ...     Numeric("score", (0, 1)),
    ...     Numeric("age", (0, 1)),
    ... )
    >>> called_like_scores(Schema((score, died)))[0].sentence[:45]
    "Column 'score' is called like scores of a mod"
    >>> called_like_scores(Schema((age, died)))
    []
    """
    named = [one.name for one in schema.features if isinstance(one, Numeric)]
    likely = {one: score_likeness(one) for one in named if _SHARES.isdisjoint(words_of(one))}
    names = [name for name, how in likely.items() if how >= 4]
    # One word among others says it of several columns alone.
    if not schema.has_label or (len(names) < 2 and 5 not in likely.values()):
        return []
    what = f"{columns_of(names)} {'is' if len(names) == 1 else 'are'} called like scores of a model"
    remedy = "to see how good that model is, open the file as predictions; here another is trained."
    return [Problem("warning", f"{what}: {remedy}", None, names[0], tuple(names))]


def sure_of_another(
    frame: pd.DataFrame, unit: FloatArray, classes: Pair, columns: Pair
) -> list[Problem]:
    """A warning if scores say how sure a model is of the class it answers, whichever that is.

    Then no score is below what the surest of so many classes has at least, and another column holds
    the same classes, or a "label" beside nothing but the score may be the answer.

    Raises
    ------
    IntakeError
        If the classes are two, and the name of that column says that it is an answer; or if there
        is none but "label" beside "score", words as text pipelines write them.

    Examples
    --------
    >>> table = pd.DataFrame({"y": ["no", "yes"] * 10, "other": ["no", "yes"] * 10, "p": 0.8})
    >>> told = sure_of_another(table, table["p"].to_numpy(), ("no", "yes"), ("y", "p"))
    >>> told[0].sentence[:45]
    "No score in column 'p' is below 0.5: it seems"
    """
    label, score = columns
    theirs = levels_of(frame[label])
    if len(theirs) < 2 or len(theirs) * unit.min() < 1.0 or unit.max() <= 0.5:
        return []
    others = frame.columns.drop([label, score])
    words = str in map(type, map(level_key, theirs))
    piped = words and [label.lower(), score.lower()] == ["label", "score"]
    alone = [label] * (piped or (others.empty and label.lower() == "label"))
    for name in (*map(str, others), *alone):
        # Its name ends, or means, alike with that of the score, or is one of a label.
        called = [] != words_of(name)[:-1] == words_of(score)[:-1]
        called = called or score_likeness(name) >= 3 or label_likeness(name) >= 3
        if not _holds_answers(frame[name], theirs, classes[1], called=called):
            continue
        what = f"no score in column {score!r} is below {1 / len(theirs):.2g}: it seems to say"
        # What text pipelines answer is called label, whatever says beside it what happened.
        answer = label if label.lower() == "label" and label_likeness(name) == 5 else name
        what += f" how sure the model is of its own answer, {answer!r}"
        whose = f"the score of {shown(classes[1])} in every row"
        remedy = f"give {whose}, of two classes one minus it where the answer is another"
        if name == label:
            remedy = f"give what happened and {whose}, or name this column truth if it is that"
        many = unit.size >= FEW_RECORDS
        if (piped and many) if name == label else (called and len(theirs) == 2):
            raise IntakeError(what, remedy=remedy)
        if many:
            return [Problem("warning", f"N{what[1:]}; {remedy}.", column=score)]
    return []


def _holds_answers(
    cells: pd.Series, classes: tuple[str, ...], positive: str, *, called: bool
) -> bool:
    """Whether a column holds the classes that are answered, two of them perhaps not both."""
    values = levels_of(cells) if cells.nunique() <= len(classes) else ()
    same = {*map(level_key, values)} <= {*map(level_key, classes)}
    same = same or bool(scores_of_classes(values, classes))
    whole = len(values) == len(classes) or (called and len(classes) == 2)
    # An answer that is always the positive class has its score.
    return bool(values) and same and whole and values != (positive,)
