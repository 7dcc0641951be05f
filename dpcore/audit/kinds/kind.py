"""What a kind of method declares, and running a registered method through a gate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from dpcore._typing import FloatArray
from dpcore.audit.outputs import numbers, table
from dpcore.audit.pair import Pair
from dpcore.audit.target import Target
from dpcore.noise import NoiseSource, SeededNoise
from dpcore.privacy import Ledger, Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate, open_gate

__all__ = ["EPSILON", "Kind", "TargetOf", "gate_target", "ledger_target"]

EPSILON = Fraction(1)


class TargetOf(Protocol):
    """What builds a target."""

    def __call__(self, method: Method, neighbors: Neighbors, epsilon: Fraction = EPSILON) -> Target:
        """A method under a relation, with so much epsilon to spend."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """The declaration that ends a file of this package, as ``KIND``.

    Parameters
    ----------
    name : str
        For example ``"ROC method"``.
    package : str
        Where its methods are declared: the package of their `Registry`.
    methods : callable
        All methods by name.
    target : callable
        Of a method, a relation and the epsilon of one run, 1 by default: the target. At a small
        epsilon a few draws are enough to see that a method has no noise.
    pairs : callable
        Of a method and a relation: synthetic neighbours for it, the best first. They must serve any
        method of the kind; what needs others gets a preset.
    odd_pairs : callable
        The same with records that hold what no column was declared to hold, read as the methods'
        own readers read them: they show whether one record has a say in how others are read.
    """

    name: str
    package: str
    methods: Callable[[], Mapping[str, Method]]
    target: TargetOf
    pairs: Callable[[Method, Neighbors], tuple[Pair, ...]]
    odd_pairs: Callable[[Method, Neighbors], tuple[Pair, ...]] = lambda method, neighbors: ()


def gate_target(
    method: Method,
    neighbors: Neighbors,
    run: Callable[[Any, Loss, Gate], Any],
    example: Any,
    *,
    budget: Loss,
) -> Target:
    """A registered method as a target: every run opens its own gate.

    Parameters
    ----------
    method : Method
    neighbors : Neighbors
    run : callable
        Of data, a loss and a gate: what the method releases.
    example : object
        Data to run it on once: what it charges there is the loss that it declares.
    budget : Loss
        What it may spend.
    """

    def call(data: Any, noise: NoiseSource, ledger: Ledger) -> FloatArray:
        gate = open_gate(budget, neighbors=neighbors, noise=noise, ledger=ledger, method=method)
        return numbers(run(data, budget, gate))

    return ledger_target(method, neighbors, call, example)


def ledger_target(
    method: Method,
    neighbors: Neighbors,
    call: Callable[[Any, NoiseSource, Ledger], FloatArray],
    example: Any,
) -> Target:
    """A registered method as a target, by a call that charges a ledger.

    Parameters
    ----------
    method : Method
    neighbors : Neighbors
    call : callable
        Of data, a noise source and a ledger: one output as numbers.
    example : object
        Data to run it on once: what it charges there is the loss that it declares.
    """
    ledger = Ledger(neighbors=neighbors)
    call(example, SeededNoise(0), ledger)

    def sample(data: Any, trials: int, noise: NoiseSource) -> FloatArray:
        return table([call(data, noise, Ledger(neighbors=neighbors)) for _ in range(trials)])

    return Target(
        name=method.name,
        loss=ledger.spent,
        guarantee=method.guarantee,
        neighbors=neighbors,
        sample=sample,
    )
