"""Classes of a label: which there are, and which is likely the positive one."""

import re
from collections.abc import Collection, Mapping, Sequence
from unicodedata import combining, normalize

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from dpcore._typing import IntArray
from dpcore.data.reading.problems import Problem, count_of
from dpcore.data.reading.roles import KNOWN
from dpcore.data.reading.text_columns import CODES
from dpcore.errors import IntakeError
from dpcore.schema.cells import (
    cell_text,
    class_key,
    codes_of_classes,
    level_codes,
    level_key,
    numbers,
    shown,
)

MOST_CLASSES = 20
# Of so many rows the ways of writing two classes are counted, and so many may there be; and of
# any classes or levels.
_LOOKED_AT, _MOST_WAYS, _MOST_SPELLINGS = 1000, 8, 120
_CUT = re.compile(r"\s*(?:>=|≥|at least)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*")

# Of classes whose sizes are that near to each other none is the rare one.
_NEARLY, _RARE = 0.8, 0.1
_WORDS = re.compile(r"[^\W\d_]+|\d+")
_PROBABILITY = frozenset(KNOWN["probability"])
# Words of the event and of its absence, as they are, and how others begin.
_WHOLE = {what: {*KNOWN[what]} & {*KNOWN["whole"]} for what in ("calm", "event")}
_STARTS = {what: tuple({*KNOWN[what]} - _WHOLE[what]) for what in ("calm", "event")}
# Letters and marks that speak of the event, and of its absence.
_SIGNS = dict.fromkeys("yt+✓✔☑✅", 1) | dict.fromkeys("nf-✗✘✕☐❌", -1)
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def words_of(name: str) -> list[str]:
    """The words of a name, in lower case and without accents, whatever separates them.

    Examples
    --------
    >>> words_of("TenYearCHD"), words_of("Décès (0/1)")
    (['ten', 'year', 'chd'], ['deces', '0', '1'])
    """
    name = "".join(one for one in normalize("NFKD", str(name)) if not combining(one))
    return [word.lower() for word in _WORDS.findall(_HUMPS.sub(" ", name))]


def cut_at(positive: str | None) -> float | None:
    """The number of "at least 7"; None if a class is named instead.

    Examples
    --------
    >>> cut_at("at least 7"), cut_at(">= 0.5"), cut_at("yes")
    (7.0, 0.5, None)
    """
    found = _CUT.fullmatch(positive or "")
    return float(found[1]) if found else None


def classes_of(
    cells: pd.Series,
    positive: str | None,
    negative: str | None,
    *,
    cuts: bool = True,
    score: str = "",
    columns: Collection[str] = (),
) -> tuple[tuple[str, str], IntArray, list[Problem]]:
    """The two classes, the negative one first; each label as 0 or 1, or -1 for neither.

    A label of numbers is cut if nothing is said, unless `cuts` is false; a score whose
    name holds the words of a class, or its place among `columns`, is about it.
    """
    name = str(cells.name)
    if positive is not None and negative is not None:
        classes = negative, positive
        return classes, codes_of_classes(cells, classes), []
    counts = counts_of(cells)
    cut = cut_at(positive)
    if cut is not None and level_key(positive) not in {level_key(one) for one in counts}:
        return _cut(cells, cut)
    if len(counts) == 1:
        classes = _one_class(next(iter(counts)), name, positive)
        return classes, codes_of_classes(cells, classes), []
    if positive is None and cuts and len(counts) > 2 and _are_numbers(counts):
        found = _cut(cells, likely_cut(cells))
        return found[0], found[1], [_many(name, len(counts), found[0][1])]
    named = class_by_place(score, columns, tuple(counts))
    named = named or class_in_name(words_of(score), tuple(counts)) or likely_positive(counts)
    chosen = named if positive is None else _known(counts, name, positive)
    others = [one for one in counts if one != chosen]
    y_true = (codes_of_classes(cells, (chosen, *others)) == 0).astype(np.int64)
    if len(others) == 1:
        return (others[0], chosen), y_true, []
    if len(counts) > MOST_CLASSES and positive is None:
        what = f"it has {len(counts):,} values, too many for a label"
        remedy = "choose another column as the label, or say which value is positive"
        raise IntakeError(what, column=name, remedy=remedy)
    told = [] if positive is not None else [_many(name, len(counts), chosen)]
    return (f"not {chosen}", chosen), y_true, told


