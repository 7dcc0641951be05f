"""The positive class: which of several it is, by what they say, how rare they are, or a score."""

import re
from collections.abc import Collection, Mapping, Sequence

from dpcore.data.reading.roles.names import KNOWN
from dpcore.schema.cells import level_key

# Of classes whose sizes are that near to each other none is the rare one.
_NEARLY = 0.8


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
    low, high = sorted((first, second), key=lambda one: (_speaks(one), level_order(one)))
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
    """
    said = {value: _speaks(value) for value in counts}
    best = [value for value, speech in said.items() if speech == max(said.values())]
    if len(best) == 1:
        return best[0]
    numbers = {value: number for value in best if (number := _number(value)) is not None}
    if len(numbers) == 2 and sorted(numbers.values()) in ([0.0, 1.0], [-1.0, 1.0]):
        return max(numbers, key=lambda value: numbers[value])
    fewest = min(counts[value] for value in best)
    return max((one for one in best if _NEARLY * counts[one] <= fewest), key=level_order)


def class_in_name(words: Collection[str], classes: Sequence[str]) -> str:
    """Which of two classes the words of a score's name speak of; empty if of none.

    Examples
    --------
    >>> class_in_name(["prob", "good"], ("bad", "good")), class_in_name(["p", "0"], ("0", "1"))
    ('good', '')
    """
    own = [{*_words(one)} for one in classes]
    told = [
        one
        for one, mine, other in zip(classes, own, own[::-1], strict=True)
        if mine - other and mine - other <= {*words} and not (other - mine) & {*words}
    ]
    return told[0] if len(classes) == 2 and len(told) == 1 else ""


def _number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def _speaks(value: str) -> int:
    """1 of the event, -1 of its absence, 0 of neither."""
    text = value.strip().lower()
    if text in ("y", "t", "+"):
        return 1
    if text in ("n", "f", "-"):
        return -1
    words = _words(text)
    calm = any(_begins(word, KNOWN["calm"]) for word in words)
    event = any(_begins(word, KNOWN["event"]) for word in words)
    return -1 if calm else int(event)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.lower())


def _begins(word: str, known: tuple[str, ...]) -> bool:
    whole = KNOWN["whole"]
    return any(word == start if start in whole else word.startswith(start) for start in known)
