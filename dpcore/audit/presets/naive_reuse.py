"""A test set that answers exactly."""

from __future__ import annotations

from dpcore.audit.kinds.holdouts import KIND
from dpcore.audit.presets.preset import Preset
from dpcore.evaluation.holdout import holdout_methods
from dpcore.privacy import Neighbors

__all__ = ["PRESET"]

_METHOD = holdout_methods()["naive-reuse"]

PRESET = Preset(
    name="naive-reuse",
    title="A test set that answers exactly",
    story=(
        "There is no noise at all: one test record changes the published accuracy, every time, "
        "and whoever knows the other records reads it off."
    ),
    shows=("naive-reuse",),
    target=lambda: KIND.target(_METHOD, Neighbors.REPLACE),
    pair=lambda: KIND.pairs(_METHOD, Neighbors.REPLACE)[0],
    trials=1000,
    exact=lambda: float("inf"),
)
