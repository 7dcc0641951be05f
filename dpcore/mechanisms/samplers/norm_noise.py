"""Noise vectors whose density falls exponentially with a norm, for use inside another mechanism."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.noise import NoiseSource


def erlang(shape: int, noise: NoiseSource) -> float:
    """Draw from the Gamma law of a whole shape and unit rate: a sum of exponential variables.

    Notes
    -----
    Each of the variables is cut at -log(2^-53), about 36.7, by the resolution of uniform numbers.
    The cut has probability below 2^-52 per variable, and is the same on every data set.

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> erlang(5, SeededNoise(0)) > 0
    True
    """
    return float(-np.log(noise.uniform(shape)).sum())


@dataclass(frozen=True, kw_only=True)
class VectorLaw:
    """A law of vectors of so many entries, whose density falls at a positive rate."""

    rate: float
    dimension: int

    def __post_init__(self) -> None:
        _check.positive(rate=self.rate)
        _check.integer_in_range(1, None, dimension=self.dimension)


@dataclass(frozen=True, kw_only=True)
class LaplaceVector(VectorLaw):
    """The law with density proportional to exp(-rate * sum of absolute entries).

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


@dataclass(frozen=True, kw_only=True)
class GammaCube(VectorLaw):
    """The law with density proportional to exp(-rate * largest absolute entry).

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


@dataclass(frozen=True, kw_only=True)
class GammaSphere(VectorLaw):
    """The law with density proportional to exp(-rate * euclidean length).

    The length has mean dimension / rate.

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

    def sample(self, noise: NoiseSource) -> FloatArray:
        """Draw one vector, shape (dimension,)."""
        length = erlang(self.dimension, noise) / self.rate
        normal: FloatArray = ndtri(noise.uniform(self.dimension))
        return normal * (length / float(np.linalg.norm(normal)))

    def log_density(self, vector: FloatArray) -> float:
        """Log-density up to a constant."""
        return -self.rate * float(np.linalg.norm(vector))