def without_odd_labels(
    cells: pd.Series, positive: str | None = None
) -> tuple[pd.Series, list[Problem]]:
    """A label of two classes, of which some cells say neither: those are missing, if not positive.

    Examples
    --------
    >>> cells, told = without_odd_labels(pd.Series(["yes", "no", "Unknown"], name="ill"))
    >>> cells.tolist(), told[0].sentence
    (['yes', 'no', nan], "“Unknown” counts as a missing label in column 'ill' (1 row).")
    """
    few = cells.iloc[:_LOOKED_AT].nunique() <= _MOST_WAYS
    classes = counts_of(cells) if few else {}
    coded = {*classes} - CODES in ({"0", "1"}, {"1", "2"})
    words = CODES if coded else KNOWN["unknown"]
    # Minus one may be a class of its own; a label that nobody gave is rare.
    rare = _RARE * sum(classes.values())
    odd = [one for one in classes if one != "-1" or classes[one] <= rare]
    odd = [one for one in odd if one.lower() in words and one != positive]
    if not odd or len(classes) != 2 + len(odd):
        return cells, []
    return cells.mask(level_codes(cells, odd) >= 0), [
        _counted_as(cells, odd, classes, "a missing label")
    ]


def in_usual_letters(
    cells: pd.Series, said: Sequence[str | None] = ()
) -> tuple[pd.Series, list[Problem]]:
    """A label, or levels, each spelled in one way where capitals and small letters differ.

    That way is the one that is `said`, or else the most frequent. Where one class would be left,
    "a" and "A" are two, though "yes" and "Yes" are not; they are two also where both are said.
    Whoever declares classes has the same read; see `codes_of_classes`.

    Examples
    --------
    >>> cells, told = in_usual_letters(pd.Series(["Y", "N", "N", "n"], name="ill"))
    >>> cells.tolist(), told[0].sentence
    (['Y', 'N', 'N', 'N'], "“n” counts as “N” in column 'ill' (1 row).")
    >>> in_usual_letters(pd.Series(["a", "A", "a"]))[1]
    []
    """
    few = not is_numeric_dtype(cells) and cells.iloc[:_LOOKED_AT].nunique() <= _MOST_SPELLINGS
    words = [str(one) for one in cells.unique() if not pd.isna(one)] if few else []
    if len({one.upper() for one in words}) == len(words):
        return cells, []
    classes = counts_of(cells)
    usual: dict[str | float, str] = {}
    for one in sorted(classes, key=lambda one: (one not in said, -classes[one])):
        usual.setdefault(class_key(one), one)
    named = [one for one in said if one is not None]
    both = len({*map(class_key, named)}) < len(named)
    if both or (len(usual) == 1 and not any(map(speaks, classes))):
        return cells, []
    told = []
    for key, way in usual.items():
        odd = [one for one in classes if class_key(one) == key and one != way]
        if odd:
            told.append(_counted_as(cells, odd, classes, f"“{way}”"))
            cells = cells.mask(level_codes(cells, odd) >= 0, way)
    return cells, told


def _counted_as(cells: pd.Series, odd: list[str], classes: dict[str, int], what: str) -> Problem:
    """Say that some labels count as another one, or as none."""
    rows = count_of(sum(classes[one] for one in odd), "row")
    names = " and ".join(f"“{one}”" for one in odd)
    verb = "counts" if len(odd) == 1 else "count"
    sentence = f"{names} {verb} as {what} in column {str(cells.name)!r} ({rows})."
    return Problem("note", sentence, column=str(cells.name))


def counts_of(cells: pd.Series) -> dict[str, int]:
    """How often each class occurs, by the first way in which it is written; nothing is none."""
    written: dict[str | float, str] = {}
    found: dict[str, int] = {}
    for value, times in cells.value_counts(sort=False).items():
        text = written.setdefault(level_key(value), cell_text(value))
        found[text] = found.get(text, 0) + int(times)
    return found


