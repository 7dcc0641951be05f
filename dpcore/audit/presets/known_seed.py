"""Noise from a seed that somebody knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.exact.fixed_outputs import loss_of_fixed_outputs
from dpcore.audit.pair import Pair
from dpcore.audit.presets.preset import Preset
from dpcore.audit.target import Target, mechanism_target
from dpcore.mechanisms import Geometric
from dpcore.noise import NoiseSource, SeededNoise
from dpcore.privacy import Guarantee, Loss, Neighbors

__all__ = ["PRESET"]

_SEED = 7


def _target() -> Target:
    once = mechanism_target(Geometric(epsilon=1))

    def sample(data: Any, trials: int, noise: NoiseSource) -> FloatArray:
        # Whoever knows the seed draws the same noise: one output for each data set.
        return np.repeat(once.sample(data, 1, SeededNoise(_SEED)), trials, axis=0)

    return Target(
        name="geometric noise with a known seed",
        loss=Loss(1),
        guarantee=Guarantee.broken("whoever knows the seed subtracts the noise"),
        neighbors=Neighbors.ADD_REMOVE,
        sample=sample,
    )


def _pair() -> Pair:
    return Pair(here=np.array([3]), there=np.array([4]), words="a count of 3 against 4")


PRESET = Preset(
    name="known-seed",
    title="A seed is not a secret",
    story=(
        "The mechanism is sound, but its noise can be repeated. Every run shows the same number, "
        "and that number tells the data sets apart: this is why seeded noise is never private."
    ),
    shows=(),
    target=_target,
    pair=_pair,
    trials=1000,
    exact=lambda: loss_of_fixed_outputs(_target(), _pair()),
)
