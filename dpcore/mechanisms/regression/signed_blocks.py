"""Noise for one-hot blocks of the same records, whose change has one size in all."""

import math
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from scipy.special import gammaln

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.counts.k_norm_histograms import noise_of_histograms
from dpcore.noise import NoiseSource

# Of the rule that integrates over the share of the positive side.
_POINTS = 201

# Up to so many classes noise for pairs of them is the lesser one; for four it is the same.
_MOST_PAIRED = 4


@dataclass(frozen=True, kw_only=True)
class SignedBlocks(_check.Checked):
    """The law of blocks with density proportional to exp(-rate * (P + N)).

    P is the most that the positive entries of one block add up to, N the most of negative ones: a
    norm, and at most |r| for r times rows that are one-hot, or zero, in every block.

    Parameters
    ----------
    rate : float
        Positive.
    sizes : tuple of int
        Entries of each block.

    Notes
    -----
    A block v has P or less above zero and N or less below if, and only if, |v|_1 and |t - sum v|,
    t = P - N, add up to P + N or less: if one more entry that makes the sum t leaves it in the ball
    of `KNormHistograms`. So this is the law of that noise, for histograms of an entry more than the
    blocks, without those entries and without t: each integral over t of exp(-rate * max(A + t,
    B - t)), with A and B twice N and P, is exp(-rate * (A + B) / 2) but for a constant.

    Many pairs have a sixth of the variance that independent Laplace noise of the same protection
    has, ten blocks of three 30 % of it, and one block follows Laplace's law.

    References
    ----------
    M. Hardt, K. Talwar (2010), On the geometry of differential privacy, STOC: K-norm noise.
    doi:10.1145/1806689.1806786

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> law = SignedBlocks(rate=2.0, sizes=(3, 2))
    >>> law.sample(SeededNoise(0)).shape, law.log_density(np.array([1.0, -3.0, 0.5, 0.0, 2.0]))
    ((5,), -10.0)
    """

    rate: _check.Positive
    sizes: tuple[int, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.sizes or min(self.sizes) < 1:
            raise InvalidArgument("sizes", self.sizes, "one or more blocks of an entry or more")

    @property
    def column_variances(self) -> FloatArray:
        """Expected square of every entry."""
        moments = _second_moments(tuple(sorted(self.sizes)))
        each = [np.full(size, moments[size]) for size in self.sizes]
        return np.concatenate(each) / self.rate**2

    @property
    def variance(self) -> float:
        """Expected squared Euclidean length."""
        return float(self.column_variances.sum())

    def sample(self, noise: NoiseSource) -> FloatArray:
        """Draw one vector, shape (sum of sizes,)."""
        histograms = noise_of_histograms(tuple(size + 1 for size in self.sizes), noise)
        return np.concatenate([one[:-1] for one in histograms]) / self.rate

    def log_density(self, vector: FloatArray) -> float:
        """Log-density up to a constant."""
        blocks = np.split(vector, np.cumsum(self.sizes)[:-1])
        largest = [max(np.maximum(sign * one, 0.0).sum() for one in blocks) for sign in (1, -1)]
        return -self.rate * float(sum(largest))


@dataclass(frozen=True, kw_only=True)
class ContrastsOfBlocks(SignedBlocks):
    """Matrices A Z of zero column sums: each row of Z follows `SignedBlocks`, A says for whom.

    A row of the matrix is a class. Up to four classes a row of Z is of a pair of classes, at twice
    the rate, and A adds it to the first and takes it from the second; for more each class has a row
    at the rate, and A takes away the mean of all.

    Parameters
    ----------
    rate : float
        Positive.
    sizes : tuple of int
        Entries of each block.
    n_classes : int
        K, three or more.

    Sensitivity
        A record's gradient is r x': x is one-hot, or zero, in every block, and r = p - e(class)
        adds up to zero and has absolute entries of sum 2 s. Adding or removing it shifts A Z as a
        shift of Z by a matrix D shifts it, if A D = r x' or its opposite. Of pairs, with y the
        record's class, those of y and k get p_k x, since r is the sum of p_k (e_k - e_y): their
        norms add up to s. Of classes, k gets r_k x, and the mean of r is zero: 2 s.
    Privacy
        The rows of Z are independent, so that of either D the log-density of Z moves by 2 s times
        the rate at most, at every Z. The density of A Z at a matrix is the integral of that of Z
        over all Z with this product; so it moves by no more than that. This is all that
        `BlockObjective` asks of a law.

    Notes
    -----
    Entries of a row of Z have the variance v / rate^2 or v / (2 rate)^2: those of A Z, over all
    classes of a column, add up to 4 (K - 1) v or K (K - 1) v over (2 rate)^2.
    Ten blocks of three have .36 (three classes), .43 (four) and .40 to .35 (more) of the variance
    of `LaplaceContrasts` for each block; wide or unlike blocks may have more.

    The law given that Z adds up to zero would have .74 of this variance for three classes, but the
    volumes that its draws need have no formula.

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> law = ContrastsOfBlocks(rate=2.0, sizes=(3, 2), n_classes=3)
    >>> drawn = law.sample(SeededNoise(0))
    >>> drawn.shape, bool(np.allclose(drawn.sum(axis=0), 0.0))
    ((3, 5), True)
    """

    n_classes: Annotated[int, _check.whole(3)]

    @property
    def _mixing(self) -> FloatArray:
        """A, and with it how many rows Z has."""
        size = np.eye(self.n_classes)
        if self.n_classes > _MOST_PAIRED:
            return size - 1.0 / self.n_classes
        first, second = np.triu_indices(self.n_classes, 1)
        return size[:, first] - size[:, second]

    @property
    def _rows(self) -> SignedBlocks:
        twice = 2.0 if self.n_classes <= _MOST_PAIRED else 1.0
        return SignedBlocks(rate=twice * self.rate, sizes=self.sizes)

    @property
    def column_variances(self) -> FloatArray:
        """Expected square of each column, added over the classes."""
        return self._rows.column_variances * float(np.square(self._mixing).sum())

    def sample(self, noise: NoiseSource) -> FloatArray:
        """Draw one matrix, shape (n_classes, sum of sizes)."""
        rows, mixing = self._rows, self._mixing
        return mixing @ np.stack([rows.sample(noise) for _ in mixing.T])

    def log_density(self, matrix: FloatArray) -> float:
        """NaN: it is an integral without a formula."""
        return math.nan


@lru_cache(maxsize=128)
def _second_moments(sizes: tuple[int, ...]) -> dict[int, float]:
    """Expected square of an entry of a block of each size, at rate 1.

    By exp(-P) = integral of exp(-p) over p > P, and so for N, the law is that of bounds p and n of
    density exp(-p - n) prod_j V_j(p, n) and, given them, of a uniform point of each set of volume
    V_j: m_j entries whose positive ones add up to p or less and negative ones to n. The piece with
    k positive ones has the share C(m, k)^2 p^k n^(m - k) of it, but for a factor. With
    u = p / (p + n), p + n is Gamma of shape 2 + sum m_j and independent of u.
    """
    nodes, weights = np.polynomial.legendre.leggauss(_POINTS)
    density, squares = weights.copy(), {}
    for size, blocks in Counter(sizes).items():
        k = np.arange(size + 1)
        choices = gammaln(size + 1) - gammaln(k + 1) - gammaln(size - k + 1)
        sides = np.outer(np.log1p(nodes), k) + np.outer(np.log1p(-nodes), size - k)
        pieces = np.exp(2.0 * (choices - choices.max()) + sides)
        volumes = pieces.sum(axis=1)
        density *= (volumes / volumes.max()) ** blocks
        # Of an entry of a solid simplex of k others; both signs are alike.
        positive = pieces @ (4.0 * k / (size * (k + 1) * (k + 2))) / volumes
        squares[size] = positive * ((1.0 + nodes) / 2.0) ** 2
    total = sum(sizes)
    scale = (total + 2) * (total + 3) / density.sum()
    return {size: float(scale * (density @ square)) for size, square in squares.items()}
