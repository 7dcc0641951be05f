"""The Cauchy noise of Zafarani and Clifton as printed, which does not keep its promise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from dpcore.mechanisms.smooth_cauchy import SmoothCauchy
from dpcore.privacy import Guarantee
from dpcore.privacy.loss import exact

__all__ = ["PublishedSmoothCauchy"]


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
