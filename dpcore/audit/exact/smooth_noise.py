"""Exact losses of statistics with noise of smooth sensitivity, from the chances of their cells."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.exact.law import ExactLaw
from dpcore.audit.pair import Pair
from dpcore.mechanisms.smooth.cauchy import PublishedSmoothCauchy, SmoothCauchy
from dpcore.mechanisms.smooth.gaussian import SmoothGaussian
from dpcore.mechanisms.smooth.noise import SmoothNoise

__all__ = ["EXACT", "epsilon_at"]

_CELLS = 2**14


def _log_chances(mechanism: SmoothNoise, centre: float, scale: float) -> FloatArray:
    edges = (np.linspace(mechanism.statistic.low, 1.0, _CELLS + 1) - centre) / scale
    edges[0], edges[-1] = -np.inf, np.inf
    return mechanism.log_mass(edges[:-1], edges[1:])


def epsilon_at(delta: float, here: FloatArray, there: FloatArray) -> float:
    """The least epsilon at which two laws, given by log-chances, are within delta both ways.

    Examples
    --------
    >>> round(epsilon_at(0.0, np.log([0.5, 0.5]), np.log([0.25, 0.75])), 3)
    0.693
    """
    ratio = np.abs(here - there)
    if delta == 0.0:
        return float(ratio.max())
    low, high = 0.0, float(ratio.max())
    for _ in range(60):
        middle = (low + high) / 2.0
        excess = [
            float(np.maximum(np.exp(one) - np.exp(middle + other), 0.0).sum())
            for one, other in ((here, there), (there, here))
        ]
        low, high = (middle, high) if max(excess) > delta else (low, middle)
    return high


def _loss(mechanism: SmoothNoise, pair: Pair) -> float:
    """Independent results add up; each at its share of delta, so an upper bound with delta."""
    sides = [mechanism.centres_and_scales(side) for side in (pair.here, pair.there)]
    (centres, scales), (other_centres, other_scales) = (
        (centre.ravel(), scale.ravel()) for centre, scale in sides
    )
    changed = np.flatnonzero((centres != other_centres) | (scales != other_scales)).tolist()
    delta = float(mechanism.loss.delta) / max(len(changed), 1)
    return sum(
        epsilon_at(
            delta,
            _log_chances(mechanism, centres[place], scales[place]),
            _log_chances(mechanism, other_centres[place], other_scales[place]),
        )
        for place in changed
    )


EXACT = ExactLaw(mechanisms=(SmoothCauchy, PublishedSmoothCauchy, SmoothGaussian), loss=_loss)
