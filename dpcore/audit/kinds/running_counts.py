"""Running-count methods: events of each step in, noisy sums so far out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcore.audit.kinds.kind import EPSILON, Kind, gate_target
from dpcore.audit.mechanism_cases.count_cases import count_pairs
from dpcore.audit.pair import Pair
from dpcore.audit.target import Target
from dpcore.errors import InvalidArgument
from dpcore.evaluation.continual import running_count_methods
from dpcore.privacy import Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate

__all__ = ["KIND"]

_DELTA = Fraction(1, 10**6)


def _target(method: Method, neighbors: Neighbors, epsilon: Fraction = EPSILON) -> Target:
    def run(counts: Any, loss: Loss, gate: Gate) -> Any:
        return method.run(counts, loss=loss, gate=gate, **method.check({}))

    example = _pairs(method, neighbors)[0].here
    try:
        return gate_target(method, neighbors, run, example, budget=Loss(epsilon))
    except InvalidArgument:
        # It needs a delta, and the others have no use for one.
        return gate_target(method, neighbors, run, example, budget=Loss(epsilon, _DELTA))


def _pairs(method: Method, neighbors: Neighbors) -> tuple[Pair, ...]:
    return tuple(count_pairs(neighbors))


KIND = Kind(
    name="running-count method",
    package="dpcore.evaluation.continual",
    methods=running_count_methods,
    target=_target,
    pairs=_pairs,
)
