"""The noisy medians of Stoddard et al. as printed, which do not keep their promise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from dpcore.mechanisms.smooth_medians import SmoothMedians
from dpcore.privacy import Guarantee
from dpcore.privacy.loss import exact


@dataclass(frozen=True, kw_only=True, eq=False)
class PublishedSmoothMedians(SmoothMedians):
    """Medians with noise 8 S / epsilon_1, S smooth with beta equal to the epsilon of the level.

    Parameters
    ----------
    selection_epsilon : int, float, str or Fraction
        Epsilon of all levels together, by which the printed noise is divided.

    Privacy
        BROKEN under either relation. With beta = epsilon' no Cauchy noise is epsilon'-DP (the scale
        alone may change by e^epsilon' between neighbours), and with k levels
        8 / epsilon_1 = 8 / (k epsilon') is too little from k = 9 on even for a constant S.

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for
    empirical machine learning, Algorithm 4. arXiv:1411.5428
    """

    selection_epsilon: int | float | str | Fraction

    guarantee: ClassVar[Guarantee] = Guarantee.broken(
        "with k = 10 and epsilon 1 per level, one more score of 0.625 beside 0.125 and 0.625 moves "
        "the law of the first median by a loss of 1.18"
    )

    @property
    def beta(self) -> float:
        """As printed: the whole epsilon of the level."""
        return float(exact(self.epsilon))

    @property
    def noise_factor(self) -> float:
        """As printed: eight over the epsilon of all levels."""
        return float(8 / exact(self.selection_epsilon))
