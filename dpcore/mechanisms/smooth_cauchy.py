"""Cauchy noise for smooth sensitivities, calibrated exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpcore._typing import FloatArray
from dpcore.mechanisms.cauchy import cauchy_rate
from dpcore.mechanisms.smooth_noise import SmoothNoise
from dpcore.privacy import Guarantee

__all__ = ["SmoothCauchy", "log_cauchy_mass"]

# Share of epsilon that bounds how fast the noise may change between neighbours.
_BETA_SHARE = 0.5


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
        return _BETA_SHARE * self.step

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
    left, right : float array
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
