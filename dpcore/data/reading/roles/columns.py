"""Columns of a table of predictions: which is the label, which are the scores and the group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pandas as pd

from dpcore._typing import FloatArray
from dpcore.data.reading.prediction_scores import falls, guessed_numbers
from dpcore.data.reading.problems import are_decisions, count_of, is_identifier
from dpcore.data.reading.roles import KNOWN, pairs
from dpcore.data.reading.roles.classes import (
    MOST_CLASSES,
    class_in_name,
    counts_of,
    in_usual_letters,
    levels_of,
    likely_positive,
    speaks,
    without_odd_labels,
    words_of,
)
from dpcore.data.reading.text_columns import is_numbered_name
from dpcore.errors import IntakeError
from dpcore.schema.cells import shown

# Whole names, however they are cased and separated; the surer one first.
LABEL_NAMES, SCORE_NAMES = KNOWN["label_names"], KNOWN["score_names"]
BESIDE_WORDS, GROUP_WORDS = frozenset(KNOWN["beside"]), frozenset(KNOWN["group"])
_LABEL_WORDS, SCORE_WORDS, GUESS_WORDS, _MODEL_WORDS, _TRAITS = (
    frozenset(KNOWN[what]) for what in ("label", "score", "guess", "models", "trait")
)
_SCORE_ENDS = (*KNOWN["hats"], *(word for word in SCORE_WORDS if len(word) > 4))
# Of so many columns as likely the label the last ones are looked at; how many values one may have
# that is called so, since it can be cut.
_MOST_ALIKE, _MOST_VALUES = 9, 200
# A guess looks at so many rows, and half of those that are there are numbers.
_LOOKED_AT, _SOME = 2000, 0.5


Rank: TypeAlias = tuple[bool, int, bool]


@dataclass(frozen=True)
class PredictionRoles:
    """What the columns of a table are, of scores one for each model.

    Parameters
    ----------
    scores
        The first is the one that is shown.
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


def place_among(known: Sequence[str], name: str) -> int:
    """The place of a name among known ones, however it is separated; their number if it is none.

    Examples
    --------
    >>> place_among(("y_true", "label"), "Label"), place_among(("y_true", "label"), "labels")
    (1, 2)
    """
    whole = "_".join(words_of(name))
    return known.index(whole) if whole in known else len(known)


def label_likeness(name: str) -> int:
    """How much a name is that of a label: 5 a usual one, 3 an outcome, 1 any, 0 a trait.

    Examples
    --------
    >>> [label_likeness(name) for name in ("Y_true", "TenYearCHD", "colour", "gender")]
    [5, 3, 1, 0]
    """
    words = words_of(name)
    if "_".join(words) in LABEL_NAMES:
        return 5
    if (GUESS_WORDS | SCORE_WORDS) & {*words}:
        return 0
    if _LABEL_WORDS & {*words}:
        return 4
    if any(word.startswith(KNOWN["outcome"]) for word in words):
        # "diabetesMed" and "patient type" are about something else.
        begins, ends = words[0].startswith(KNOWN["begins"]), words[-1].startswith(KNOWN["ends"])
        return 3 if len(words) == 1 or not (begins or ends) else 1
    return 0 if (_TRAITS | GROUP_WORDS) & {*words} else 1


def label_rank(named: int, *, two: bool) -> Rank:
    """What sorts columns by how much they look like a label: a usual name comes first.

    Of more classes than two only a name says so, and it says less.

    Examples
    --------
    >>> label_rank(3, two=True) > label_rank(4, two=False) > label_rank(1, two=True)
    True
    """
    return named == 5, named if two else min(named, 3) * (named > 1), two


def score_likeness(name: str) -> int:
    """How much a name is that of a score: 5 a usual one, 4 one of several, 3 a prediction.

    0 is the name of a label, or of what stands beside scores: their bounds and errors, and weights.
    """
    words = words_of(name)
    whole = "_".join(words)
    if whole in SCORE_NAMES:
        return 5
    if whole in (*LABEL_NAMES, *KNOWN["beside_names"]) or BESIDE_WORDS & {*words}:
        return 0
    # German, and capitals, write several words as one.
    if "p" in words or any(word in SCORE_WORDS or word.endswith(_SCORE_ENDS) for word in words):
        return 4
    return 3 if GUESS_WORDS & {*words} else 1


