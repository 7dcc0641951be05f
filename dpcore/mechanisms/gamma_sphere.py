"""Noise vectors whose density falls exponentially with their Euclidean length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.mechanisms.erlang import erlang
from dpcore.noise import NoiseSource


@dataclass(frozen=True, kw_only=True)
class GammaSphere:
    """The law with density proportional to exp(-rate * euclidean length).

    Parameters
    ----------
    rate : float
        Positive; the length has mean dimension / rate.
    dimension : int
        At least 1.

    Notes
    -----
    The length follows the Gamma law of shape `dimension`, and the direction, independent of it, is
    uniform on the sphere. The law is no mechanism by itself: it is what objective perturbation adds
    inside the optimisation, and it is never released.

    References
    ----------
    K. Chaudhuri, C. Monteleoni, A. D. Sarwate (2011), Differentially private empirical risk
    minimization, JMLR 12, Algorithm 2. arXiv:0912.0071

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> GammaSphere(rate=2.0, dimension=3).sample(SeededNoise(0)).shape
    (3,)
    """

    rate: float
    dimension: int

    def __post_init__(self) -> None:
        _check.positive(rate=self.rate)
        _check.integer_in_range(1, None, dimension=self.dimension)

    def sample(self, noise: NoiseSource) -> FloatArray:
        """Draw one vector, shape (dimension,)."""
        length = erlang(self.dimension, noise) / self.rate
        normal: FloatArray = ndtri(noise.uniform(self.dimension))
        return normal * (length / float(np.linalg.norm(normal)))

    def log_density(self, vector: FloatArray) -> float:
        """Log-density up to a constant."""
        return -self.rate * float(np.linalg.norm(vector))
