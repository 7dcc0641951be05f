"""Private threshold testing: no noise on the scores."""

from __future__ import annotations

import numpy as np

from dpcore.audit.pair import Pair
from dpcore.audit.presets.compared_counts import ComparedCounts
from dpcore.audit.presets.preset import Preset

__all__ = ["PRESET"]


def _pair() -> Pair:
    """Total counts (1, 2) against (2, 2)."""
    here, record = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    return Pair(
        here=(here, np.zeros(2, dtype=np.int64)),
        there=(np.vstack([here, record]), np.zeros(3, dtype=np.int64)),
        words="feature counts 1 and 2 against 2 and 2",
    )


_CASE = ComparedCounts(
    name="threshold-testing-published",
    variant=5,
    epsilon=2,
    threshold=2.0,
    row_bound=2,
    pair=_pair(),
)
PRESET = Preset(
    name="threshold-testing",
    title="Private threshold testing gives itself away",
    story=(
        "All features are compared with one noisy threshold, and their own counts get no noise. "
        "Equal counts are then answered alike, always: one answer is possible on one data set only."
    ),
    shows=(_CASE.name, "sparse-vector-5"),
    target=_CASE.target,
    pair=_pair,
    trials=2000,
    exact=_CASE.exact,
)
