"""Noise vectors of independent Laplace entries, for use inside another mechanism."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.noise import NoiseSource


@dataclass(frozen=True, kw_only=True)
class LaplaceVector:
    """The law with density proportional to exp(-rate * sum of absolute entries).

    Parameters
    ----------
    rate : float
        Positive.
    dimension : int
        At least 1.

    Notes
    -----
    The draws are floating-point numbers, so they must not be added to a released value: `Laplace`
    does that on a grid. Here they enter an optimisation whose result is rounded to one.

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> LaplaceVector(rate=2.0, dimension=3).sample(SeededNoise(0)).shape
    (3,)
    """

    rate: float
    dimension: int

    def __post_init__(self) -> None:
        _check.positive(rate=self.rate)
        _check.integer_in_range(1, None, dimension=self.dimension)

    @property
    def variance(self) -> float:
        """Expected squared Euclidean length."""
        return 2.0 * self.dimension / self.rate**2

    def sample(self, noise: NoiseSource) -> FloatArray:
        """Draw one vector, shape (dimension,)."""
        centred = 2.0 * noise.uniform(self.dimension) - 1.0
        return -np.sign(centred) * np.log1p(-np.abs(centred)) / self.rate

    def log_density(self, vector: FloatArray) -> float:
        """Log-density up to a constant."""
        return -self.rate * float(np.abs(vector).sum())
