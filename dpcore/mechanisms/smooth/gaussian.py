"""Gaussian noise for smooth sensitivities: approximate privacy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from scipy.special import log_ndtr

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.mechanisms.smooth.noise import SmoothNoise
from dpcore.privacy import Guarantee, Loss
from dpcore.privacy.loss import exact

__all__ = ["SmoothGaussian", "log_normal_mass"]

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

    delta: int | float | str | Fraction

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "Nissim et al. 2007, Gaussian noise is admissible"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        _check.positive(delta=exact(self.delta))
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
    left, right : float array
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