@dataclass(frozen=True, eq=False)
class ColumnFacts:
    """What a guess looks at in a column.

    `numbers` are those of its first rows, where half of those that are there are any; an
    `identifier` looks like a record number.
    """

    cells: pd.Series
    name: str
    words: list[str]
    like_label: int
    like_score: int
    distinct: int
    numbers: FloatArray | None
    identifier: bool

    @classmethod
    def of(cls, cells: pd.Series, delimiter: str) -> ColumnFacts:
        """Look at one column of a file with that delimiter."""
        name = str(cells.name)
        words, like_label = words_of(name), label_likeness(name)
        like_score = score_likeness(name)
        some = cells.iloc[:_LOOKED_AT]
        distinct = int(some.nunique())
        distinct = distinct if distinct > MOST_CLASSES else int(cells.nunique())
        if 2 < distinct <= MOST_CLASSES:
            cells = without_odd_labels(in_usual_letters(cells)[0])[0]
            distinct = int(cells.nunique())
        found = guessed_numbers(some, delimiter)[0]
        present = int(some.notna().sum())
        numeric = present and np.count_nonzero(~np.isnan(found)) >= _SOME * present
        held = found if numeric else None
        numbered = like_score < 3 and is_identifier(cells) and not falls(name)
        numbered = numbered and (held is None or not is_fractional(held))
        return cls(cells, name, words, like_label, like_score, distinct, held, numbered)

    @property
    def fractional(self) -> bool:
        """Whether any of its numbers is no whole one."""
        return self.numbers is not None and is_fractional(self.numbers)

    @property
    def of_model(self) -> bool:
        """Whether it is called after a model, such as "lgbm"."""
        return not _MODEL_WORDS.isdisjoint(self.words)

    @property
    def score_points(self) -> int:
        """How much it is a score: by its name, or where that does not say by its numbers."""
        if self.like_score >= 3 or BESIDE_WORDS & {*self.words} or self.numbers is None:
            return self.like_score
        held = self.numbers[~np.isnan(self.numbers)]
        within = bool(held.size and held.min() >= 0 and held.max() <= 1)
        # Unnamed numbers between 0 and 1 with many values are what models give.
        return 2 if within and self.fractional and self.distinct > 2 else 1


def is_fractional(found: FloatArray) -> bool:
    """Whether any number is no whole one."""
    return bool((found[np.isfinite(found)] % 1 != 0).any())


def likely_scores(facts: Sequence[ColumnFacts], classes: Mapping[str, int]) -> list[ColumnFacts]:
    """The columns that can be scores and look most like it, the surest first.

    `classes` are those of the label, and how often each occurs; empty if they are not two.
    """
    positive = likely_positive(classes) if classes else ""
    numeric = [one for one in facts if one.numbers is not None and not one.identifier]
    # What stands beside scores, such as the fold, is one only if nothing else is.
    numeric = [one for one in numeric if one.like_score] or numeric
    soft = [one for one in numeric if one.numbers is not None and not are_decisions(one.numbers)]
    points = {one.name: one.score_points for one in numeric}
    others = [one for one in classes if one != positive]
    if max(points.values(), default=0) < 2:
        found = pairs.named_alike(soft or numeric)
        return pairs.without_mirrored(found, positive, others)
    # Without a name that says so only the numbers of a file that names no score are scores.
    likely = [one for one in soft if points[one.name] >= 2] or numeric
    most = max(points[one.name] for one in likely)
    least = most if likely is numeric else min(most, 3)
    chosen = [one for one in likely if points[one.name] >= least - one.of_model]
    chosen = [one for one in chosen if one.distinct > 1] or chosen

    def rank(one: ColumnFacts) -> tuple[bool, int, bool, int, int]:
        of_another = not positive or class_in_name(one.words, tuple(classes)) != positive
        # Without names the last: what a program answers stands behind what it was given.
        later = -facts.index(one) if is_numbered_name(one.name) else 0
        place, unnamed = place_among(SCORE_NAMES, one.name), points[one.name] < 3
        return of_another, -points[one.name], unnamed and not one.of_model, place, later

    if not chosen[1:]:
        return chosen
    # Of copies the surest is kept.
    chosen = sorted(pairs.without_mirrored(chosen, positive, others), key=rank)
    return pairs.without_derived(chosen)


def score_of_each(frame: pd.DataFrame, roles: PredictionRoles) -> dict[str, str]:
    """The score of each class, where there are more than two and each has one; else empty."""
    classes = levels_of(frame[roles.label]) if len(roles.scores) > 2 else ()
    few = 2 < len(classes) <= MOST_CLASSES
    found = pairs.scores_of_classes(roles.scores, classes) if few else ()
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
    label = _likely_label(facts)
    others = [one for one in facts if one is not label]
    if label is not None and label.words[1:]:
        label, others = pairs.one_hot(facts, label)
    if label is None:
        raise _unrecognised(f"label, which has two values or a few{_values_held(facts)}")
    scores = likely_scores(others, counts_of(label.cells.dropna()) if label.distinct == 2 else {})
    if not scores:
        raise _unrecognised("score, a number", [one for one in facts if one is not label])
    return PredictionRoles(label.name, tuple(one.name for one in scores), _group(facts, label))


