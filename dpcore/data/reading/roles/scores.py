"""Scores: which columns of a table hold them, and which of two classes' scores is meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from dpcore._typing import FloatArray
from dpcore.data.reading.prediction_scores import guessed_numbers
from dpcore.data.reading.problems import are_decisions, is_identifier
from dpcore.data.reading.roles import names
from dpcore.data.reading.roles.classes import MOST_CLASSES
from dpcore.data.reading.roles.positive import class_in_name, likely_positive
from dpcore.data.reading.text_columns import is_numbered_name

_MOST_ALIKE, _SOME = 9, 0.5
# A guess looks at so many rows.
LOOKED_AT = 2000
# What two scores add up to that are of the two classes, and how nearly.
_WHOLES = ((1.0, 1e-3), (100.0, 0.1), (0.0, 1e-3))


@dataclass(frozen=True, eq=False)
class ColumnFacts:
    """What a guess looks at in a column.

    Parameters
    ----------
    like_label, like_score
        How much its name is that of one; see `label_likeness` and `score_likeness`.
    numbers : float array, optional
        Of its first rows, where half of those that are there are numbers.
    identifier
        Whether it looks like a record number.
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
        words, like_label = names.words_of(name), names.label_likeness(name)
        like_score = names.score_likeness(name)
        some = cells.iloc[:LOOKED_AT]
        distinct = int(some.nunique())
        distinct = distinct if distinct > MOST_CLASSES else int(cells.nunique())
        found = guessed_numbers(some, delimiter)[0]
        present = int(some.notna().sum())
        numeric = present and np.count_nonzero(~np.isnan(found)) >= _SOME * present
        held = found if numeric else None
        numbered = like_score < 3 and is_identifier(cells)
        numbered = numbered and (held is None or not is_fractional(held))
        return cls(cells, name, words, like_label, like_score, distinct, held, numbered)

    @property
    def fractional(self) -> bool:
        """Whether any of its numbers is no whole one."""
        return self.numbers is not None and is_fractional(self.numbers)

    @property
    def score_points(self) -> int:
        """How much it is a score: by its name, or where that does not say by its numbers."""
        if self.like_score >= 3 or names.BESIDE_WORDS & {*self.words} or self.numbers is None:
            return self.like_score
        held = self.numbers[~np.isnan(self.numbers)]
        within = bool(held.size and held.min() >= 0 and held.max() <= 1)
        # Unnamed numbers between 0 and 1 with many values are what models give.
        return 2 if within and self.fractional and self.distinct > 2 else 1


def is_fractional(found: FloatArray) -> bool:
    """Whether any number is no whole one."""
    held = found[np.isfinite(found)]
    return bool((held % 1 != 0).any())


def likely_scores(facts: Sequence[ColumnFacts], classes: Mapping[str, int]) -> list[ColumnFacts]:
    """The columns that can be scores and look most like it, the surest first.

    Parameters
    ----------
    classes
        Of the label, and how often each occurs; empty if they are not two.
    """
    positive = likely_positive(classes) if classes else ""
    numeric = [one for one in facts if one.numbers is not None and not one.identifier]
    soft = [one for one in numeric if one.numbers is not None and not are_decisions(one.numbers)]
    points = {one.name: one.score_points for one in numeric}
    others = [one for one in classes if one != positive]
    if max(points.values(), default=0) < 2:
        return _without_mirrored(_named_alike(soft or numeric), positive, others)
    # Without a name that says so only the numbers of a file that names no score are scores.
    likely = [one for one in soft if points[one.name] >= 2] or numeric
    most = max(points[one.name] for one in likely)
    least = most if likely is numeric else min(most, 3)
    chosen = [one for one in likely if points[one.name] >= least]
    chosen = [one for one in chosen if one.distinct > 1] or chosen

    def rank(one: ColumnFacts) -> tuple[bool, int, int]:
        of_another = not positive or class_in_name(one.words, tuple(classes)) != positive
        return of_another, -points[one.name], names.place_among(names.SCORE_NAMES, one.name)

    return sorted(_without_mirrored(chosen, positive, others), key=rank)


def _named_alike(found: list[ColumnFacts]) -> list[ColumnFacts]:
    """The last one, where no name says what a score is, with those that are called like it.

    All but the last word of points_a and points_b is the same: they are two models' scores. Of many
    such columns none is a model.
    """
    stem = found[-1].words[:-1] if found else []
    alike = [one for one in found if stem and one.words[:-1] == stem]
    return alike if 1 < len(alike) <= _MOST_ALIKE else found[-1:]


def _without_mirrored(
    found: list[ColumnFacts], positive: str, negative: Sequence[str]
) -> list[ColumnFacts]:
    """Of two scores that are of the two classes, only the positive one's."""
    classes = {*names.words_of(positive)}, {*names.words_of("_".join(negative))}
    dropped = {_of_other_class(one, other, *classes) for one, other in combinations(found, 2)}
    return [one for one in found if one.name not in dropped]


def _of_other_class(
    one: ColumnFacts, other: ColumnFacts, positive: set[str], negative: set[str]
) -> str | None:
    """Which of two scores is the negative class's; None if they are not of the two classes.

    What differs in their names is the class: "label_1_scores" and "label_0_scores".
    """
    if one.numbers is None or other.numbers is None:
        return None
    own, others = {*one.words} - {*other.words}, {*other.words} - {*one.words}
    called = [positive, negative] in ([own, others], [others, own])
    called |= bool((own | others) & names.OTHER_CLASS)
    called = bool(called and positive and own and others)
    if not are_opposed(one.numbers, other.numbers, called=called):
        return None
    # Numbers that are no classes are places: the second is the positive class's.
    placed = (own, others) == ({"1"}, {"2"}) and "2" not in positive | negative
    placed |= is_numbered_name(one.name)
    theirs = (positive, positive - negative)
    of_first = bool(own) and own in theirs and others not in theirs and not placed
    of_other = bool(others) and others in theirs
    first = of_first or (not of_other and bool(others & names.OTHER_CLASS))
    return other.name if first else one.name


def are_opposed(one: FloatArray, other: FloatArray, *, called: bool) -> bool:
    """Whether two scores add up, or, `called` after the classes, one falls as the other rises."""
    held = np.isfinite(one + other)
    one, other = one[held], other[held]
    sums = [(one + other, whole, near) for whole, near in _WHOLES]
    if max(one.max(initial=0.0), other.max(initial=0.0)) <= 0.0:
        sums.append((np.exp(one) + np.exp(other), *_WHOLES[0]))
    # The first row shows of most pairs that they add up to nothing in particular.
    likely = [some for some in sums if not (some[0].size and abs(some[0][0] - some[1]) >= some[2])]
    mirrored = any(np.abs(both - whole).max(initial=0.0) < near for both, whole, near in likely)
    varies = not mirrored and called and np.ptp(one) > 0 and np.ptp(other) > 0
    return mirrored or bool(varies and np.corrcoef(one, other)[0, 1] < 0.0)
