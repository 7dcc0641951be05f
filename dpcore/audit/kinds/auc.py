"""AUC methods: labelled scores in, an area out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcore.audit.kinds.kind import EPSILON, Kind, gate_target
from dpcore.audit.kinds.score_histograms import odd_score_pairs, score_pairs
from dpcore.audit.target import Target
from dpcore.evaluation import auc_methods
from dpcore.privacy import Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate

__all__ = ["KIND"]


def _target(method: Method, neighbors: Neighbors, epsilon: Fraction = EPSILON) -> Target:
    def run(scores: Any, loss: Loss, gate: Gate) -> Any:
        return method.run(scores, loss=loss, gate=gate)

    example = score_pairs(neighbors)[0].here
    return gate_target(method, neighbors, run, example, budget=Loss(epsilon))


KIND = Kind(
    name="AUC method",
    package="dpcore.evaluation.auc",
    methods=auc_methods,
    target=_target,
    pairs=lambda method, neighbors: score_pairs(neighbors),
    odd_pairs=lambda method, neighbors: odd_score_pairs(neighbors),
)
