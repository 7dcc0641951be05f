"""Noise whose density falls exponentially with a norm: vectors, and zero-sum matrices."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Annotated

import numpy as np
from scipy.special import gammaln, ndtri

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
class VectorLaw(_check.Checked, ABC):
    """A law of vectors of so many entries, whose density falls at a positive rate."""

    rate: _check.Positive
    dimension: _check.Count

    @property
    @abstractmethod
    def variance(self) -> float:
        """Expected squared Euclidean length, at least roughly."""

    @property
    def column_variances(self) -> FloatArray:
        """Of each column, which are alike."""
        return np.full(self.dimension, self.variance / self.dimension)


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

    @property
    def variance(self) -> float:
        """Expected squared Euclidean length."""
        return self.dimension * (self.dimension + 1) / self.rate**2

    def sample(self, noise: NoiseSource) -> FloatArray:
        """Draw one vector, shape (dimension,)."""
        length = erlang(self.dimension, noise) / self.rate
        normal: FloatArray = ndtri(noise.uniform(self.dimension))
        return normal * (length / float(np.linalg.norm(normal)))

    def log_density(self, vector: FloatArray) -> float:
        """Log-density up to a constant."""
        return -self.rate * float(np.linalg.norm(vector))


@dataclass(frozen=True, kw_only=True)
class _Contrasts(VectorLaw):
    """Matrices of zero column sums: `dimension` columns, and a row for each of K classes."""

    n_classes: Annotated[int, _check.whole(2)]


@dataclass(frozen=True, kw_only=True)
class LaplaceContrasts(_Contrasts):
    """The law of matrices of zero column sums with density exp(-rate * sum of absolute entries).

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


# The volume below is a sum over all choices of signs.
MOST_CLASSES = 10

# How much of the proposal follows the product of the bounds, and how many points are tried at once.
_SHAPED, _TRIES = 24, 256


@dataclass(frozen=True, kw_only=True)
class CubeContrasts(_Contrasts):
    """Matrices of zero column sums, density exp(-rate * sum over classes of the largest entry).

    D columns; 2 to 10 classes.

    Notes
    -----
    The gradient of a softmax loss adds up to zero over the classes, so noise in any other direction
    would protect nothing; leaving it out is worth about 1.3 times epsilon at three classes.

    Let V(t) be the volume of {v : |v_k| <= t_k, sum of v = 0}. A draw has three steps, by
    exp(-rate M) = integral of rate exp(-rate t) over t > M, used for each class:

    1. the bounds t have density exp(-rate sum t) V(t)^D. V is homogeneous of degree K - 1, so their
       sum is Gamma of shape K + D (K - 1), and the shares u = t / sum have density V(u)^D;
    2. the shares are found by rejection: V(u) <= V(1/K, ..., 1/K), because V^(1/(K-1)) is concave
       (Brunn and Minkowski) and symmetric, and V(u) / prod(2 u_k) <= sqrt(2) / (2 |u|)
       <= sqrt(K / 2) (K. Ball 1986: no section of the unit cube is larger than sqrt(2)). The
       second bound is used j times out of D, so that proposals are Dirichlet of shape j + 1;
    3. given t, columns are independent and uniform in that set: again by rejection.

    The number of tries depends on random numbers only.

    References
    ----------
    K. Ball (1986), Cube slicing in R^n, Proceedings of the AMS 97(3).
    doi:10.1090/S0002-9939-1986-0840631-0

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> drawn = CubeContrasts(rate=2.0, dimension=4, n_classes=3).sample(SeededNoise(0))
    >>> drawn.shape, bool(np.allclose(drawn.sum(axis=0), 0.0))
    ((3, 4), True)
    """

    n_classes: Annotated[int, _check.whole(2, MOST_CLASSES)]

    @property
    def variance(self) -> float:
        """Expected squared Euclidean length, to within a tenth for three classes or more."""
        size = self.n_classes
        total = size + self.dimension * (size - 1)
        bound = total * (total + 1) / (size * self.rate) ** 2
        # Free entries of equal bounds have 1/3 each; their zero sum costs about half an entry.
        return self.dimension * bound * (size - 0.5) / 3.0

    def sample(self, noise: NoiseSource) -> FloatArray:
        """Draw one matrix, shape (n_classes, dimension)."""
        total = erlang(self.n_classes + self.dimension * (self.n_classes - 1), noise) / self.rate
        return self._columns(total * self._shares(noise), noise)

    def log_density(self, matrix: FloatArray) -> float:
        """Log-density up to a constant, among the matrices of zero column sums."""
        return -self.rate * float(np.abs(matrix).max(axis=1).sum())

    def _shares(self, noise: NoiseSource) -> FloatArray:
        size, shaped = self.n_classes, min(self.dimension, _SHAPED)
        equal = np.full((1, size), 1.0 / size)
        highest = (self.dimension - shaped) * np.log(self._volume(equal)[0])
        highest += shaped * math.log(math.sqrt(size / 2.0))
        while True:
            waits = -np.log(noise.uniform(_TRIES * size * (shaped + 1)))
            gammas = waits.reshape(_TRIES, size, shaped + 1).sum(axis=2)
            shares = gammas / gammas.sum(axis=1, keepdims=True)
            logs = self.dimension * np.log(np.maximum(self._volume(shares), 1e-300))
            logs -= shaped * np.log(2.0 * shares).sum(axis=1) + highest
            accepted = np.flatnonzero(np.log(noise.uniform(_TRIES)) < logs)
            if accepted.size:
                return np.asarray(shares[accepted[0]], dtype=np.float64)

    def _columns(self, bounds: FloatArray, noise: NoiseSource) -> FloatArray:
        """Uniform columns within bounds, shape (n_classes, dimension), rejecting one by one."""
        last = int(bounds.argmax())
        free = np.delete(np.arange(self.n_classes), last)
        columns = np.zeros((self.n_classes, self.dimension))
        open_ = np.arange(self.dimension)
        while open_.size:
            tried = 2.0 * noise.uniform(free.size * open_.size).reshape(free.size, -1) - 1.0
            tried *= bounds[free, np.newaxis]
            rest = -tried.sum(axis=0)
            fits = np.abs(rest) <= bounds[last]
            columns[np.ix_(free, open_[fits])] = tried[:, fits]
            columns[last, open_[fits]] = rest[fits]
            open_ = open_[~fits]
        return columns

    @cached_property
    def _signs(self) -> FloatArray:
        return np.array(list(product((1.0, -1.0), repeat=self.n_classes)))

    def _volume(self, bounds: FloatArray) -> FloatArray:
        """V of bounds of shape (m, n_classes), shape (m,), in the first K - 1 coordinates."""
        power = self.n_classes - 1
        sums = np.maximum(bounds @ self._signs.T, 0.0) ** power
        return np.asarray(sums @ self._signs.prod(axis=1) / math.factorial(power))
