"""Feature scores: each through the selector that releases noisy scores."""

from __future__ import annotations

from fractions import Fraction

from dpcore.audit.kinds.kind import EPSILON, Kind, ledger_target
from dpcore.audit.kinds.selection import feature_pairs, selecting
from dpcore.audit.target import Target
from dpcore.privacy import Neighbors
from dpcore.registry import Method
from dpcore.selection.scores import SCORES

__all__ = ["KIND"]


def _target(method: Method, neighbors: Neighbors, epsilon: Fraction = EPSILON) -> Target:
    call = selecting("noisy-scores", neighbors, score=method.name, epsilon=epsilon)
    return ledger_target(method, neighbors, call, feature_pairs(neighbors)[0].here)


KIND = Kind(
    name="feature score",
    package="dpcore.selection.scores",
    methods=SCORES.methods,
    target=_target,
    pairs=lambda method, neighbors: feature_pairs(neighbors),
)