def _known(counts: dict[str, int], name: str, positive: str) -> str:
    """The class that a stated one is, as it is written."""
    for key in (level_key, class_key):
        for one in counts:
            if key(one) == key(positive):
                return one
    some = sorted(counts, key=level_order)[:MOST_CLASSES]
    choice = f"choose {' or '.join(some)}" if len(some) == 2 else f"choose among {', '.join(some)}"
    raise IntakeError(f"no label is {shown(positive)}", column=name, remedy=choice)


def _are_numbers(values: Collection[str]) -> bool:
    return all(isinstance(level_key(one), float) for one in values)


def likely_cut(cells: pd.Series) -> float:
    """Where to cut a label of numbers: above zero if that is the least, else at the upper half."""
    found = np.sort(numbers(cells))
    values = np.unique(found)
    if values[0] == 0.0:
        return float(values[1])
    shares = 1.0 - np.searchsorted(found, values[1:]) / found.size
    return float(values[1:][np.argmin(np.abs(shares - 0.5) + (shares > 0.5))])


def _cut(cells: pd.Series, at: float) -> tuple[tuple[str, str], IntArray, list[Problem]]:
    y_true = np.asarray(numbers(cells) >= at, dtype=np.int64)
    if y_true.all() or not y_true.any():
        what = f"{'every' if y_true.all() else 'no'} label is at least {at:g}"
        raise IntakeError(what, column=str(cells.name), remedy="choose another cut")
    return (f"below {at:g}", f"at least {at:g}"), y_true, []


def _many(name: str, classes: int, chosen: str) -> Problem:
    what = f"Column {name!r} has {classes} values: {chosen!r} counts as positive and all others as"
    return Problem("warning", f"{what} negative. Change it if another class is meant.", column=name)


def levels_of(cells: pd.Series) -> tuple[str, ...]:
    """The values of a column, numbers by their size and then texts."""
    return tuple(sorted(counts_of(cells), key=level_order))


