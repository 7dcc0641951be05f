"""The label and the score by the names of columns alone, which are public: no cell is looked at."""

from collections.abc import Callable, Sequence

from dpcore.data.reading.roles.classes import speaks, words_of
from dpcore.data.reading.roles.columns import (
    GUESS_WORDS,
    LABEL_NAMES,
    SCORE_NAMES,
    SCORE_WORDS,
    PredictionRoles,
    label_likeness,
    place_among,
    score_likeness,
)
from dpcore.errors import IntakeError


def find_columns(
    columns: Sequence[str], label: str | None = None, score: str | None = None
) -> PredictionRoles:
    """The label and the score as said, or by the names of the columns alone: no cell is looked at.

    Names that do not tell, or tell of several, are refused, unless one of two columns is told.

    Examples
    --------
    >>> find_columns(["P", "Outcome", "age"])
    PredictionRoles(label='Outcome', scores=('P',), group='')
    """
    found = named_roles(columns)
    label, score = label or found[0], score or found[1]
    if label is not None and score is not None:
        return PredictionRoles(label, (score,))
    absent = " or a ".join(["label"] * (label is None) + ["score"] * (score is None))
    what = f"no column, or more than one, is named like a {absent}"
    remedy = "say which columns they are, or call them label and score"
    raise IntakeError(what, remedy=remedy)


def named_roles(columns: Sequence[str], least: int = 4) -> tuple[str | None, str | None]:
    """The one column that is named like a label, and the one like a score, at `least` so likely.

    Examples
    --------
    >>> named_roles(["y_true", "y_pred", "y_proba_1"]), named_roles(["y_true", "prob_0", "prob_1"])
    (('y_true', 'y_proba_1'), ('y_true', None))

    Beside columns that are called like classes a prediction is which of them was answered.

    >>> named_roles(["pred", "obs", "No", "Yes"])
    ('obs', None)
    """
    label = _surest(columns, label_likeness, LABEL_NAMES, least)
    score = _surest(columns, score_likeness, SCORE_NAMES, least)
    if score is not None and _decided(score):
        classes = [one for one in columns if one != label and not words_of(one)[1:] and speaks(one)]
        score = None if classes else score
    if len(columns) == 2 and (label is None) is not (score is None):
        other = next(name for name in columns if name not in (label, score))
        return label or other, score or other
    return label, score


def _surest(
    columns: Sequence[str], likeness: Callable[[str], int], known: Sequence[str], least: int
) -> str | None:
    """The column whose name is the surest, of known names or words; None where two are as sure."""

    def rank(name: str) -> tuple[bool, int, int]:
        return _decided(name), -likeness(name), place_among(known, name)

    found = sorted((name for name in columns if likeness(name) >= least), key=rank)
    return found[0] if found and {*map(rank, found[1:2])} != {rank(found[0])} else None


def _decided(name: str) -> bool:
    """Whether what is called so may be a decision: it is called a prediction alone."""
    words = {*words_of(name)}
    return bool(GUESS_WORDS & words) and not words & {"p", *SCORE_WORDS}
