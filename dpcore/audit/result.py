"""The result of an attack: bounds on epsilon, and the event that shows them."""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore._numbers import percent
from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.audit.events import Event
from dpcore.audit.statistics import most_different
from dpcore.audit.target import ABSENT
from dpcore.privacy import Guarantee, Loss, Neighbors

_MOST_OUTCOMES, _MOST_NUMBERS, _BINS = 12, 6, 48

# So many outputs are enough to see that there are few different ones.
_FIRST = 1000


@dataclass(frozen=True, eq=False)
class OutputView:
    """How often each outcome came, or each range of one number.

    Parameters
    ----------
    words
        What the outcomes or the numbers are.
    labels
        The outcomes; empty for ranges.
    edges : float array, shape (bars + 1,)
        Ends of the ranges; empty for outcomes.
    here, there : float arrays, shape (bars,)
        Shares of the outputs on either data set.
    event : bool array, shape (bars,)
        Where the event of the attack happens, in most cases at least.
    """

    words: str
    labels: tuple[str, ...]
    edges: FloatArray
    here: FloatArray
    there: FloatArray
    event: BoolArray


def output_view(
    here: FloatArray, there: FloatArray, event: Event | None = None, columns: tuple[str, ...] = ()
) -> OutputView:
    """Count outputs: each different one if they are few, else one number in ranges.

    That number is the statistic of the event, or the number that differs most.

    Parameters
    ----------
    here, there : float arrays, shape (runs, numbers)
        At least one run each.
    columns
        Names of the numbers; one that ends in a question mark is answered by 0, no, or 1, yes.

    Examples
    --------
    >>> view = output_view(np.array([[1.0], [2.0]]), np.array([[2.0], [2.0]]))
    >>> view.labels, view.here.tolist(), view.there.tolist()
    (('1', '2'), [0.5, 0.5], [0.0, 1.0])
    """
    both, ours = np.vstack([here, there]), len(here)
    words, labels, edges, places = _binned(both, ours, event, columns)
    happens = np.zeros(len(both), dtype=np.bool_) if event is None else event.happens(both)
    bars = len(labels) or edges.size - 1
    counts = [np.bincount(side, minlength=bars) for side in (places[:ours], places[ours:])]
    likely = np.bincount(places[happens], minlength=bars) > (counts[0] + counts[1]) / 2
    shares = counts[0] / max(ours, 1), counts[1] / max(len(both) - ours, 1)
    return OutputView(words, labels, edges, *shares, likely)


def _binned(
    both: FloatArray, ours: int, event: Event | None, columns: tuple[str, ...]
) -> tuple[str, tuple[str, ...], FloatArray, IntArray]:
    """Words, the labels of outcomes or else the edges of ranges, and the place of each output."""
    first = np.vstack([both[:ours][:_FIRST], both[ours:][:_FIRST]])
    if len(np.unique(first, axis=0)) <= _MOST_OUTCOMES:
        outcomes, places = np.unique(both, axis=0, return_inverse=True)
        if len(outcomes) <= 2 * _MOST_OUTCOMES:
            labels, words = _labels(outcomes, columns)
            return words, labels, np.zeros(0), places.ravel()
    numbers, words = _one_number(both, ours, event, columns)
    edges = _edges(numbers)
    places = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, edges.size - 2)
    return words, (), edges, places


def _one_number(
    both: FloatArray, ours: int, event: Event | None, columns: tuple[str, ...]
) -> tuple[FloatArray, str]:
    differing = most_different(both[:ours], both[ours:], 1)
    column = int(differing[0]) if differing.size else 0
    if event is not None and both.shape[1] > 1:
        return event.statistic.score(both), event.statistic.words
    name = columns[column] if column < len(columns) else f"number {column + 1} of the output"
    return both[:, column], "the output" if both.shape[1] == 1 else name


def _edges(numbers: FloatArray) -> FloatArray:
    """Ranges of equal width between far quantiles; of width one around a few whole numbers."""
    low, high = np.quantile(numbers, [0.003, 0.997]).tolist()
    if (numbers == np.rint(numbers)).all() and 0 < high - low <= _BINS:
        return np.arange(low - 0.5, high + 1.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, _BINS + 1)


