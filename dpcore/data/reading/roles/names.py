"""Names of columns: what their words say of a label, of a score and of the class of a score."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from unicodedata import combining, normalize

_FILE = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
KNOWN = {what: tuple(map(str, words)) for what, words in _FILE.items()}
# Whole names, however they are cased and separated; the surer one first.
LABEL_NAMES, SCORE_NAMES = KNOWN["label_names"], KNOWN["score_names"]
BESIDE_WORDS, GROUP_WORDS, OTHER_CLASS = (
    frozenset(KNOWN[what]) for what in ("beside", "group", "other_class")
)
_LABEL_WORDS, _SCORE_WORDS, _GUESS_WORDS, _TRAITS = (
    frozenset(KNOWN[what]) for what in ("label", "score", "guess", "trait")
)
_SCORE_ENDS = tuple(word for word in _SCORE_WORDS if len(word) > 4)
_WORDS = re.compile(r"[^\W\d_]+|\d+")
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
    if (_GUESS_WORDS | _SCORE_WORDS) & {*words}:
        return 0
    if _LABEL_WORDS & {*words}:
        return 4
    if any(word.startswith(KNOWN["outcome"]) for word in words):
        # "diabetesMed" and "patient type" are about something else.
        begins, ends = words[0].startswith(KNOWN["begins"]), words[-1].startswith(KNOWN["ends"])
        return 3 if len(words) == 1 or not (begins or ends) else 2
    return 0 if (_TRAITS | GROUP_WORDS) & {*words} else 1


def score_likeness(name: str) -> int:
    """How much a name is that of a score: 5 a usual one, 4 one of several, 3 a prediction.

    0 is the name of a label, or of what stands beside scores: their bounds and errors, and weights.
    """
    words = words_of(name)
    whole = "_".join(words)
    if whole in SCORE_NAMES:
        return 5
    if whole in LABEL_NAMES or BESIDE_WORDS & {*words}:
        return 0
    # German, and capitals, write several words as one.
    if "p" in words or any(word in _SCORE_WORDS or word.endswith(_SCORE_ENDS) for word in words):
        return 4
    return 3 if _GUESS_WORDS & {*words} else 1


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
