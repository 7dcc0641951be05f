"""Columns of a table of predictions: which is the label, which are the scores and the group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpcore._typing import FloatArray
from dpcore.data.reading.problems import are_decisions
from dpcore.data.reading.roles import names, refusals
from dpcore.data.reading.roles.classes import MOST_CLASSES, counts_of, levels_of
from dpcore.data.reading.roles.positive import likely_positive
from dpcore.data.reading.roles.scores import LOOKED_AT, ColumnFacts, likely_scores
from dpcore.errors import IntakeError
from dpcore.schema.cells import shown

# Of so many columns that are as likely the label the last ones are looked at; how many values the
# label may have that is called so, since it can be cut.
_MOST_ALIKE, _MOST_VALUES = 9, 200


@dataclass(frozen=True)
class PredictionRoles:
    """What the columns of a table of predictions are.

    Parameters
    ----------
    scores
        One for each model; the first is the one that is shown.
    group
        Empty if no groups are compared.

    Examples
    --------
    >>> PredictionRoles("y", ("rf", "lr")).showing("lr").scores
    ('lr', 'rf')
    """

    label: str
    scores: tuple[str, ...]
    group: str = ""

    @property
    def score(self) -> str:
        """The score that is shown."""
        return self.scores[0]

    def showing(self, score: str) -> PredictionRoles:
        """The same, with another of the scores shown."""
        others = tuple(name for name in self.scores if name != score)
        return PredictionRoles(self.label, (score, *others), self.group)


def find_columns(columns: Sequence[str]) -> PredictionRoles:
    """The label and the score by the names of the columns alone: no cell is looked at.

    Raises
    ------
    IntakeError
        If the names do not tell, and there are not two columns of which one is told.

    Examples
    --------
    >>> find_columns(["P", "Outcome", "age"])
    PredictionRoles(label='Outcome', scores=('P',), group='')
    """
    columns = [str(name) for name in columns]
    label = _surest(columns, names.label_likeness, names.LABEL_NAMES)
    score = _surest(columns, names.score_likeness, names.SCORE_NAMES)
    remedy = "say which columns they are, or call them label and score"
    if label is None and score is None:
        raise IntakeError("no column is named like a label or a score", remedy=remedy)
    if label is not None and score is not None:
        return PredictionRoles(label, (score,))
    if len(columns) != 2:
        absent = "label" if label is None else "score"
        what = f"no column is named like a {absent}, and there are {len(columns)}, not two"
        raise IntakeError(what, remedy=remedy)
    other = next(name for name in columns if name not in (label, score))
    return PredictionRoles(label or other, (score or other,))


def _surest(
    columns: Sequence[str], likeness: Callable[[str], int], known: Sequence[str]
) -> str | None:
    """The column whose name is the surest, of known names or words; the first of equals."""
    found = [name for name in columns if likeness(name) >= 4]
    return min(found, key=lambda name: names.place_among(known, name), default=None)


def roles_of(
    frame: pd.DataFrame, label: str | None, score: str | None, delimiter: str
) -> PredictionRoles:
    """What the columns are: as said, and guessed where nothing is."""
    said = [one for one in (label, score) if one is not None]
    refusals.require_present(frame, said)
    if label is not None and score is not None:
        return PredictionRoles(label, (score,))
    if not said:
        refusals.require_upright(frame)
    found = guess_roles(frame.drop(columns=said), delimiter=delimiter)
    if score is None:
        refusals.require_one_class(found.score, frame.columns)
    return PredictionRoles(label or found.label, (score,) if score else found.scores, found.group)


def score_of_each(frame: pd.DataFrame, roles: PredictionRoles) -> dict[str, str]:
    """The score of each class, where there are more than two and each has one; else empty."""
    refusals.require_present(frame, (roles.label, *roles.scores))
    classes = levels_of(frame[roles.label]) if len(roles.scores) > 2 else ()
    found = (
        names.scores_of_classes(roles.scores, classes) if 2 < len(classes) <= MOST_CLASSES else ()
    )
    return dict(zip(classes, found, strict=True)) if found else {}


def guess_roles(frame: pd.DataFrame, *, delimiter: str = ",") -> PredictionRoles:
    """The label, the scores and the group by names, types and values: a guess.

    Raises
    ------
    IntakeError
        If no column can be a label beside one that can be a score.

    Examples
    --------
    >>> table = pd.DataFrame({"id": [7, 8, 9], "rf": [0.2, 0.9, 0.4], "Actual": [0, 1, 1]})
    >>> guess_roles(table)
    PredictionRoles(label='Actual', scores=('rf',), group='')
    """
    facts = [ColumnFacts.of(cells, delimiter) for _, cells in frame.items()]
    label, others = _one_hot(facts, _likely_label(facts))
    if label is None:
        raise _unrecognised("label, which has two values or a few")
    scores = likely_scores(others, counts_of(label.cells.dropna()) if label.distinct == 2 else {})
    if not scores:
        raise _unrecognised("score, a number", [one for one in facts if one is not label])
    named = (one for one in facts if one is not label and names.GROUP_WORDS & {*one.words})
    group = next((one.name for one in named if 2 <= one.distinct <= MOST_CLASSES), "")
    return PredictionRoles(label.name, tuple(one.name for one in scores), group)


def _unrecognised(absent: str, facts: Sequence[ColumnFacts] = ()) -> IntakeError:
    """Say what is absent, and what a column holds that is called like it."""
    what = f"no column can be the {absent}"
    for one in [one for one in facts if one.like_score >= 3][:1]:
        held = one.cells.dropna()
        what += f": {one.name!r} {f'holds {shown(held.iloc[0])}' if len(held) else 'is empty'}"
    remedy = "give a table with a label and a score, such as the probability of one class"
    return IntakeError(what, remedy=remedy)


def _likely_label(facts: Sequence[ColumnFacts]) -> ColumnFacts | None:
    """The column that can be the label and looks most like it; None if none can."""
    fit = [one for one in facts if _can_be_label(one)]
    # A column named like a label that holds one value is it, and reading will complain of it.
    single = [one for one in facts if one.distinct < 2 and one.like_label == 5]
    if single and not any(one.like_label == 5 for one in fit):
        return single[0]
    surest = max(map(_label_rank, fit), default=None)
    alike = [one for one in fit if _label_rank(one) == surest]
    # What a program answers may be called after the label: "$L-churn".
    called = [one.words for one in alike]
    alike = [one for one in alike if one.words[1:] not in called]
    # Of equals the last, as where a model is trained; but none that some score decides.
    scores = [one.numbers for one in facts if one.numbers is not None and one.score_points >= 2]
    last = (one for one in alike[:-_MOST_ALIKE:-1] if not _is_decided(one.cells, scores))
    return next(last, alike[0]) if alike else None


def _can_be_label(one: ColumnFacts) -> bool:
    # The only number is the score, whatever it is called.
    score = one.like_score >= 4 and one.numbers is not None
    few = 2 <= one.distinct <= (_MOST_VALUES if one.like_label >= 4 else MOST_CLASSES)
    return few and not (score or one.fractional or one.identifier)


def _label_rank(one: ColumnFacts) -> tuple[bool, int, bool, int]:
    named, two = one.like_label, one.distinct == 2
    # A usual name with many values is a label that will be cut; else two values come first.
    likely = named if named != 1 or two else 0
    return named == 5, likely, two, -names.place_among(names.LABEL_NAMES, one.name)


def _one_hot(
    facts: Sequence[ColumnFacts], label: ColumnFacts | None
) -> tuple[ColumnFacts | None, list[ColumnFacts]]:
    """The label, and what can be its scores: of "gold.spam" beside "gold.ham" those of spam."""
    others = [one for one in facts if one is not label]
    stem = label.words[:-1] if label else []
    held = {
        one.words[-1]: one
        for one in facts
        if stem and one.numbers is not None
        if one.words[:-1] == stem and are_decisions(one.numbers)
    }
    rows = np.array([one.numbers for one in held.values()])
    if label not in held.values() or len(held) < 2 or not (rows.sum(axis=0) == 1.0).all():
        return label, others
    chosen = likely_positive({name: int(sum(one)) for name, one in zip(held, rows, strict=True)})
    others = [one for one in others if one not in held.values()]
    same = [one for one in others if one.words[-1:] == [chosen]]
    return held[chosen], same or others


def _is_decided(cells: pd.Series, scores: Sequence[FloatArray]) -> bool:
    """Whether a score says what two classes are: all of one lie beyond all of the other."""
    codes, classes = pd.factorize(cells.iloc[:LOOKED_AT])
    for score in scores if len(classes) == 2 else ():
        low, high = (score[(codes == at) & ~np.isnan(score)] for at in (0, 1))
        if low.size and high.size and (low.max() < high.min() or high.max() < low.min()):
            return True
    return False
