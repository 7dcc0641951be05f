"""Noise whose density falls exponentially: exact numbers, vectors, zero-sum matrices."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np
from scipy.special import gammaln, ndtri

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PureMechanism
from dpcore.noise import NoiseSource
from dpcore.noise.system import ceil_to_float


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


@dataclass(frozen=True, kw_only=True)
class _Contrasts(VectorLaw):
    """Matrices of zero column sums: `dimension` columns, and a row for each of K classes."""

    n_classes: int

    def __post_init__(self) -> None:
        super().__post_init__()
        _check.integer_in_range(2, None, n_classes=self.n_classes)


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

    def __post_init__(self) -> None:
        super().__post_init__()
        _check.integer_in_range(2, MOST_CLASSES, n_classes=self.n_classes)

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


# Cells per unit of sensitivity: fine enough that ties hardly happen and that the widening for
# rounding costs one part in a million.
_RESOLUTION_BITS = 20

# Room for noise on top, inside 64-bit integers.
LARGEST_CELL = 2.0**61


@dataclass(frozen=True, kw_only=True)
class FixedPoint:
    """A public grid for scores, and how many of its cells one score can move.

    Parameters
    ----------
    sensitivity
        The largest change of any one score between neighbours; positive.
    whole : bool, default False
        Whether all scores are whole numbers on every data set: then nothing is rounded.

    Sensitivity
        Rounding moves a score by half a cell at most on either data set, so a rounded score moves
        by at most `steps` = sensitivity / cell + 1 cells; whole scores by sensitivity / cell.
        Rounding never turns an order round, so scores that are monotone stay monotone.

    Examples
    --------
    >>> counts = FixedPoint(sensitivity=1, whole=True)
    >>> int(counts.steps), (counts.of(np.array([3.0])) * counts.cell).tolist()
    (1048576, [3.0])
    """

    sensitivity: float
    whole: bool = False

    def __post_init__(self) -> None:
        _check.positive(sensitivity=self.sensitivity)

    @property
    def cell(self) -> float:
        """Width of the grid: a power of two, at most 1 for whole scores."""
        exponent = math.floor(math.log2(self.sensitivity)) - _RESOLUTION_BITS
        return 2.0 ** (min(exponent, 0) if self.whole else exponent)

    @property
    def steps(self) -> int:
        """The largest change of a rounded score between neighbours, in cells."""
        steps = math.floor(Fraction(self.sensitivity) / Fraction(self.cell))
        return steps if self.whole else steps + 1

    def of(self, scores: FloatArray) -> IntArray:
        """Scores in cells; those beyond 2^61 cells are clamped, on every data set alike."""
        values = np.asarray(scores, dtype=np.float64)
        if values.ndim != 1 or not np.isfinite(values).all():
            raise InvalidArgument("scores", values.shape, "a vector of finite numbers")
        if self.whole and (values != np.rint(values)).any():
            raise InvalidArgument("scores", "fractions", "whole numbers, as was declared")
        cells: IntArray = np.clip(np.rint(values / self.cell), -LARGEST_CELL, LARGEST_CELL).astype(
            np.int64
        )
        return cells


@dataclass(frozen=True, kw_only=True)
class ScoredChoice(PureMechanism):
    """Base: what is public about private scores that a mechanism chooses by.

    Parameters
    ----------
    epsilon
        Privacy loss of everything; positive.
    sensitivity : float, default 1
        The largest change of any single score between neighbours; positive.
    monotone : bool, default False
        True if between neighbours all scores move in the same direction.
    whole : bool, default False
        Whether the scores are whole numbers on every data set.
    neighbors : Neighbors, default add-remove
        The relation for which the caller argued `sensitivity` and `monotone`.

    Sensitivity
        Argued by the caller, per candidate (L-infinity); see `FixedPoint` for the grid.
    """

    sensitivity: float = 1.0
    monotone: bool = False
    whole: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        _check.positive(sensitivity=self.sensitivity)

    @property
    def grid(self) -> FixedPoint:
        """The grid of the scores."""
        return FixedPoint(sensitivity=self.sensitivity, whole=self.whole)

    @property
    def moves(self) -> int:
        """By how many cells two scores can move against each other between neighbours."""
        return self.grid.steps * (1 if self.monotone else 2)


# The tail of the noise that is drawn, P(Z >= t), is that of the geometric law times 1 +- 2^-40.5:
# 2^-44 from the grid of `fine_uniform`, the rest from the logarithm in double precision.
ROUNDING = Fraction(1, 2**39)

_FINER_BELOW = 2.0**-8


def tail_scale(steps: int, share: Fraction) -> float:
    """Scale in cells with which a shift by `steps` moves a tail by at most e^share.

    Sensitivity
        P(Z >= t - steps) / P(Z >= t) <= exp(steps / scale) * (1 + 2^-39): the last factor is the
        rounding of what is drawn, and is paid for here by a slightly larger scale.

    Raises
    ------
    InvalidArgument
        If the share is so small that rounding would use it up.

    Examples
    --------
    >>> round(tail_scale(3, Fraction(1, 2)), 6)
    6.0
    """
    left = share - ROUNDING
    if left <= 0:
        raise InvalidArgument("epsilon", float(share), "more than 2^-39 for every choice")
    return ceil_to_float(steps / left)


def fine_uniform(size: int, noise: NoiseSource) -> FloatArray:
    """Uniform numbers of (0, 1) that are as finely spaced near 0, in proportion, as elsewhere.

    A number below 2^-8 is drawn again inside (0, 2^-8), and so on: the law is the same, spaced by
    less than 2^-44 of itself, and there is no smallest number that would cut the tail.
    """
    numbers = noise.uniform(size)
    small, level = np.flatnonzero(numbers < _FINER_BELOW), _FINER_BELOW
    while small.size:
        inner = noise.uniform(small.size)
        numbers[small] = level * inner
        small, level = small[inner < _FINER_BELOW], level * _FINER_BELOW
    return numbers


def _cells(numbers: FloatArray, scale: float) -> IntArray:
    cells: IntArray = np.minimum(-np.log(numbers) * scale, LARGEST_CELL).astype(np.int64)
    return cells


def exponential_cells(scale: float, size: int, noise: NoiseSource) -> IntArray:
    """Draw Z = 0, 1, ... with P(Z >= t) = exp(-t / scale): exponential noise in whole cells."""
    return _cells(fine_uniform(size, noise), scale)


def gumbel_cells(scale: float, size: int, noise: NoiseSource) -> IntArray:
    """Draw Gumbel noise in whole cells: P(Z >= t) = 1 - exp(-exp(-t / scale)).

    The largest values come from uniform numbers near 0, where these are finely spaced. A shift of
    the tail by s cells multiplies it by at most exp(s / scale), as for exponential noise, because
    1 - exp(-x) is concave: `tail_scale` serves both.
    """
    gumbel = -np.log(-np.log1p(-fine_uniform(size, noise)))
    return np.floor(np.clip(gumbel * scale, -LARGEST_CELL, LARGEST_CELL)).astype(np.int64)


def laplace_cells(scale: float, size: int, noise: NoiseSource) -> IntArray:
    """Draw Laplace noise in whole cells: P(Z >= t) = P(Z < -t) = exp(-t / scale) / 2, t >= 0.

    It is symmetric about minus half a cell, which a threshold on the same grid does not notice.
    """
    sizes = exponential_cells(scale, size, noise)
    return np.where(noise.uniform(size) < 0.5, sizes, -1 - sizes)


def thinned_cells(
    scale: float, at_least: float, size: int, noise: NoiseSource
) -> tuple[IntArray, IntArray]:
    """Draw exponential noise for many, and return only those that get `at_least` or more.

    Positions and their noise; the gaps between such positions are geometric, so the work is
    proportional to how many there are. Some with slightly less are returned too.
    """
    chance = min(float(np.exp(-max(at_least - 1.0, 0.0) / scale)), 1.0)
    if chance > 0.125:
        return np.arange(size), exponential_cells(scale, size, noise)
    positions = np.zeros(0, dtype=np.int64)
    # Nothing that happens with such a chance has ever happened; its inverse would overflow.
    last = -1 if chance > 1e-290 else size
    while last < size:
        logs = np.log(fine_uniform(int(chance * size) + 16, noise)) / np.log1p(-chance)
        jumps = np.minimum(np.floor(logs), size).astype(np.int64) + 1
        positions = np.append(positions, last + np.cumsum(jumps))
        last = int(positions[-1])
    positions = positions[positions < size]
    # Conditioned on a number below `chance`, the number is uniform below it.
    return positions, _cells(chance * fine_uniform(positions.size, noise), scale)