def choices_of(cells: pd.Series) -> tuple[str, ...]:
    """What could be the positive class."""
    values = levels_of(cells)
    named = values if len(values) <= MOST_CLASSES else ()
    if len(values) < 3 or not _are_numbers(values):
        return named
    cuts = values[1:] if len(values) <= MOST_CLASSES else values[:: len(values) // MOST_CLASSES][1:]
    return (*(f"at least {level_order(one)[1]:g}" for one in cuts), *named)


def _one_class(label: str, name: str, positive: str | None) -> tuple[str, str]:
    if positive is None:
        what = f"every label is {shown(label)}"
        raise IntakeError(what, column=name, remedy="upload rows of both classes that have scores")
    same = class_key(positive) == class_key(label)
    return (f"not {positive}" if same else label), positive


def refuse_third(cells: pd.Series, classes: tuple[str, str]) -> None:
    """Refuse the first label that is none of the two classes; there is one."""
    row = int(np.argmax(codes_of_classes(cells, classes) < 0))
    after = f"{shown(classes[0])} and {shown(classes[1])}"
    what = f"the label {shown(cells.iloc[row])} of this data row is a third one, after {after}"
    remedy = "reduce the labels to two, or call the right columns label and score"
    row = int(cells.index[row]) + 1
    raise IntakeError(what, row=row, column=str(cells.name), remedy=remedy)


def level_order(value: str) -> tuple[bool, float, str]:
    """A key by which classes are sorted: numbers by their size, and then texts.

    Examples
    --------
    >>> sorted(["yes", "10", "9"], key=level_order)
    ['9', '10', 'yes']
    """
    key = level_key(value)
    return (True, 0.0, key) if isinstance(key, str) else (False, key, "")


def in_order(first: str, second: str) -> tuple[str, str]:
    """Order two values as (negative, positive).

    The one that speaks of the event is positive, or else the greater number, or of two texts the
    one that comes later in the alphabet.

    Examples
    --------
    >>> in_order("1", "-1"), in_order("yes", "zero"), in_order("spam", "ham")
    (('-1', '1'), ('zero', 'yes'), ('ham', 'spam'))
    """
    low, high = sorted((first, second), key=lambda one: (speaks(one), level_order(one)))
    return low, high


def likely_positive(counts: Mapping[str, int]) -> str:
    """Which class is the positive one: a guess, from words and from how rare each is.

    The class that speaks of the event; 1 beside 0 or -1; else the rarest; of nearly equals the
    later one.

    Examples
    --------
    >>> likely_positive({"malignant": 50, "benign": 20}), likely_positive({"2": 30, "1": 70})
    ('malignant', '2')
    >>> likely_positive({"Existing customer": 10, "Attrited customer": 20})
    'Attrited customer'
    >>> (
    ...     likely_positive({"tensor(1)": 70, "tensor(0)": 30}),
    ...     likely_positive({"[0 1]": 7, "[1 0]": 3}),
    ... )
    ('tensor(1)', '[0 1]')
    """
    said = {value: speaks(value) for value in counts}
    best = [value for value, speech in said.items() if speech == max(said.values())]
    if len(best) == 1:
        return best[0]
    numbers = {value: key for value in best if isinstance(key := level_key(value), float)}
    if len(numbers) == 2 and sorted(numbers.values()) in ([0.0, 1.0], [-1.0, 1.0]):
        return max(numbers, key=lambda value: numbers[value])
    if len(best) == 2 and not numbers and (one := _said_to_be_one(best)):
        return one
    fewest = min(counts[value] for value in best)
    return max((one for one in best if _NEARLY * counts[one] <= fewest), key=level_order)


def class_in_name(words: Collection[str], classes: Sequence[str]) -> str:
    """Which of a few classes the words of a score's name speak of; empty if of none.

    A number is a class beside nothing but words of a probability: "score_0" may be the first model.

    Examples
    --------
    >>> class_in_name(["prob", "good"], ("bad", "good")), class_in_name(["p", "0"], ("0", "1"))
    ('good', '0')
    """
    own = {one: {*_words(one)} for one in classes if len(classes) <= MOST_CLASSES}
    told = []
    for one, mine in own.items():
        other = set[str]().union(*(theirs for name, theirs in own.items() if name != one))
        if mine - other and mine - other <= {*words} and not (other - mine) & {*words}:
            told.append(one)
    if len(classes) == 2 and not told and {*words} & _PROBABILITY:
        told = [one for one in classes if [*words][1:] == [one]]
    return told[0] if len(told) == 1 else ""


def class_by_place(name: str, columns: Collection[str], classes: Collection[str]) -> str:
    """Which class a score is of, where scores are numbered from 0: the classes are in their order.

    Beside other labels than 1, 2 and so on only probabilities are: "net_0" may be a model.

    Examples
    --------
    >>> class_by_place("p1", ["p0", "p1"], ["1", "2"]), class_by_place("p1", ["p1"], ["1", "2"])
    ('2', '')
    """
    *stem, last = words_of(name) or [""]
    alike = {words[-1] for words in map(words_of, columns) if words and words[:-1] == stem}
    *from_zero, most = (str(place) for place in range(len(classes) + 1))
    told = {*from_zero[1:], most} == {*classes} or not _PROBABILITY.isdisjoint(stem)
    fits = told and {*from_zero} <= alike and most not in alike
    return sorted(classes, key=level_order)[int(last)] if fits and last in from_zero else ""


def _said_to_be_one(values: Sequence[str]) -> str:
    """Of two texts that differ in one digit the one with 1 in place of 0; empty if there is none.

    So do LABEL_0 and LABEL_1, and what libraries print of 0 and 1; of two vectors of the classes
    the second says it.
    """
    one, other = sorted(values)
    at = next((at for at, pair in enumerate(zip(one, other, strict=False)) if len({*pair}) > 1), 0)
    alone = not (one[:at][-1:] + one[at + 1 :][:1]).isdigit()
    if (one[at : at + 1], other[at : at + 1]) != ("0", "1") or not alone:
        return ""
    vectors = one[at + 1 :] != other[at + 1 :] and sorted(one) == sorted(other)
    return one if vectors else other if one[at + 1 :] == other[at + 1 :] else ""


def speaks(value: str) -> int:
    """1 of the event, -1 of its absence, 0 of neither."""
    text = value.strip().lower()
    if text in _SIGNS:
        return _SIGNS[text]
    words = _words(text)
    calm, event = (
        any(word in _WHOLE[what] or word.startswith(_STARTS[what]) for word in words)
        for what in ("calm", "event")
    )
    return -1 if calm else int(event)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.lower())
