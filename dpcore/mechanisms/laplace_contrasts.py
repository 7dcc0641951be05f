"""Noise for several classes at once whose columns add up to zero: independent entries otherwise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.noise import NoiseSource


@dataclass(frozen=True, kw_only=True)
class LaplaceContrasts:
    """The law of matrices of zero column sums with density exp(-rate * sum of absolute entries).

    Parameters
    ----------
    rate : float
        Positive.
    dimension : int
        Columns; at least 1.
    n_classes : int
        Rows, K; at least 2.

    Notes
    -----
    The gradient of a softmax loss adds up to zero over the classes, so noise in any other direction
    would protect nothing. Columns are independent. In one, the positive entries add up to r and the
    negative ones to -r, r of the Gamma law of shape K - 1 and rate 2 * rate. Which m entries are
    positive has probability proportional to 1 / ((m-1)! (K-m-1)!) for each set, by the volume of
    the two simplices, and within a simplex the point is uniform.

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> drawn = LaplaceContrasts(rate=2.0, dimension=4, n_classes=3).sample(SeededNoise(0))
    >>> drawn.shape, bool(np.allclose(drawn.sum(axis=0), 0.0))
    ((3, 4), True)
    """

    rate: float
    dimension: int
    n_classes: int

    def __post_init__(self) -> None:
        _check.positive(rate=self.rate)
        _check.integer_in_range(1, None, dimension=self.dimension)
        _check.integer_in_range(2, None, n_classes=self.n_classes)

    @property
    def variance(self) -> float:
        """Expected squared Euclidean length."""
        size, positives = self.n_classes, np.arange(1, self.n_classes)
        spread = 2.0 / (positives + 1.0) + 2.0 / (size - positives + 1.0)
        squared = (size - 1) * size / (2.0 * self.rate) ** 2
        return self.dimension * squared * float(self._odds() @ spread)

    def sample(self, noise: NoiseSource) -> FloatArray:
        """Draw one matrix, shape (n_classes, dimension)."""
        shape = (self.n_classes, self.dimension)
        cumulative = np.cumsum(self._odds())[:-1]
        positives = 1 + np.searchsorted(cumulative, noise.uniform(self.dimension), side="right")
        places = noise.uniform(shape[0] * shape[1]).reshape(shape).argsort(axis=0).argsort(axis=0)
        positive = places < positives
        # Exponential variables over their sum are uniform in the simplex.
        entries = -np.log(noise.uniform(shape[0] * shape[1]).reshape(shape))
        above = np.where(positive, entries, 0.0)
        below = np.where(positive, 0.0, entries)
        waits = -np.log(noise.uniform((shape[0] - 1) * shape[1]))
        stretch = waits.reshape(-1, shape[1]).sum(axis=0)
        unit = above / above.sum(axis=0) - below / below.sum(axis=0)
        return np.asarray(stretch / (2.0 * self.rate) * unit, dtype=np.float64)

    def log_density(self, matrix: FloatArray) -> float:
        """Log-density up to a constant, among the matrices of zero column sums."""
        return -self.rate * float(np.abs(matrix).sum())

    def _odds(self) -> FloatArray:
        """Probability that 1, 2, ..., K - 1 entries of a column are positive."""
        positives = np.arange(1, self.n_classes)
        negatives = self.n_classes - positives
        ways, volumes = gammaln(positives + 1) + gammaln(negatives + 1), gammaln(positives)
        logs = -ways - volumes - gammaln(negatives)
        weights = np.exp(logs - logs.max())
        return np.asarray(weights / weights.sum(), dtype=np.float64)