def _group(facts: Sequence[ColumnFacts], label: ColumnFacts) -> str:
    """The column that is called like groups, or whose few texts many records share; else empty."""
    few = [one for one in facts if one is not label and 2 <= one.distinct <= MOST_CLASSES]
    named = [one.name for one in few if GROUP_WORDS & {*one.words}]
    return next(iter([*named, *(one.name for one in few if _divides(one, label))]), "")


def _divides(one: ColumnFacts, label: ColumnFacts) -> bool:
    """Whether texts that are no answers have records of several classes each."""
    if one.numbers is not None or not one.like_label == one.like_score == 1:
        return False
    some = one.cells.iloc[:_LOOKED_AT].dropna()
    classes = label.cells.loc[some.index].groupby(some).nunique()
    shared = 2 * one.distinct <= one.cells.count() and classes.max() > 1
    return bool(shared) and not all(speaks(str(text)) for text in classes.index)


def _values_held(facts: Sequence[ColumnFacts]) -> str:
    """What the column holds that is called most like a label; empty if none is."""
    one = max(facts, key=lambda one: one.like_label)
    held = "fractions" if one.fractional else count_of(one.distinct, "value")
    empty = ", and empty cells say no class" if one.distinct == 1 else ""
    return f": {one.name!r} holds {held}{empty}" if one.like_label >= 3 else ""


def _unrecognised(absent: str, facts: Sequence[ColumnFacts] = ()) -> IntakeError:
    """Say what is absent, and what a column holds that is called like it."""
    what = f"no column can be the {absent}"
    likely = [one for one in facts if not one.identifier and one.like_score]
    for one in sorted(likely, key=lambda one: -one.like_score)[:1]:
        held = one.cells[np.isnan(guessed_numbers(one.cells)[0])].dropna()
        what += f": {one.name!r} {f'holds {shown(held.iloc[0])}' if len(held) else 'is empty'}"
    remedy = "give a table with a label and a score, such as the probability of one class"
    return IntakeError(what, remedy=remedy)


def _likely_label(facts: Sequence[ColumnFacts]) -> ColumnFacts | None:
    """The column that can be the label and looks most like it; None if none can."""
    fit = [one for one in facts if _can_be_label(one)]
    # A column named like a label that holds one class is it, and reading will complain of it; a
    # list of the classes, or a word that speaks of none, is not where another is an outcome.
    single = [one for one in facts if one.distinct < 2 and one.like_label == 5]
    least = 5 if any(map(_holds_class, single)) else 3
    if single and not any(one.like_label >= least for one in fit):
        return single[0]
    surest = max(map(_label_rank, fit), default=None)
    alike = [one for one in fit if _label_rank(one) == surest]
    # What a program answers may be called after the label: "$L-churn".
    called = [one.words for one in alike]
    alike = [one for one in alike if one.words[1:] not in called]
    # Of equals the last, as where a model is trained; but none that some score decides.
    scores = [one.numbers for one in facts if one.numbers is not None and one.score_points >= 2]
    last = (one for one in alike[:-_MOST_ALIKE:-1] if not is_decided(one.cells, scores))
    return next(last, alike[0]) if alike else None


def _holds_class(one: ColumnFacts) -> bool:
    """Whether the one value of a column is a number or speaks of a class."""
    value = next(map(str, one.cells.dropna()), "")
    return not value.endswith("]") and (one.numbers is not None or speaks(value) != 0)


def _can_be_label(one: ColumnFacts) -> bool:
    # The only number is the score, whatever it is called.
    score = one.like_score >= 4 and one.numbers is not None
    few = 2 <= one.distinct <= (_MOST_VALUES if one.like_label >= 4 else MOST_CLASSES)
    # More of which each stands once have counts beside them, or the figures of models.
    again = one.like_label >= 3 or one.distinct == 2 or one.distinct < one.cells.count()
    return few and again and not (score or one.fractional or one.identifier)


def _label_rank(one: ColumnFacts) -> tuple[Rank, int, bool]:
    rank = label_rank(one.like_label, two=one.distinct == 2)
    # Where names do not tell, numbers and words that speak of an event do: "A" and "B" are groups.
    some = one.cells.iloc[:_LOOKED_AT].dropna().unique()
    told = one.numbers is not None or any(speaks(str(text)) for text in some)
    return rank, -place_among(LABEL_NAMES, one.name), told


def is_decided(cells: pd.Series, scores: Sequence[FloatArray]) -> bool:
    """Whether a score says what two classes are: all of one lie beyond all of the other."""
    codes, classes = pd.factorize(cells.iloc[:_LOOKED_AT])
    for score in (one[: codes.size] for one in scores if len(classes) == 2):
        low, high = (score[(codes == at) & ~np.isnan(score)] for at in (0, 1))
        if low.size and high.size and (low.max() < high.min() or high.max() < low.min()):
            return True
    return False
