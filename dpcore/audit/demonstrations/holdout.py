"""A holdout that is asked again and again, without noise and with exact comparison."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.audit.demonstrations.demonstration import Preset
from dpcore.audit.exact.counts import loss_of_fixed_outputs
from dpcore.audit.method_targets import HOLDOUTS, ledger_target
from dpcore.audit.pair import Pair
from dpcore.audit.target import Target
from dpcore.evaluation.holdout import ZumelHoldout, holdout_methods
from dpcore.noise import NoiseSource
from dpcore.privacy import Ledger, Neighbors

__all__ = ["_NAIVE_REUSE", "_ZUMEL_PUBLISHED"]

_METHOD = holdout_methods()["naive-reuse"]


def _naive_reuse_target() -> Target:
    return HOLDOUTS.target(_METHOD, Neighbors.REPLACE)


def _naive_reuse_pair() -> Pair:
    return HOLDOUTS.pairs(_METHOD, Neighbors.REPLACE)[0]


_NAIVE_REUSE = Preset(
    name="naive-reuse",
    title="A test set that answers exactly",
    story=(
        "There is no noise at all: one test record changes the published accuracy, every time, "
        "and whoever knows the other records reads it off."
    ),
    shows=("naive-reuse",),
    target=_naive_reuse_target,
    pair=_naive_reuse_pair,
    trials=1000,
    exact=lambda: loss_of_fixed_outputs(_naive_reuse_target(), _naive_reuse_pair()),
)


_TOLERANCE, _RECORDS = "0.04", 100


def _zumel_published_pair() -> Pair:
    """Holdout scores of 0.02, which is half of the tolerance, and of 0.03."""
    here, there = np.zeros((1, _RECORDS)), np.zeros((1, _RECORDS))
    here[0, :2], there[0, :3] = 1.0, 1.0
    return Pair(
        here=here,
        there=there,
        words=f"2 or 3 of {_RECORDS} holdout records are improved, and no training record",
        neighbors=Neighbors.REPLACE,
    )


def _zumel_published_target() -> Target:
    def call(holdout: Any, noise: NoiseSource, ledger: Ledger) -> Any:
        opened = ZumelHoldout(
            [0.0], holdout[0], tolerance=_TOLERANCE, questions=1, noise=noise, ledger=ledger
        )
        return opened.answers([[0.0]], holdout)

    method = holdout_methods()["zumel-published"]
    return ledger_target(method, Neighbors.REPLACE, call, _zumel_published_pair().here)


_ZUMEL_PUBLISHED = Preset(
    name="zumel-published",
    title="A reusable holdout that compares without noise",
    story=(
        "The answer gets noise, but which of two noises it gets is decided exactly: just above "
        "half the tolerance it is the wider one, and large answers give that away."
    ),
    shows=("zumel-published", "PublishedHoldout"),
    target=_zumel_published_target,
    pair=_zumel_published_pair,
    trials=4000,
)

PRESET = (
    _NAIVE_REUSE,
    _ZUMEL_PUBLISHED,
)
