"""Which columns of a table are the label, the scores and the group."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from unicodedata import combining, normalize

import numpy as np
import pandas as pd

from dpcore._typing import FloatArray
from dpcore.data.reading.label_classes import (
    KNOWN,
    MOST_CLASSES,
    class_in_name,
    counts_of,
    likely_positive,
)
from dpcore.data.reading.prediction_scores import are_opposed, guessed_numbers
from dpcore.data.reading.problems import are_decisions, is_identifier
from dpcore.data.reading.text_columns import is_numbered_name
from dpcore.errors import IntakeError
from dpcore.schema.cells import shown

# Whole names, however they are cased and separated; the surer one first.
LABEL_NAMES, SCORE_NAMES = KNOWN["label_names"], KNOWN["score_names"]
_LABEL_WORDS, _SCORE_WORDS, _GUESS_WORDS, _BESIDE_WORDS, _GROUP_WORDS, _TRAITS, _OTHER_CLASS = (
    frozenset(KNOWN[what])
    for what in ("label", "score", "guess", "beside", "group", "trait", "other_class")
)
_SCORE_ENDS = tuple(word for word in _SCORE_WORDS if len(word) > 4)
_WORDS = re.compile(r"[^\W\d_]+|\d+")
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_MOST_ALIKE, _SOME, _LOOKED_AT = 9, 0.5, 2000


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


def words_of(name: str) -> list[str]:
    """The words of a name, in lower case and without accents, whatever separates them.

    Examples
    --------
    >>> words_of("TenYearCHD"), words_of("Décès (0/1)")
    (['ten', 'year', 'chd'], ['deces', '0', '1'])
    """
    name = "".join(one for one in normalize("NFKD", str(name)) if not combining(one))
    return [word.lower() for word in _WORDS.findall(_HUMPS.sub(" ", name))]


def _joined(name: str) -> str:
    return "_".join(words_of(name))


def label_likeness(name: str) -> int:
    """How much a name is that of a label: 5 a usual one, 3 an outcome, 1 any, 0 a trait.

    Examples
    --------
    >>> [label_likeness(name) for name in ("Y_true", "TenYearCHD", "colour", "gender")]
    [5, 3, 1, 0]
    """
    words = words_of(name)
    if _joined(name) in LABEL_NAMES:
        return 5
    if _GUESS_WORDS & set(words) or (_SCORE_WORDS & set(words)):
        return 0
    if _LABEL_WORDS & set(words):
        return 4
    if any(word.startswith(KNOWN["outcome"]) for word in words):
        # "diabetesMed" and "patient type" are about something else.
        begins, ends = words[0].startswith(KNOWN["begins"]), words[-1].startswith(KNOWN["ends"])
        return 3 if len(words) == 1 or not (begins or ends) else 2
    if any(word in _TRAITS for word in words) or _GROUP_WORDS & set(words):
        return 0
    return 1


def score_likeness(name: str) -> int:
    """How much a name is that of a score: 5 a usual one, 4 one of several, 3 a prediction.

    0 is the name of a label, or of what stands beside scores: their bounds and errors, and weights.
    """
    words = words_of(name)
    known = _joined(name)
    if known in SCORE_NAMES:
        return 5
    if known in LABEL_NAMES or _BESIDE_WORDS & set(words):
        return 0
    # German, and capitals, write several words as one.
    if "p" in words or any(word in _SCORE_WORDS or word.endswith(_SCORE_ENDS) for word in words):
        return 4
    return 3 if _GUESS_WORDS & set(words) else 1


def scores_of_classes(columns: Sequence[str], classes: Sequence[str]) -> tuple[str, ...]:
    """For each class the column that is named after it; empty unless every class has its own.

    Examples
    --------
    >>> scores_of_classes(["p_high", "p_very_high", "p_low"], ["high", "low", "very high"])
    ('p_high', 'p_low', 'p_very_high')
    >>> scores_of_classes(["rf", "lr", "nb"], ["high", "low", "none"])
    ()
    """
    found = []
    for one in classes:
        words = words_of(one)
        ending = [name for name in columns if words and words_of(name)[-len(words) :] == words]
        # "p_very_high" ends like "p_high": the shorter name is that of the shorter class.
        found += sorted(ending, key=lambda name: len(words_of(name)))[:1]
    return tuple(found) if len(set(found)) == len(classes) else ()


def find_columns(names: Sequence[str]) -> PredictionRoles:
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
    columns = [str(name) for name in names]
    label = _surest(columns, label_likeness, LABEL_NAMES)
    score = _surest(columns, score_likeness, SCORE_NAMES)
    if label is None and score is None:
        what = "no column is named like a label or a score"
        raise IntakeError(what, remedy="say which columns they are, or call them label and score")
    if label is not None and score is not None:
        return PredictionRoles(label, (score,))
    if len(columns) != 2:
        absent = "label" if label is None else "score"
        what = f"no column is named like a {absent}, and there are {len(columns)}, not two"
        raise IntakeError(what, remedy="say which columns they are, or call them label and score")
    other = next(name for name in columns if name not in (label, score))
    return PredictionRoles(label or other, (score or other,))


def _surest(
    columns: Sequence[str], likeness: Callable[[str], int], known: Sequence[str]
) -> str | None:
    """The column whose name is the surest, of known names or words; the first of equals."""
    like = {name: likeness(name) for name in columns}
    found = [name for name in columns if like[name] >= 4]
    order = {name: known.index(_joined(name)) for name in found if like[name] == 5}
    return min(found, key=lambda name: order.get(name, len(known)), default=None)


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
    facts = [_Facts.of(cells, delimiter) for _, cells in frame.items()]
    label = _label(facts, frame)
    label, others = _one_hot(facts, label)
    classes = counts_of(frame[label.name].dropna()) if label and label.distinct == 2 else {}
    scores = _scores(others, classes)
    if label is None or not scores:
        absent = "label, which has two values or a few" if label is None else "score, a number"
        held = frame.drop(columns=[label.name]) if label else frame.iloc[:, :0]
        some = [one.dropna() for name, one in held.items() if score_likeness(str(name)) >= 3]
        seen = [
            f"{str(one.name)!r} {f'holds {shown(one.iloc[0])}' if len(one) else 'is empty'}"
            for one in some
        ]
        what = f"no column can be the {absent}{': ' if seen else ''}{''.join(seen[:1])}"
        remedy = "give a table with a label and a score, such as the probability of one class"
        raise IntakeError(what, remedy=remedy)
    named = [one for one in facts if one is not label and _GROUP_WORDS & set(words_of(one.name))]
    group = next((one.name for one in named if 2 <= one.distinct <= MOST_CLASSES), "")
    return PredictionRoles(label.name, tuple(one.name for one in scores), group)


def require_upright(frame: pd.DataFrame) -> None:
    """Refuse what is one column, or has its names in the first column instead of the first row."""
    first = frame.iloc[:, 0]
    if frame.shape[1] == 1:
        remedy = "give a label and a score, with commas, semicolons, tabs or bars between them and"
        remedy += " no quotation marks around whole lines"
        raise IntakeError(f"the file has one column only, {str(first.name)!r}", remedy=remedy)
    names = [str(one) for one in first] if len(frame) < frame.shape[1] else []
    if all(any(of(one) == 5 for one in names) for of in (label_likeness, score_likeness)):
        what = "the table lies on its side: names stand in its first column"
        remedy = "turn it, so that names stand in the first line and every record is a line"
        raise IntakeError(what, remedy=remedy)


@dataclass(frozen=True, eq=False)
class _Facts:
    """What a guess looks at in a column."""

    name: str
    distinct: int
    numbers: FloatArray | None
    identifier: bool

    @classmethod
    def of(cls, cells: pd.Series, delimiter: str) -> _Facts:
        some = cells.iloc[:_LOOKED_AT]
        distinct = int(some.nunique())
        distinct = distinct if distinct > MOST_CLASSES else int(cells.nunique())
        found = guessed_numbers(some, delimiter)[0]
        present = int(some.notna().sum())
        numeric = present and np.count_nonzero(~np.isnan(found)) >= _SOME * present
        named = is_identifier(cells) and score_likeness(str(cells.name)) < 3
        fraction = numeric and is_fractional(found)
        return cls(str(cells.name), distinct, found if numeric else None, named and not fraction)

    @property
    def fractional(self) -> bool:
        return self.numbers is not None and is_fractional(self.numbers)

    @property
    def within(self) -> bool:
        """Whether all numbers lie between 0 and 1."""
        held = self.numbers[~np.isnan(self.numbers)] if self.numbers is not None else np.zeros(0)
        return bool(held.size and held.min() >= 0 and held.max() <= 1)


def is_fractional(found: FloatArray) -> bool:
    """Whether any number is no whole one."""
    held = found[np.isfinite(found)]
    return bool((held % 1 != 0).any())


def _label(facts: Sequence[_Facts], frame: pd.DataFrame) -> _Facts | None:
    def rank(at: int) -> tuple[bool, int, bool, int]:
        one = facts[at]
        named = label_likeness(one.name)
        by_place = -LABEL_NAMES.index(_joined(one.name)) if named == 5 else 0
        # A usual name with many values is a label that will be cut; else two values come first.
        two = one.distinct == 2
        return named == 5, named if named != 1 or two else 0, two, by_place

    fit = [
        at
        for at, one in enumerate(facts)
        if 2 <= one.distinct <= (200 if label_likeness(one.name) >= 4 else MOST_CLASSES)
        and not one.fractional
        and not one.identifier
        # The only number is the score, whatever it is called.
        and not (score_likeness(one.name) >= 4 and one.numbers is not None)
    ]
    # A column named like a label that holds one value is it, and reading will complain of it.
    single = [one for one in facts if one.distinct < 2 and label_likeness(one.name) == 5]
    if single and not any(label_likeness(facts[at].name) == 5 for at in fit):
        return single[0]
    surest = max(map(rank, fit), default=None)
    alike = [at for at in fit if rank(at) == surest]
    # What a program answers may be called after the label: "$L-churn".
    called = {_joined(facts[at].name) for at in alike}
    alike = [at for at in alike if _joined(facts[at].name).partition("_")[2] not in called]
    # Of equals the last, as where a model is trained; but none that some score decides.
    numeric = [one.numbers for one in facts if one.numbers is not None and _points(one) >= 2]
    last = (at for at in alike[:-_MOST_ALIKE:-1] if not _is_decided(frame.iloc[:, at], numeric))
    return facts[next(last, alike[0])] if alike else None


def _one_hot(facts: Sequence[_Facts], label: _Facts | None) -> tuple[_Facts | None, list[_Facts]]:
    """The label, and what can be its scores: of "gold.spam" beside "gold.ham" those of spam."""
    others = [one for one in facts if one is not label]
    stem = words_of(label.name)[:-1] if label else []
    held = {words_of(one.name)[-1]: one for one in facts if stem and one.numbers is not None
            and words_of(one.name)[:-1] == stem and are_decisions(one.numbers)}  # fmt: skip
    rows = np.array([one.numbers for one in held.values()])
    if label not in held.values() or len(held) < 2 or not (rows.sum(axis=0) == 1.0).all():
        return label, others
    chosen = likely_positive({name: int(sum(one)) for name, one in zip(held, rows, strict=True)})
    others = [one for one in others if one not in held.values()]
    same = [one for one in others if words_of(one.name)[-1:] == [chosen]]
    return held[chosen], same or others


def _is_decided(cells: pd.Series, scores: Sequence[FloatArray]) -> bool:
    """Whether a score says what two classes are: all of one lie beyond all of the other."""
    codes, classes = pd.factorize(cells.iloc[:_LOOKED_AT])
    for score in scores if len(classes) == 2 else ():
        low, high = (score[(codes == at) & ~np.isnan(score)] for at in (0, 1))
        if low.size and high.size and (low.max() < high.min() or high.max() < low.min()):
            return True
    return False


def _scores(facts: Sequence[_Facts], classes: Mapping[str, int]) -> list[_Facts]:
    """The columns that can be scores and look most like it, the surest first."""
    positive = likely_positive(classes) if classes else ""
    numeric = [one for one in facts if one.numbers is not None and not one.identifier]
    soft = [one for one in numeric if one.numbers is not None and not are_decisions(one.numbers)]
    points = {one.name: _points(one) for one in numeric}
    others = [one for one in classes if one != positive]
    if max(points.values(), default=0) < 2:
        return _without_mirrored(_named_alike(soft or numeric), positive, others)
    # Without a name that says so only the numbers of a file that names no score are scores.
    likely = [one for one in soft if points[one.name] >= 2] or numeric
    most = max(points[one.name] for one in likely)
    least = most if likely is numeric else min(most, 3)
    chosen = [one for one in likely if points[one.name] >= least]
    chosen = [one for one in chosen if one.distinct > 1] or chosen
    chosen = _without_mirrored(chosen, positive, others)
    order = {name: at for at, name in enumerate(SCORE_NAMES)}

    def rank(one: _Facts) -> tuple[bool, int, int]:
        of_another = not positive or class_in_name(words_of(one.name), tuple(classes)) != positive
        return of_another, -points[one.name], order.get(_joined(one.name), len(order))

    return sorted(chosen, key=rank)


def _named_alike(found: list[_Facts]) -> list[_Facts]:
    """The last one, where no name says what a score is, with those that are called like it.

    All but the last word of points_a and points_b is the same: they are two models' scores. Of many
    such columns none is a model.
    """
    stem = words_of(found[-1].name)[:-1] if found else []
    alike = [one for one in found if stem and words_of(one.name)[:-1] == stem]
    return alike if 1 < len(alike) <= _MOST_ALIKE else found[-1:]


def _points(one: _Facts) -> int:
    named = score_likeness(one.name)
    if named >= 3 or _BESIDE_WORDS & set(words_of(one.name)):
        return named
    # Unnamed numbers between 0 and 1 with many values are what models give.
    return 2 if one.within and one.fractional and one.distinct > 2 else 1


def _without_mirrored(found: list[_Facts], positive: str, negative: Sequence[str]) -> list[_Facts]:
    """Of two scores that are of the two classes, only the positive one's.

    What differs in their names is the class: "label_1_scores" and "label_0_scores".
    """
    named, other_class = set(words_of(positive)), set(words_of("_".join(negative)))
    theirs = (named, named - other_class)
    dropped: set[str] = set()
    for one, other in combinations(found, 2):
        if one.numbers is None or other.numbers is None:
            continue
        words = [set(words_of(each.name)) for each in (one, other)]
        own, others = words[0] - words[1], words[1] - words[0]
        called = [named, other_class] in ([own, others], [others, own])
        called = bool(named and own and others) and (called or bool((own | others) & _OTHER_CLASS))
        if not are_opposed(one.numbers, other.numbers, called=called):
            continue
        # Numbers that are no classes are places: the second is the positive class's.
        placed = (own, others) == ({"1"}, {"2"}) and "2" not in named | other_class
        placed |= is_numbered_name(one.name)
        of_first = bool(own) and own in theirs and others not in theirs and not placed
        of_other = bool(others) and others in theirs
        first = of_first or (not of_other and bool(others & _OTHER_CLASS))
        dropped.add(other.name if first else one.name)
    return [one for one in found if one.name not in dropped]
