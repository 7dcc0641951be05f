"""Noisy cuts without a cut-off."""

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

_NAME, _HALF, _THRESHOLD = "noisycut-published", 100, 0.0


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


def _target() -> Target:
    call = selecting(_NAME, Neighbors.REPLACE, most=_HALF, threshold=_THRESHOLD)
    return ledger_target(selectors()[_NAME], Neighbors.REPLACE, call, _pair().here)


def _exact() -> float | None:
    mechanism = PublishedSparseVector(
        variant=6, epsilon=1, cutoff=1, threshold=_THRESHOLD, neighbors=Neighbors.REPLACE
    )
    rows = _pair()
    counts = Pair(
        here=rows.here[0][0], there=rows.there[0][0], words=rows.words, neighbors=rows.neighbors
    )
    return exact_loss(mechanism, counts)


PRESET = Preset(
    name="noisycut",
    title="Sparse vector, the variants: no cut-off (Algorithm 6)",
    story=(
        "Every score is compared with noise of a fixed scale, however many there are. Each answer "
        "leaks a little, and the leaks add up: 20 + 20 scores cost 17, 80 + 80 cost 71."
    ),
    shows=(_NAME, "sparse-vector-6"),
    target=_target,
    pair=_pair,
    trials=800,
    exact=_exact,
)
