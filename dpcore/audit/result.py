"""The result of an attack: bounds on epsilon, and the event that shows them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.privacy import Guarantee, Loss, Neighbors


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
            likely, rare = self.chances
            second = "second" if self.likelier == "first" else "first"
            return (
                f"The declared {self.declared} is refuted: with confidence "
                f"{self.confidence:.9g}, {found}, because {self.event} in {likely:.2%} of the "
                f"draws from the {self.likelier} data set and {rare:.2%} from the {second}."
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
