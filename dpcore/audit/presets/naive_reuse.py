"""A test set that answers exactly."""

from __future__ import annotations

from dpcore.audit.exact.fixed_outputs import loss_of_fixed_outputs
from dpcore.audit.kinds.holdouts import KIND
from dpcore.audit.pair import Pair
from dpcore.audit.presets.preset import Preset
from dpcore.audit.target import Target
from dpcore.evaluation.holdout import holdout_methods
from dpcore.privacy import Neighbors

__all__ = ["PRESET"]

_METHOD = holdout_methods()["naive-reuse"]


def _target() -> Target:
    return KIND.target(_METHOD, Neighbors.REPLACE)


def _pair() -> Pair:
    return KIND.pairs(_METHOD, Neighbors.REPLACE)[0]


PRESET = Preset(
    name="naive-reuse",
    title="A test set that answers exactly",
    story=(
        "There is no noise at all: one test record changes the published accuracy, every time, "
        "and whoever knows the other records reads it off."
    ),
    shows=("naive-reuse",),
    target=_target,
    pair=_pair,
    trials=1000,
    exact=lambda: loss_of_fixed_outputs(_target(), _pair()),
)
