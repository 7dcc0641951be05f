"""An honest mechanism, for comparison."""

from __future__ import annotations

import numpy as np

from dpcore.audit.exact import exact_loss
from dpcore.audit.pair import Pair
from dpcore.audit.presets.preset import Preset
from dpcore.audit.target import mechanism_target
from dpcore.mechanisms import Laplace

__all__ = ["PRESET"]

_MECHANISM = Laplace(epsilon=1)


def _pair() -> Pair:
    return Pair(here=np.array([0.0]), there=np.array([1.0]), words="a sum of 0 against one of 1")


PRESET = Preset(
    name="laplace",
    title="Laplace, honest",
    story=(
        "The bound climbs towards epsilon and never passes it: the attack is strong, and the "
        "promise holds."
    ),
    shows=("Laplace",),
    target=lambda: mechanism_target(_MECHANISM),
    pair=_pair,
    trials=200_000,
    exact=lambda: exact_loss(_MECHANISM, _pair()),
)
