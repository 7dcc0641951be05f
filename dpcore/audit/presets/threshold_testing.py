"""Private threshold testing: no noise on the scores."""

from __future__ import annotations

import numpy as np

from dpcore.audit.exact import exact_loss
from dpcore.audit.kinds.kind import ledger_target
from dpcore.audit.kinds.selection import selecting
from dpcore.audit.pair import Pair
from dpcore.audit.presets.preset import Preset
from dpcore.audit.target import Target
from dpcore.mechanisms import PublishedSparseVector
from dpcore.privacy import Neighbors
from dpcore.selection import selectors

__all__ = ["PRESET"]

_NAME, _EPSILON, _THRESHOLD = "threshold-testing-published", 2, 2.0


def _pair() -> Pair:
    """Total counts (1, 2) against (2, 2)."""
    here, record = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    return Pair(
        here=(here, np.zeros(2, dtype=np.int64)),
        there=(np.vstack([here, record]), np.zeros(3, dtype=np.int64)),
        words="feature counts 1 and 2 against 2 and 2",
    )


def _target() -> Target:
    call = selecting(_NAME, Neighbors.ADD_REMOVE, epsilon=_EPSILON, threshold=_THRESHOLD)
    return ledger_target(selectors()[_NAME], Neighbors.ADD_REMOVE, call, _pair().here)


def _exact() -> float | None:
    mechanism = PublishedSparseVector(
        variant=5, epsilon=_EPSILON, cutoff=1, threshold=_THRESHOLD, monotone=True
    )
    counts = Pair(here=np.array([1.0, 2.0]), there=np.array([2.0, 2.0]), words=_pair().words)
    return exact_loss(mechanism, counts)


PRESET = Preset(
    name="threshold-testing",
    title="Private threshold testing gives itself away",
    story=(
        "All features are compared with one noisy threshold, and their own counts get no noise. "
        "Equal counts are then answered alike, always: one answer is possible on one data set only."
    ),
    shows=(_NAME, "sparse-vector-5"),
    target=_target,
    pair=_pair,
    trials=2000,
    exact=_exact,
)
