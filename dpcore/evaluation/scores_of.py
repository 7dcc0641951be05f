"""What every evaluator of labels and scores checks and reads before it releases anything."""

from collections.abc import Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeVar, Unpack

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, Interval, NDArray
from dpcore.data.counting import ScoreHistogram
from dpcore.data.counting.score_counter import usable_by_all
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.errors import InvalidArgument
from dpcore.evaluation.estimates import EstimateRelease
from dpcore.privacy import Loss, Number
from dpcore.registry import Method
from dpcore.release import Gate, Payment, open_gate
from dpcore.schema.cell_arrays import cells_of, numbers_of, require_vector
from dpcore.schema.cells import MISSING, class_key, distinct_texts, level_key

# So many labels are named in a warning.
_SHOWN = 3

# The noise of an evaluation has at most 2^28 cells over its epsilon, whatever is evaluated and how;
# for less than this it would be too wide to draw, which some find only once they have paid.
LEAST_EPSILON = Fraction(1, 10**7)


def evaluation_loss(epsilon: Number, delta: Number = 0, *, several: int = 1) -> Loss:
    """What evaluations may spend, or `InvalidArgument` if no noise can be drawn for a share."""
    return Loss.positive(epsilon, delta, least=several * LEAST_EPSILON)


@contextmanager
def evaluation(
    label: str,
    y_true: ArrayLike | ScoreHistogram,
    y_score: ArrayLike | None,
    *,
    method: Method,
    epsilon: Number,
    confidence: float,
    pos_label: object,
    scale: ScoreScale | str,
    bounds: Interval | None,
    **account: Unpack[Payment],
) -> Iterator[tuple[ScoreHistogram, Loss, Gate]]:
    """The counted scores, as the neighbour relation counts them, the loss, and the gate for it.

    Everything that can be refused is refused before a record is read: the form of the arguments,
    and by `open_gate` the method, the relation and the budget. With real noise the whole loss is
    charged before reading (`Gate.before_reading`).

    Parameters
    ----------
    label
        What is evaluated, in the words of the ledger.
    method
        As registered.
    y_true, y_score, epsilon, confidence, pos_label, scale, bounds, **account
        As every evaluator takes them, see `private_roc_curve`.
    """
    on = ScoreScale.of(scale, bounds)
    if isinstance(y_true, ScoreHistogram) or y_score is None:
        scores_of(y_true, y_score, pos_label, scale=on, simulated=False)
    else:
        require_form(y_true, y_score=y_score)
    with paid_first(label, method, epsilon, confidence, **account) as (loss, gate):
        scores = scores_of(y_true, y_score, pos_label, scale=on, simulated=gate.simulated)
        yield scores.as_counted(gate.neighbors), loss, gate


@contextmanager
def paid_first(
    label: str, method: Method, epsilon: Number, confidence: float, **account: Unpack[Payment]
) -> Iterator[tuple[Loss, Gate]]:
    """What an evaluation may spend, and its gate: with real noise charged before all reading."""
    loss = evaluation_loss(epsilon)
    _check.inside(0, 1, confidence=confidence)
    with open_gate(loss, method=method, **account).before_reading(label, method.name) as gate:
        yield loss, gate


Told = TypeVar("Told", bound=EstimateRelease)


def told(
    release: Told, y_true: object, *, one_class: bool = False, declared: str = "pos_label says"
) -> Told:
    """A release; with a warning if labels were read for it and it says nothing, or of one class.

    With real noise no record may make an error, so that labels that are misread leave everybody out
    without a word: only what was released may bring it up.
    """
    if release.simulated or _are_counted(y_true) or not (release.says_nothing or one_class):
        return release
    left = "everything possible" if release.says_nothing else "it possible that one class is empty"
    _check.warn_caller(
        f"the noise leaves {left}: there are too few records for this epsilon, or "
        f"labels are not as {declared}, or scores as scale says, which no error may tell"
    )
    return release


