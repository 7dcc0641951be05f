"""Noise vectors whose density falls exponentially with their largest entry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.mechanisms.erlang import erlang
from dpcore.noise import NoiseSource


@dataclass(frozen=True, kw_only=True)
class GammaCube:
    """The law with density proportional to exp(-rate * largest absolute entry).

    Parameters
    ----------
    rate : float
        Positive.
    dimension : int
        At least 1.

    Notes
    -----
    The K-norm law of the cube [-1, 1]^dimension: a point uniform in the cube, stretched by an
    independent Gamma variable of shape dimension + 1. Its standard deviation per entry is near
    dimension / (sqrt(3) rate), against sqrt(2) dimension / rate for Laplace noise with the same
    protection of vectors in the cube.

    References
    ----------
    M. Hardt, K. Talwar (2010), On the geometry of differential privacy, STOC: K-norm noise.
    doi:10.1145/1806689.1806786

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> GammaCube(rate=2.0, dimension=3).sample(SeededNoise(0)).shape
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
        size = self.dimension
        return size * (size + 1) * (size + 2) / (3.0 * self.rate**2)

    def sample(self, noise: NoiseSource) -> FloatArray:
        """Draw one vector, shape (dimension,)."""
        stretch = erlang(self.dimension + 1, noise) / self.rate
        return stretch * (2.0 * noise.uniform(self.dimension) - 1.0)

    def log_density(self, vector: FloatArray) -> float:
        """Log-density up to a constant."""
        return -self.rate * float(np.abs(vector).max())
