"""ECDF methods: counts of grid cells in, noisy running sums out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcore.audit.kinds.kind import EPSILON, Kind, gate_target
from dpcore.audit.mechanism_cases.count_cases import count_pairs
from dpcore.audit.pair import Pair
from dpcore.audit.target import Target
from dpcore.evaluation import ecdf_methods
from dpcore.privacy import Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate

__all__ = ["KIND"]


def _target(method: Method, neighbors: Neighbors, epsilon: Fraction = EPSILON) -> Target:
    parameters = method.check({})

    def run(counts: Any, loss: Loss, gate: Gate) -> Any:
        return method.run(counts, loss=loss, gate=gate, **parameters)

    example = _pairs(method, neighbors)[0].here
    return gate_target(method, neighbors, run, example, budget=Loss(epsilon))


def _pairs(method: Method, neighbors: Neighbors) -> tuple[Pair, ...]:
    return tuple(count_pairs(neighbors))


KIND = Kind(
    name="ECDF method",
    package="dpcore.evaluation.ecdf",
    methods=ecdf_methods,
    target=_target,
    pairs=_pairs,
)
