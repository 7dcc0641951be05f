"""Running counts under noise that is shared along dyadic intervals: geometric or Gaussian."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.counts.additive import geometric_variance
from dpcore.mechanisms.pure import PositiveNumber, PureMechanism, integers_of
from dpcore.mechanisms.samplers.exponential_noise import fine_uniform
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Loss, exact


@dataclass(frozen=True, kw_only=True)
class _IntervalSums(PureMechanism):
    def moved(self, points: int) -> int:
        """Noise variables that a neighbour moves by one, at most."""
        levels = (points - 1).bit_length() + 1
        return self.neighbors.pick(add_remove=(levels + 1) // 2, replace=levels)


@dataclass(frozen=True, kw_only=True)
class DyadicPrefixes(_IntervalSums):
    """Release the number of records up to each point, with the noise of Barczewski et al.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of the joint release of all numbers; positive.
    neighbors : Neighbors, default add-remove

    Sensitivity
        Point i gets the sum of the noise of all dyadic intervals ((j - 1) 2^l, j 2^l] that hold it,
        l = 0, ..., L = ceil(log2 points). Replacing a record changes the numbers by plus or minus
        one on an interval of points, and an interval is a signed sum of at most L + 1 dyadic ones
        (Theorem 3.1). Adding a record changes them on a final stretch, a signed sum of at most
        ceil((L + 1) / 2) (Lemma 1).
    Privacy
        epsilon-DP: what the record changes is made up by moving that many noise variables by one,
        which costs epsilon over that number each. The noise is discrete Laplace: whole moves.

    Notes
    -----
    The variance of each number is close to 2 (L + 1)^3 / epsilon^2 under replace, as published, and
    2 (L + 1) ceil((L + 1) / 2)^2 / epsilon^2 under add-remove. The noise of the interval of all
    points is superfluous under replace, where the number of records is public: without it the
    variance would be L / (L + 1) of that. It stays, because this is the published mechanism. Under
    add-remove this is the continual counter of Theorem 0.A.1.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Theorems 3.1 and 0.A.1.

    Examples
    --------
    >>> from dpcore.privacy import Neighbors
    >>> replace = DyadicPrefixes(epsilon=0.5, neighbors=Neighbors.REPLACE)
    >>> str(replace.scale(8)), str(DyadicPrefixes(epsilon=0.5).scale(8))
    ('8', '4')
    """

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Barczewski et al., Theorem 3.1 and Lemma 1")

    def scale(self, points: int) -> Fraction:
        """Scale of the noise of each dyadic interval."""
        return self.moved(points) / exact(self.epsilon)

    def deviation(self, points: int) -> float:
        """Standard deviation of the noise of each dyadic interval."""
        return math.sqrt(geometric_variance(float(self.scale(points))))

    def draw(self, value: IntArray, noise: NoiseSource) -> IntArray:
        """Release the running sums of integer counts, shape (points,)."""
        scale = self.scale(np.size(value))
        return with_interval_noise(value, lambda size: noise.discrete_laplace(scale, size))


def with_interval_noise(value: IntArray, draw: Callable[[int], IntArray]) -> IntArray:
    """Running sums, each with the noise of all dyadic intervals that hold its point.

    Parameters
    ----------
    value : int array, shape (points,)
    draw
        Draws the noise of so many intervals.

    Examples
    --------
    >>> with_interval_noise(np.array([1, 1, 1]), lambda size: np.full(size, 10)).tolist()
    [31, 32, 33]
    """
    counts = integers_of(value, 1)
    sums = np.cumsum(counts, dtype=np.int64)
    for level in range((counts.size - 1).bit_length() + 1):
        drawn = draw(-(-counts.size // 2**level))
        sums += np.repeat(drawn, 2**level)[: counts.size]
    return sums


# A probability under the law that is drawn is that of the exact law times e^(+-2^-39), so one move
# of the noise pays twice that beyond its share.
ACCEPTANCE_ROUNDING = Fraction(1, 2**38)


def discrete_gaussian(deviation: float, size: int, noise: NoiseSource) -> IntArray:
    """Draw integers z with probability proportional to exp(-z^2 / (2 deviation^2)).

    Parameters
    ----------
    deviation
        Positive; the standard deviation, but for very small values.

    Notes
    -----
    Discrete Laplace numbers y of scale t = floor(deviation) + 1 are kept with probability
    exp(-(|y| - deviation^2 / t)^2 / (2 deviation^2)), about three in four. Acceptance compares with
    uniform numbers that are spaced by less than 2^-44 of themselves, so that the tails keep their
    proportions.

    References
    ----------
    C. Canonne, G. Kamath, T. Steinke (2020), The discrete Gaussian for differential privacy,
    NeurIPS, Algorithm 3. arXiv:2004.00010

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> discrete_gaussian(3.0, 5, SeededNoise(1)).shape
    (5,)
    """
    _check.positive(deviation=deviation)
    width = math.floor(deviation) + 1
    kept: list[IntArray] = []
    missing = size
    while missing > 0:
        drawn = noise.discrete_laplace(width, missing + missing // 2 + 8)
        off = (np.abs(drawn) - deviation**2 / width) / deviation
        accepted = drawn[fine_uniform(drawn.size, noise) < np.exp(-(off**2) / 2.0)]
        kept.append(accepted[:missing])
        missing -= kept[-1].size
    return np.concatenate(kept) if kept else np.zeros(0, dtype=np.int64)


# Far more than the rounding of a few operations on doubles.
_ROUNDING = 2.0**-40


def concentrated_loss(epsilon: float, delta: float) -> float:
    """The largest rho for which rho-zCDP implies (epsilon, delta)-DP.

    Parameters
    ----------
    epsilon
        Positive.
    delta
        In (0, 1).

    Notes
    -----
    epsilon = rho + 2 sqrt(rho ln(1/delta)), solved for rho and rounded down.

    References
    ----------
    M. Bun, T. Steinke (2016), Concentrated differential privacy: simplifications, extensions and
    lower bounds, TCC, Proposition 1.3. doi:10.1007/978-3-662-53641-4_24

    Examples
    --------
    >>> rho = concentrated_loss(1.0, 1e-6)
    >>> abs(rho + 2 * (rho * math.log(1e6)) ** 0.5 - 1.0) < 1e-9
    True
    """
    _check.positive(epsilon=epsilon, delta=delta)
    surprise = -math.log(delta) * (1.0 + _ROUNDING)
    root = epsilon / (math.sqrt(surprise + epsilon) + math.sqrt(surprise))
    return root**2 * (1.0 - _ROUNDING)


@dataclass(frozen=True, kw_only=True)
class GaussianPrefixes(_IntervalSums):
    """Release the number of records up to each point, with Gaussian noise along dyadic intervals.

    Parameters
    ----------
    epsilon, delta : int, float, str or Fraction
        Privacy loss of the joint release of all numbers; both positive, delta below 1 and public.
    neighbors : Neighbors, default add-remove

    Sensitivity
        As for `DyadicPrefixes`: a record added changes the numbers by what moving at most
        m = ceil((L + 1) / 2) noise variables by one makes up for, L = ceil(log2 points); a record
        replaced moves at most m = L + 1. In L2, the moves are sqrt(m) long.
    Privacy
        Discrete Gaussian noise of variance m z^2 is 1 / (2 z^2)-zCDP, as published, which implies
        (epsilon, delta)-DP if epsilon = rho + 2 sqrt(rho ln(1/delta)). Losses are counted in
        epsilon and delta here, so z is chosen for the given two, and they are charged. The rounding
        of the sampler is paid for out of epsilon.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Theorem 0.A.1.
    C. Canonne, G. Kamath, T. Steinke (2020), The discrete Gaussian for differential privacy,
    NeurIPS, Theorem 4. arXiv:2004.00010

    Examples
    --------
    >>> str(GaussianPrefixes(epsilon=1, delta=1e-6).loss)
    'epsilon 1, delta 1e-06'
    """

    delta: PositiveNumber

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "Barczewski et al., Theorem 0.A.1; Bun and Steinke 2016, Proposition 1.3"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if exact(self.delta) >= 1:
            raise InvalidArgument("delta", self.delta, "below 1")

    @property
    def loss(self) -> Loss:
        """The privacy loss of the joint release."""
        return Loss(self.epsilon, self.delta)

    def deviation(self, points: int) -> float:
        """Standard deviation of the noise of each dyadic interval."""
        moved = self.moved(points)
        left = self.left_by(moved * ACCEPTANCE_ROUNDING)
        rho = concentrated_loss(left, float(exact(self.delta)))
        return math.sqrt(moved / (2.0 * rho)) * (1.0 + _ROUNDING)

    def draw(self, value: IntArray, noise: NoiseSource) -> IntArray:
        """Release the running sums of integer counts, shape (points,)."""
        deviation = self.deviation(max(np.size(value), 1))
        return with_interval_noise(value, lambda size: discrete_gaussian(deviation, size, noise))
