"""A reusable holdout that compares without noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.audit.kinds.kind import ledger_target
from dpcore.audit.pair import Pair
from dpcore.audit.presets.preset import Preset
from dpcore.audit.target import Target
from dpcore.evaluation.holdout import ZumelHoldout, holdout_methods
from dpcore.noise import NoiseSource
from dpcore.privacy import Ledger, Neighbors

__all__ = ["PRESET"]

_TOLERANCE, _RECORDS = "0.04", 100


def _pair() -> Pair:
    """Holdout scores of 0.02, which is half of the tolerance, and of 0.03."""
    here, there = np.zeros((1, _RECORDS)), np.zeros((1, _RECORDS))
    here[0, :2], there[0, :3] = 1.0, 1.0
    return Pair(
        here=here,
        there=there,
        words=f"2 or 3 of {_RECORDS} holdout records are improved, and no training record",
        neighbors=Neighbors.REPLACE,
    )


def _target() -> Target:
    def call(holdout: Any, noise: NoiseSource, ledger: Ledger) -> Any:
        opened = ZumelHoldout(
            [0.0], holdout[0], tolerance=_TOLERANCE, questions=1, noise=noise, ledger=ledger
        )
        return opened.answers([[0.0]], holdout)

    method = holdout_methods()["zumel-published"]
    return ledger_target(method, Neighbors.REPLACE, call, _pair().here)


PRESET = Preset(
    name="zumel-published",
    title="A reusable holdout that compares without noise",
    story=(
        "The answer gets noise, but which of two noises it gets is decided exactly: just above "
        "half the tolerance it is the wider one, and large answers give that away."
    ),
    shows=("zumel-published", "PublishedHoldout"),
    target=_target,
    pair=_pair,
    trials=4000,
)
