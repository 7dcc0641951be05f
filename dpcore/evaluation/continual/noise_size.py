"""How large the noise of running counts is: variance in closed form, reach by simulation."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dpcore._typing import FloatArray
from dpcore.mechanisms import DyadicPrefixes, GaussianPrefixes
from dpcore.noise.monte_carlo import monte_carlo
from dpcore.privacy import Loss, Neighbors

__all__ = ["noise_deviation", "noise_reach"]

_DRAWS = 999


def interval_deviation(method: str, loss: Loss, neighbors: Neighbors, steps: int) -> float:
    """Standard deviation of the noise of one dyadic interval."""
    if method == "laplace":
        scale = DyadicPrefixes(epsilon=loss.epsilon, neighbors=neighbors).scale(steps)
        # Discrete Laplace of scale b has variance 2r / (1 - r)^2, r = exp(-1/b): 2 b^2 for large b.
        return 1.0 / (math.sqrt(2.0) * math.sinh(0.5 / float(scale)))
    mechanism = GaussianPrefixes(epsilon=loss.epsilon, delta=loss.delta, neighbors=neighbors)
    return mechanism.deviation(steps)


def noise_deviation(method: str, loss: Loss, neighbors: Neighbors, steps: int) -> float:
    """Standard deviation of the noise of every running count.

    Parameters
    ----------
    method : {"laplace", "gaussian"}
    loss : Loss
    neighbors : Neighbors
    steps : int

    Notes
    -----
    Every count holds the noise of L + 1 intervals, L = ceil(log2 steps). Laplace: the variance is
    close to 2 (L + 1) m^2 / epsilon^2 with m = ceil((L + 1) / 2); Gaussian: (L + 1) m / (2 rho).

    Examples
    --------
    >>> round(noise_deviation("laplace", Loss("0.01"), Neighbors.ADD_REMOVE, 8) ** 2)
    319999
    """
    levels = (steps - 1).bit_length() + 1
    return math.sqrt(levels) * interval_deviation(method, loss, neighbors, steps)


def noise_reach(
    method: str, loss: Loss, neighbors: Neighbors, steps: int, confidence: float
) -> float:
    """What the noise of no running count exceeds, with that confidence for all counts together.

    Parameters
    ----------
    method : {"laplace", "gaussian"}
    loss : Loss
    neighbors : Neighbors
    steps : int
    confidence : float

    Notes
    -----
    The largest of all errors is simulated once for each method and number of steps, with noise of
    deviation one; half a count for each interval covers that noise comes in whole numbers.

    Examples
    --------
    >>> loss = Loss(1)
    >>> narrow, wide = (
    ...     noise_reach("laplace", loss, Neighbors.ADD_REMOVE, 64, c) for c in (0.5, 0.9)
    ... )
    >>> narrow < wide
    True
    """
    maxima = _maxima(method, steps)
    rank = min(math.ceil(confidence * (maxima.size + 1)), maxima.size)
    levels = (steps - 1).bit_length() + 1
    unit = interval_deviation(method, loss, neighbors, steps)
    return float(maxima[rank - 1]) * unit + levels / 2.0


@lru_cache(maxsize=32)
def _maxima(method: str, steps: int) -> FloatArray:
    """Sorted largest errors over all steps, for interval noise of deviation one."""
    generator, found = monte_carlo(0), []
    for _ in range(_DRAWS):
        error = np.zeros(steps)
        for level in range((steps - 1).bit_length() + 1):
            size = -(-steps // 2**level)
            if method == "laplace":
                drawn = generator.laplace(0.0, math.sqrt(0.5), size)
            else:
                drawn = generator.standard_normal(size)
            error += np.repeat(drawn, 2**level)[:steps]
        found.append(np.abs(error).max())
    return np.sort(np.array(found))