def _are_counted(y_true: object) -> bool:
    several = y_true if isinstance(y_true, Sequence) else (y_true,)
    return isinstance(next(iter(several), None), ScoreHistogram)


def account_of(gate: Gate, confidence: float) -> dict[str, Any]:
    """What every release says of how it came about, by name."""
    of_gate = {"charges": gate.charges, "simulated": gate.simulated, "neighbors": gate.neighbors}
    return {"confidence": float(confidence), **of_gate}


def counted_already(
    y_true: object, several: int, scale: ScoreScale, **read: object
) -> list[ScoreHistogram] | None:
    """So many counted scores in place of `y_true` and what else is read; None if that is given."""
    if isinstance(y_true, Sequence) and _are_counted(y_true):
        if len(y_true) != several or not all(isinstance(one, ScoreHistogram) for one in y_true):
            raise InvalidArgument("y_true", f"{len(y_true)} entries", f"{several} counted scores")
        _require_left_out("with counted scores", scale, **read)
        return list(y_true)
    return None


def _require_left_out(beside: str, scale: ScoreScale, **read: object) -> None:
    """Refuse what says how labels and scores are read, where they were counted already."""
    for name, given in {**read, "scale": None if scale == PROBABILITY else scale.name}.items():
        if given is not None:
            shown = given if isinstance(given, str) else type(given).__name__
            raise InvalidArgument(name, shown, f"left out {beside}")


def scale_of_probabilities(scale: ScoreScale | str, bounds: Interval | None) -> ScoreScale:
    """A scale whose numbers are probabilities in some form, or `InvalidArgument`."""
    on = ScoreScale.of(scale, bounds)
    if on.name == "any":
        raise InvalidArgument("scale", "any", "one whose numbers are probabilities")
    return on


def require_threshold(threshold: float, on: ScoreScale) -> None:
    """Refuse what is not between 0 and 1, and say where it lies if it is as scores are written."""
    _check.finite(threshold=threshold)
    if on != PROBABILITY and not 0 <= threshold <= 1:
        there = f"between 0 and 1, as scores are once they are read: {on.threshold(threshold):g}"
        raise InvalidArgument("threshold", threshold, there)
    _check.in_range(0, 1, threshold=threshold)


def scores_of(
    y_true: ArrayLike | ScoreHistogram,
    y_score: ArrayLike | None,
    pos_label: object,
    *,
    scale: ScoreScale = PROBABILITY,
    simulated: bool = True,
) -> ScoreHistogram:
    """Counted scores, from arrays of labels and scores or counted already.

    Parameters
    ----------
    y_true : array-like, shape (n,), or ScoreHistogram
    y_score : array-like, shape (n,), optional
        Left out with a histogram.
    pos_label
        See `ScoreHistogram.from_arrays`; a histogram has its classes already.
    scale : ScoreScale, default that of probabilities
        What the scores are; a histogram was counted on one already.
    simulated
        Whether the noise is; or there is none, because the truth is wanted.

    Raises
    ------
    InvalidArgument
        If the scores are missing, or given twice, or cannot be counted. In a simulation also if a
        score is not on its scale, which the message names, or no label can be positive.

    Warns
    -----
    UserWarning
        In a simulation, if labels are numbers, but neither 0 and 1 nor -1 and 1, and `pos_label` is
        left out: which one is positive is then a guess. With real noise nobody may be told.

    Privacy
        With real noise no record makes an error, which would tell of it for nothing: one without a
        label or a usable score is left out. Nor does the type of the labels decide, which NumPy
        and pandas find in the labels: without `pos_label` 1 is positive, whatever the others are.

    Examples
    --------
    >>> scores = scores_of(["no", "yes"], [0.1, 0.9], "yes")
    >>> scores_of(scores, None, None) is scores, scores.n_positive
    (True, 1)
    """
    if isinstance(y_true, ScoreHistogram):
        _require_left_out("beside a ScoreHistogram", scale, y_score=y_score, pos_label=pos_label)
        return y_true
    if y_score is None:
        raise InvalidArgument("y_score", None, "given, unless y_true is a ScoreHistogram")
    if simulated:
        scale.require(numbers_of(y_score, "y_score"))
        labels = cells_of(y_true, "y_true")
        _require_positive(labels, pos_label)
        if pos_label is None:
            _warn_of_other_labels(labels)
    return ScoreHistogram.from_arrays(y_true, y_score, pos_label=pos_label, scale=scale)


