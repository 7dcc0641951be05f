"""Cauchy and Gaussian noise for smooth sensitivities, and Cauchy as printed: a broken promise."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import log_ndtr

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PositiveNumber
from dpcore.mechanisms.smooth import SmoothNoise
from dpcore.privacy import Guarantee, Loss, exact

# Below this width an interval's mass is its middle's density times the width.
_NARROW = 2.0**-12


@dataclass(frozen=True, kw_only=True)
class SmoothGaussian(SmoothNoise):
    """Add Gaussian noise of standard deviation S / alpha to statistics with smooth sensitivity S.

    Parameters
    ----------
    delta : int, float, str or Fraction
        Public, positive and below 1; shared equally by the columns.

    Sensitivity
        Smooth, argued by the statistic, for records added or removed.
    Privacy
        (epsilon, delta)-DP with alpha = epsilon / (5 sqrt(2 ln(2 / d))) and
        beta = epsilon / (4 ln(2 / d)), for epsilon up to 1 (a larger one is used as 1). The sliding
        and the dilation each cost epsilon / 2 and d / 2, so together epsilon and
        d (1 + e^(epsilon / 2)) / 2, which is set to delta. Two steps under replace cost 2 epsilon
        and delta (1 + e^epsilon).

    References
    ----------
    K. Nissim, S. Raskhodnikova, A. Smith (2007), Smooth sensitivity and sampling in private data
    analysis, STOC, full version of 2011: admissible noise. doi:10.1145/1250790.1250803

    Examples
    --------
    >>> from dpcore.mechanisms import Mean
    >>> str(SmoothGaussian(epsilon=1, delta=1e-6, statistic=Mean()).loss)
    'epsilon 1, delta 1e-06'
    """

    delta: PositiveNumber

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "Nissim et al. 2007, Gaussian noise is admissible"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        _check.in_range(0, 0.5, delta=float(exact(self.delta)))

    @property
    def loss(self) -> Loss:
        """The privacy loss of the joint release."""
        return Loss(self.epsilon, self.delta)

    @property
    def step(self) -> float:
        """Epsilon of one statistic and one added or removed record, at most 1."""
        return min(super().step, 1.0)

    @property
    def step_delta(self) -> float:
        """Delta of sliding and of dilating, twice: of one statistic and one record."""
        share = float(exact(self.delta) / self.n_columns)
        one_record = share / self.neighbors.pick(add_remove=1.0, replace=1.0 + math.exp(self.step))
        return 2.0 * one_record / (1.0 + math.exp(self.step / 2.0))

    @property
    def beta(self) -> float:
        """Smoothness for which dilation is covered."""
        return self.step / (4.0 * math.log(2.0 / self.step_delta))

    @property
    def noise_factor(self) -> float:
        """Scale for which sliding is covered."""
        return 5.0 * math.sqrt(2.0 * math.log(2.0 / self.step_delta)) / self.step

    def log_mass(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """Log-probability that standard normal noise lies between two numbers."""
        return log_normal_mass(left, right)


def log_normal_mass(left: FloatArray, right: FloatArray) -> FloatArray:
    """Log of the standard normal probability of an interval; accurate in the tails.

    Parameters
    ----------
    left, right
        left < right; either may be infinite.

    Examples
    --------
    >>> np.exp(log_normal_mass(np.array([-np.inf, 0.0]), np.array([0.0, np.inf]))).tolist()
    [0.5, 0.5]
    """
    # On the left half both tails are small numbers, and their logs are accurate.
    flipped = left > 0.0
    low, high = np.where(flipped, -right, left), np.where(flipped, -left, right)
    upper = log_ndtr(high)
    wide = high - low >= _NARROW
    share = np.exp(np.where(wide, log_ndtr(low) - upper, -1.0))
    middle = np.where(wide, 0.0, low) / 2.0 + np.where(wide, 0.0, high) / 2.0
    width = np.where(wide, 1.0, high - low)
    density = -0.5 * middle**2 - 0.5 * math.log(2.0 * math.pi) + np.log(width)
    return np.asarray(np.where(wide, upper + np.log1p(-share), density), dtype=np.float64)


def cauchy_loss(shift: float, scale: float, other_scale: float) -> float:
    """Largest privacy loss between two Cauchy distributions.

    Parameters
    ----------
    shift
        Distance between their medians.
    scale, other_scale
        Their scales; positive.

    Returns
    -------
    float
        The supremum of the absolute log-ratio of the densities. It is the distance of the points
        (median, scale) in the hyperbolic half-plane.

    Examples
    --------
    >>> round(cauchy_loss(0.0, 1.0, math.e), 12)
    1.0
    """
    _check.positive(scale=scale, other_scale=other_scale)
    excess = (shift * shift + (scale - other_scale) ** 2) / (2.0 * scale * other_scale)
    # arcosh(1 + excess), accurate also where the excess is tiny.
    return math.log1p(excess + math.sqrt(excess * (2.0 + excess)))


def cauchy_rate(epsilon: float, beta: float) -> float:
    """Largest alpha for which f(x) + S(x)/alpha * Cauchy is epsilon-DP, S beta-smooth.

    Parameters
    ----------
    epsilon
        Privacy loss; positive.
    beta
        S changes by a factor of at most e^beta between neighbours; in [0, epsilon).

    Privacy
        Neighbours have medians at most S apart and scales S/alpha and e^b S/alpha, 0 <= b <= beta.
        `cauchy_loss` of the two is at most epsilon iff
        alpha^2 <= 2 e^b (cosh(epsilon) - cosh(b)). The right-hand side, as a function of b, is
        lowest at an end of [0, beta], hence
        alpha = min(2 sinh(epsilon / 2), sqrt(2 e^beta (cosh(epsilon) - cosh(beta)))).
        At beta = epsilon it is zero: no amount of noise suffices.

    References
    ----------
    K. Nissim, S. Raskhodnikova, A. Smith (2007), Smooth sensitivity and sampling in private data
    analysis, STOC, Section 2 (with a constant about six times larger). doi:10.1145/1250790.1250803

    Examples
    --------
    >>> round(cauchy_rate(1.0, 0.5), 3)
    1.042
    """
    _check.positive(epsilon=epsilon)
    if not 0.0 <= beta < epsilon:
        raise InvalidArgument("beta", beta, f"at least 0 and below epsilon = {epsilon}")
    # Less than it might be is private too, and matters to nobody where powers would overflow.
    half, above, below, least = (
        min(power, 300.0)
        for power in (epsilon / 2.0, (epsilon + beta) / 2.0, (epsilon - beta) / 2.0, beta)
    )
    # cosh(epsilon) - cosh(beta), without cancellation.
    gap = 2.0 * math.sinh(above) * math.sinh(below)
    return min(2.0 * math.sinh(half), math.sqrt(2.0 * math.exp(least) * gap))


# Share of epsilon that bounds how fast the noise may change between neighbours.
BETA_SHARE = 0.5


@dataclass(frozen=True, kw_only=True)
class SmoothCauchy(SmoothNoise):
    """Add Cauchy noise of scale S / alpha to statistics with beta-smooth sensitivity S.

    Sensitivity
        Smooth, argued by the statistic, for records added or removed.
    Privacy
        epsilon-DP, by `SmoothNoise` and the largest alpha that is private: with
        beta = epsilon / 2, alpha = min(2 sinh(epsilon / 2),
        sqrt(2 e^beta (cosh(epsilon) - cosh(beta)))), see `cauchy_rate`. The loss between two
        neighbours is the hyperbolic distance of their (statistic, scale) points.

    References
    ----------
    K. Nissim, S. Raskhodnikova, A. Smith (2007), Smooth sensitivity and sampling in private data
    analysis, STOC, Section 2 (with about six times the noise). doi:10.1145/1250790.1250803

    Examples
    --------
    >>> from dpcore.mechanisms import Mean
    >>> mechanism = SmoothCauchy(epsilon=1, statistic=Mean())
    >>> round(mechanism.beta, 3), round(mechanism.noise_factor, 3)
    (0.5, 0.96)
    """

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "Nissim et al. 2007, Section 2, with the exact Cauchy calibration"
    )

    @property
    def beta(self) -> float:
        """Half the epsilon of one statistic."""
        return BETA_SHARE * self.step

    @property
    def noise_factor(self) -> float:
        """One over the exact rate."""
        return 1.0 / cauchy_rate(self.step, self.beta)

    def log_mass(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """Log-probability that standard Cauchy noise lies between two numbers."""
        return log_cauchy_mass(left, right)


def log_cauchy_mass(left: FloatArray, right: FloatArray) -> FloatArray:
    """Log of the standard Cauchy probability of an interval; accurate in the tails.

    Parameters
    ----------
    left, right
        left < right; either may be infinite.

    Examples
    --------
    >>> np.exp(log_cauchy_mass(np.array([-1.0, 1.0]), np.array([1.0, np.inf]))).round(3).tolist()
    [0.5, 0.25]
    """
    below, above = np.isneginf(left), np.isposinf(right)
    finite_left, finite_right = np.where(below, 0.0, left), np.where(above, 0.0, right)
    # The angle between the two directions: one division, no difference of arcs.
    opposite = np.where(below | above, 1.0, finite_right - finite_left)
    adjacent = 1.0 + finite_left * finite_right
    adjacent = np.where(below, -finite_right, np.where(above, finite_left, adjacent))
    angle = np.where(below & above, np.pi, np.arctan2(opposite, adjacent))
    return np.asarray(np.log(angle / np.pi), dtype=np.float64)


@dataclass(frozen=True, kw_only=True)
class PublishedSmoothCauchy(SmoothCauchy):
    """Cauchy noise of scale sqrt(2) S / epsilon', with S smooth for beta = epsilon'.

    Privacy
        BROKEN under either relation: with beta = epsilon' the scale alone may change by e^epsilon'
        between neighbours, which costs epsilon' before the statistic has moved at all, so that no
        factor is enough. The true loss is up to 1.22 epsilon' (small epsilon').

    References
    ----------
    F. Zafarani, C. Clifton (2020), Differentially private naive Bayes classifier using smooth
    sensitivity, Algorithm 1.

    Examples
    --------
    >>> from dpcore.mechanisms import Mean
    >>> PublishedSmoothCauchy(epsilon=1, statistic=Mean()).guarantee.word
    'BROKEN'
    """

    guarantee: ClassVar[Guarantee] = Guarantee.broken(
        "at epsilon 0.1 the noisy standard deviations of five records at the lower bound, and of "
        "these and one at the upper, differ by a loss of 0.117"
    )

    @property
    def step(self) -> float:
        """The whole share of one statistic, whatever the relation."""
        return float(exact(self.epsilon) / self.n_columns)

    @property
    def beta(self) -> float:
        """As printed: all of epsilon'."""
        return self.step

    @property
    def noise_factor(self) -> float:
        """As printed."""
        return math.sqrt(2.0) / self.step