def _labels(outcomes: FloatArray, columns: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Each outcome by its numbers, those that are always the same left out."""
    varying = np.flatnonzero((outcomes != outcomes[:1]).any(axis=0))
    if not varying.size:
        varying = np.arange(min(outcomes.shape[1], _MOST_NUMBERS))
    if varying.size > _MOST_NUMBERS:
        return tuple(f"outcome {place + 1}" for place in range(len(outcomes))), "the output"
    places = varying.tolist()
    names = [columns[at] if at < len(columns) else f"number {at + 1}" for at in places]
    words = "the output" if outcomes.shape[1] == 1 else f"the output: {', '.join(names)}"
    labels = (", ".join(map(_short, row, names)) for row in outcomes[:, places].tolist())
    return tuple(labels), words


def _short(value: float, name: str) -> str:
    if value == ABSENT:
        return "none"
    return ("yes" if value else "no") if name.endswith("?") else f"{value:.4g}"


@dataclass(frozen=True)
class Look:
    """The state of an attack after some trials, for progress.

    Parameters
    ----------
    trials : int
        Draws so far from each data set, training included.
    of : int
        Draws planned.
    epsilon_lower : float
        The bound so far; it never falls.
    """

    trials: int
    of: int
    epsilon_lower: float


@dataclass(frozen=True, eq=False)
class TradeOff:
    """How much delta an epsilon would need, arrays of shape (points,).

    Parameters
    ----------
    epsilon : float array
    delta : float array
        Estimated: the largest P(event) - e^epsilon P'(event) over the thresholds of one statistic.
    delta_lower : float array
        A lower bound of the needed delta, each at the confidence of the audit.
    """

    epsilon: FloatArray
    delta: FloatArray
    delta_lower: FloatArray


@dataclass(frozen=True, eq=False)
class AttackerRoc:
    """How well a threshold tells which data set an output came from, on held-out draws.

    Parameters
    ----------
    fpr, tpr : float arrays, shape (points,)
        Chances of calling "first data set" wrongly and rightly, from (0, 0) to (1, 1).
    """

    fpr: FloatArray
    tpr: FloatArray


def limit_roc(fpr: FloatArray, loss: Loss) -> FloatArray:
    """The best true-positive rate that any attacker has against an (epsilon, delta)-DP method.

    Parameters
    ----------
    fpr : float array
    loss : Loss

    References
    ----------
    P. Kairouz, S. Oh, P. Viswanath (2015), The composition theorem for differential privacy, ICML.
    arXiv:1311.0776

    Examples
    --------
    >>> limit_roc(np.array([0.0, 0.1, 1.0]), Loss(1)).round(3).tolist()
    [0.0, 0.272, 1.0]
    """
    factor, delta = np.exp(float(loss.epsilon)), float(loss.delta)
    rates = np.asarray(fpr, dtype=np.float64)
    upper = np.minimum(factor * rates + delta, 1.0 - (1.0 - delta - rates) / factor)
    return np.asarray(np.clip(upper, 0.0, 1.0))


@dataclass(frozen=True, kw_only=True, eq=False)
class AuditResult:
    """The outcome of `audit`.

    Parameters
    ----------
    method : str
    pair : str
        How the two data sets differ.
    neighbors : Neighbors
    declared : Loss
        What the method says it costs.
    guarantee : Guarantee
    trials : int
        Draws from each data set that were made.
    confidence : float
    epsilon_lower : float
        With this confidence the true epsilon, at the declared delta, is at least this.
    event : str
        The event that proves it, as a clause.
    chances : (float, float)
        Share of held-out draws in which it happened, on the likelier and on the other data set.
    likelier : str
        ``"first"`` or ``"second"``: the data set on which the event is likelier.
    tradeoff : TradeOff
    roc : AttackerRoc
    looks : tuple of Look
        The bound as it grew.
    stopped : bool
        Whether `progress` ended it early.
    """

    method: str
    pair: str
    neighbors: Neighbors
    declared: Loss
    guarantee: Guarantee
    trials: int
    confidence: float
    epsilon_lower: float
    event: str
    chances: tuple[float, float]
    likelier: str
    tradeoff: TradeOff
    roc: AttackerRoc
    looks: tuple[Look, ...]
    stopped: bool

    @property
    def violated(self) -> bool:
        """Whether the declared loss is refuted."""
        return self.epsilon_lower > float(self.declared.epsilon)

    @property
    def verdict(self) -> str:
        """The outcome in one sentence."""
        found = f"the true epsilon is at least {self.epsilon_lower:.2f}"
        if self.violated:
            said = [percent(chance) for chance in self.chances]
            second = "second" if self.likelier == "first" else "first"
            return (
                f"The declared {self.declared} is refuted: with confidence "
                f"{self.confidence:.9g}, {found}, because {self.event} in {said[0]} of the "
                f"draws from the {self.likelier} data set and {said[1]} from the {second}."
            )
        if self.epsilon_lower == 0.0:
            return f"Nothing in {self.trials:,} draws tells the two data sets apart."
        return (
            f"The attack does not refute the declared {self.declared}: with confidence "
            f"{self.confidence:.9g}, {found}."
        )

    def to_json(self) -> str:
        """The result as JSON text; arrays become lists and losses text."""
        plain = {name: _plain(value) for name, value in vars(self).items()}
        own = {"violated": self.violated, "verdict": self.verdict}
        return json.dumps(plain | own, sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, TradeOff | AttackerRoc | Look | Guarantee):
        return {name: _plain(item) for name, item in vars(value).items()}
    return value if isinstance(value, bool | int | float | str) else str(value)