def usable_scores(
    several: Iterable[tuple[str, Any]], scale: ScoreScale, *, simulated: bool
) -> list[NDArray[np.float64]]:
    """Named scores of the same records, between 0 and 1; none of one that lacks a usable one.

    In a simulation the first that is not on its scale is an error, which names it.
    """
    read = []
    for name, scores in several:
        written = numbers_of(scores, name)
        if simulated:
            scale.require(written, name)
        read.append(scale.unit(written))
    return usable_by_all(*read)


def _require_positive(labels: NDArray[Any], given: object) -> None:
    """Refuse a positive label that no record could have, where a simulation may say so.

    With real noise nobody may be told: whether labels are numbers can depend on one of them.

    Parameters
    ----------
    labels : array, shape (n,)
    given
        None if it is left out, and 1 is meant.

    Raises
    ------
    InvalidArgument
        If no label is a number and none is given, or if all are and it is none: every record would
        count as negative.

    Warns
    -----
    UserWarning
        If every record does, and there are several labels: it is another one, or misspelt.
    """
    keys = {level_key(text): text for text in distinct_texts(labels)[1] if text not in MISSING}
    kinds = set(map(type, keys))
    if given is None and kinds == {str}:
        wanted = "given where labels are not numbers, for example pos_label='yes'"
        raise InvalidArgument("pos_label", None, wanted)
    if kinds == {float} and given is not None and isinstance(level_key(given), str):
        raise InvalidArgument("pos_label", given, "a number, as the labels are")
    alike = {class_key(key) for key in keys}
    if len(keys) > 1 and given is not None and alike == {class_key(given)}:
        _check.warn_caller("labels differ in capital and small letters only: all are positive")
    if len(keys) > 1 and given is not None and class_key(given) not in alike:
        others = ", ".join(map(repr, sorted(keys.values())[:_SHOWN]))
        what = f"no label of y_true is {given!r}, but {others}"
        _check.warn_caller(f"{what}: every record counts as negative")


def require_form(y_true: object, **others: object) -> None:
    """Refuse what cannot be labels and scores whatever the records are, before anything is charged.

    Only the form is looked at: that all are given, by their names, are vectors, and of one length.

    Raises
    ------
    InvalidArgument

    Examples
    --------
    >>> require_form([0, 1], y_score=[0.5, 0.25])
    """
    require_vector(y_true, "y_true")
    for name, values in others.items():
        require_vector(values, name)
        sized = isinstance(y_true, Sized) and isinstance(values, Sized)
        if sized and len(y_true) != len(values):  # type: ignore[arg-type]
            raise InvalidArgument(name, "another number", "one entry for each of y_true")


def _warn_of_other_labels(labels: NDArray[Any]) -> None:
    if labels.dtype == object and {type(label) for label in labels} <= {int, float}:
        labels = labels.astype(np.float64)
    if labels.dtype.kind not in "iuf":
        return
    other = ~(np.isnan(labels) | (labels == 1))
    if any((labels[other] == negative).all() for negative in (0, -1)):
        return
    shown = ", ".join(f"{label:g}" for label in np.unique(labels[other])[:_SHOWN])
    what = f"y_true holds {shown} and pos_label is left out, so that 1 is positive"
    _check.warn_caller(f"{what} and all others are negative; name it, as in pos_label=2")
