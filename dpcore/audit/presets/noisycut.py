"""Noisy cuts without a cut-off."""

from __future__ import annotations

import numpy as np

from dpcore.audit.pair import Pair
from dpcore.audit.presets.compared_counts import ComparedCounts
from dpcore.audit.presets.preset import Preset
from dpcore.privacy import Neighbors

__all__ = ["PRESET"]

_HALF = 100


def _pair() -> Pair:
    """One row of features that are on, and the same number of others instead."""
    row = np.repeat([0.0, 1.0], _HALF)[np.newaxis]
    label = np.zeros(1, dtype=np.int64)
    return Pair(
        here=(row, label),
        there=(1.0 - row, label),
        words=f"one row has {_HALF} features instead of {_HALF} others",
        neighbors=Neighbors.REPLACE,
    )


_CASE = ComparedCounts(
    name="noisycut-published", variant=6, epsilon=1, threshold=0.0, row_bound=_HALF, pair=_pair()
)
PRESET = Preset(
    name="noisycut",
    title="Sparse vector, the variants: no cut-off (Algorithm 6)",
    story=(
        "Every score is compared with noise of a fixed scale, however many there are. Each answer "
        "leaks a little, and the leaks add up: 20 + 20 scores cost 17, 80 + 80 cost 71."
    ),
    shows=(_CASE.name, "sparse-vector-6"),
    target=_CASE.target,
    pair=_pair,
    trials=800,
    exact=_CASE.exact,
)
