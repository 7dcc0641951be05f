"""Columns that belong together: those named after the classes, and scores of two classes."""

from collections.abc import Sequence
from itertools import combinations, permutations
from os.path import commonprefix
from typing import Protocol, TypeVar

import numpy as np

from dpcore._typing import FloatArray
from dpcore.data.reading.problems import are_decisions
from dpcore.data.reading.roles import KNOWN
from dpcore.data.reading.roles.classes import class_by_place, likely_positive, words_of
from dpcore.data.reading.text_columns import is_numbered_name

_ENDS = [one.split() for one in KNOWN["ends_of_intervals"]]
_OTHER_CLASS, _MOST_ALIKE = frozenset(KNOWN["other_class"]), 9
# What two scores add up to that are of the two classes, and how nearly.
_WHOLES = ((1.0, 1e-3), (100.0, 0.1), (0.0, 1e-3))


class Column(Protocol):
    """What is known of a column."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def words(self) -> list[str]:
        """Those of its name."""

    @property
    def numbers(self) -> FloatArray | None:
        """What it holds, if these are numbers."""


One = TypeVar("One", bound=Column)


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
        ending = [name for name in columns if class_by_place(name, columns, classes) == one]
        ending = ending or [
            name for name in columns if words and words_of(name)[-len(words) :] == words
        ]
        # "p_very_high" ends like "p_high": the shorter name is that of the shorter class.
        found += sorted(ending, key=lambda name: len(words_of(name)))[:1]
    return tuple(found) if len(set(found)) == len(classes) else ()


def one_hot(columns: Sequence[One], label: One) -> tuple[One, list[One]]:
    """The label, and what can be its scores: of "gold.spam" beside "gold.ham" those of spam."""
    others, stem = [one for one in columns if one is not label], label.words[:-1]
    alike = [one for one in columns if one.words[:-1] == stem]
    held = {
        one.words[-1]: one
        for one in alike
        if one.numbers is not None and are_decisions(one.numbers)
    }
    rows = np.array([one.numbers for one in held.values()])
    if label not in held.values() or len(held) < 2 or not (rows.sum(axis=0) == 1.0).all():
        return label, others
    chosen = likely_positive({name: int(sum(one)) for name, one in zip(held, rows, strict=True)})
    others = [one for one in others if one not in held.values()]
    same = [one for one in others if one.words[-1:] == [chosen]]
    return held[chosen], same or others


def named_alike(found: list[One]) -> list[One]:
    """The last one, where no name says what a score is, with those that are called like it.

    All but the last word of points_a and points_b is the same: they are two models' scores. Of many
    such columns none is a model.
    """
    stem = found[-1].words[:-1] if found else []
    alike = [one for one in found if stem and one.words[:-1] == stem]
    return alike if 1 < len(alike) <= _MOST_ALIKE else found[-1:]


def without_mirrored(found: list[One], positive: str, negative: Sequence[str]) -> list[One]:
    """Of two scores that are of the two classes, only the positive one's.

    Numbered columns have the order of the alphabet, as programs put classes that are words.
    """
    classes, named = ({*words_of(positive)}, {*words_of("_".join(negative))}), (positive, *negative)
    falls = (
        len(named) == 2 and sorted(named, key=str.lower) == [*named] and "".join(named).isalpha()
    )
    dropped = {_of_other_class(*two, *classes, falls=falls) for two in combinations(found, 2)}
    return [one for one in found if one.name not in dropped]


def without_derived(found: list[One]) -> list[One]:
    """Scores of which none follows from another one: these are no models of their own.

    How sure a model is of its own answer is the larger one of a probability and its complement,
    and the margin that a probability was made of rises with it. Copies and percents are the same
    model again.
    """
    held = [(one.name, one.numbers) for one in found if one.numbers is not None]
    chances = [some for _, some in held if 0.0 <= np.nanmin(some) < 0.5 < np.nanmax(some) <= 1.0]
    derived = {
        name
        for name, numbers in held
        if not 0.0 <= np.nanmin(numbers) < 0.5
        for some in chances
        if _follows(numbers, some)
    }
    for place, (name, numbers) in enumerate(held):
        again = any(np.array_equal(numbers, some, equal_nan=True) for _, some in held[:place])
        if again or any(np.allclose(numbers, 100.0 * some, 5e-3, 0.0, True) for some in chances):
            derived.add(name)
    for (low, least), (high, most) in permutations(held, 2):
        ends = *({*words_of(low)} - {*words_of(high)}), *({*words_of(high)} - {*words_of(low)})
        inside = [name for name, some in held if not ((some < least) | (some > most)).any()]
        derived |= {low, high} if [*ends] in _ENDS and {*inside} - {low, high} else set()
    return [one for one in found if one.name not in derived]


def _follows(numbers: FloatArray, chances: FloatArray) -> bool:
    held = np.isfinite(numbers + chances)
    if not held.any():
        return False
    one, chance = numbers[held], chances[held]
    if np.abs(one - np.maximum(chance, 1.0 - chance)).max() < _WHOLES[0][1]:
        return True
    # Rounded, several margins have one probability.
    rises = np.diff(chance[np.lexsort((chance, one))]) >= 0.0
    return bool(one.min() < 0.0 and np.ptp(chance) > 0.0 and rises.all())


def _of_other_class(
    one: Column, other: Column, positive: set[str], negative: set[str], *, falls: bool
) -> str | None:
    """Which of two scores is the negative class's; None if they are not of the two classes.

    Of columns with a number each the later one is, if the order of classes `falls`.

    What differs in their names is the class: "label_1_scores" and "label_0_scores"; so is how they
    end, "P_died301" and "P_died300".
    """
    if one.numbers is None or other.numbers is None:
        return None
    own, others = {*one.words} - {*other.words}, {*other.words} - {*one.words}
    names = [one.name.lower(), other.name.lower()]
    shared = commonprefix(names)  # noqa: RUF071 - of characters
    ends = [{name.removeprefix(shared)} for name in names]
    if ends in ([positive, negative], [negative, positive]):
        own, others = ends
    called = [own, others] in ([positive, negative], [negative, positive])
    called = called or bool((own | others) & _OTHER_CLASS)
    called = bool(called and positive and own and others)
    if not are_opposed(one.numbers, other.numbers, called=called):
        return None
    if falls and "".join(own).isdecimal() and "".join(others).isdecimal():
        return max((int(*own), one.name), (int(*others), other.name))[1]
    # Numbers that are no classes are places: the second is the positive class's.
    placed = (own, others) == ({"1"}, {"2"}) and "2" not in positive | negative
    placed |= is_numbered_name(one.name)
    theirs = (positive, positive - negative)
    of_first = bool(own) and own in theirs and others not in theirs and not placed
    of_other = bool(others) and others in theirs
    first = of_first or (not of_other and bool(others & _OTHER_CLASS))
    return other.name if first else one.name


def are_opposed(one: FloatArray, other: FloatArray, *, called: bool) -> bool:
    """Whether two scores add up, or, `called` after the classes, one falls as the other rises."""
    held = np.isfinite(one + other)
    if not held.any():
        return False
    one, other = one[held], other[held]
    sums = [(one + other, whole, near) for whole, near in _WHOLES]
    if max(one.max(), other.max()) <= 0.0:
        sums.append((np.exp(one) + np.exp(other), *_WHOLES[0]))
    # The first row shows of most pairs that they add up to nothing in particular.
    likely = [some for some in sums if abs(some[0][0] - some[1]) < some[2]]
    mirrored = any(np.abs(both - whole).max() < near for both, whole, near in likely)
    varies = not mirrored and called and np.ptp(one) > 0 and np.ptp(other) > 0
    return mirrored or bool(varies and np.corrcoef(one, other)[0, 1] < 0.0)
