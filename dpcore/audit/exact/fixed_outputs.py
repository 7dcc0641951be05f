"""The loss of what draws no noise, or always the same."""

from __future__ import annotations

import math

import numpy as np

from dpcore.audit.pair import Pair
from dpcore.audit.target import Target
from dpcore.noise import SeededNoise

__all__ = ["loss_of_fixed_outputs"]


def loss_of_fixed_outputs(target: Target, pair: Pair) -> float | None:
    """Loss on a pair, of a target whose output hangs on the data alone.

    Parameters
    ----------
    target : Target
    pair : Pair

    Returns
    -------
    float or None
        Infinite if the outputs differ between the data sets, 0 if not; None if two sources of noise
        give two outputs of one data set, for then the loss is another matter.

    Examples
    --------
    >>> from dpcore.audit import mechanism_target
    >>> from dpcore.mechanisms import Geometric
    >>> pair = Pair(here=np.array([3]), there=np.array([4]), words="3 against 4")
    >>> loss_of_fixed_outputs(mechanism_target(Geometric(epsilon=1)), pair) is None
    True
    """
    here, there = (
        [target.sample(data, 2, SeededNoise(seed)) for seed in (0, 1)]
        for data in (pair.here, pair.there)
    )
    for outputs in (here, there):
        if not all(np.array_equal(row, outputs[0][0]) for one in outputs for row in one):
            return None
    return 0.0 if np.array_equal(here[0], there[0]) else math.inf
