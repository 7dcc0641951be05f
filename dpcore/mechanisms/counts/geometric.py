"""Integer noise for counts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import IntArray
from dpcore.errors import InvalidArgument
from dpcore.noise import NoiseSource
from dpcore.noise.rounding import LARGEST_VALUE
from dpcore.privacy import Guarantee, Loss, Neighbors
from dpcore.privacy.loss import exact


@dataclass(frozen=True, kw_only=True)
class Geometric:
    """Add two-sided geometric (discrete Laplace) noise to integers.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of the joint release of all entries; positive.
    l1_sensitivity : int, default 1
        The largest L1 change of the whole vector between neighbours, in counts.
    neighbors : Neighbors, default add-remove
        The relation for which the caller argued that sensitivity.

    Sensitivity
        Argued by the caller; a histogram of disjoint cells has 1 under add-remove, 2 under replace.
    Privacy
        epsilon-DP: P(z) is proportional to exp(-abs(z) * epsilon / l1_sensitivity), so moving the
        centre by at most l1_sensitivity in L1 changes each joint probability by at most e^epsilon.

    References
    ----------
    A. Ghosh, T. Roughgarden, M. Sundararajan (2012), Universally utility-maximizing privacy
    mechanisms, SIAM J. Comput. 41(6). doi:10.1137/09076828X

    Examples
    --------
    >>> Geometric(epsilon=0.5, l1_sensitivity=2).scale
    Fraction(4, 1)
    """

    epsilon: int | float | str | Fraction
    l1_sensitivity: int = 1
    neighbors: Neighbors = Neighbors.ADD_REMOVE

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Ghosh et al. 2012, the geometric mechanism")

    def __post_init__(self) -> None:
        _check.positive(epsilon=exact(self.epsilon))
        _check.integer_in_range(1, None, l1_sensitivity=self.l1_sensitivity)

    @property
    def loss(self) -> Loss:
        """The privacy loss of the joint release."""
        return Loss(self.epsilon)

    @property
    def scale(self) -> Fraction:
        """Scale of the noise in counts; its variance is close to twice the square."""
        return self.l1_sensitivity / exact(self.epsilon)

    def draw(self, value: IntArray, noise: NoiseSource) -> IntArray:
        """Add noise to an integer array of any shape."""
        counts = np.asarray(value)
        if not np.issubdtype(counts.dtype, np.integer):
            raise InvalidArgument("value", counts.dtype.name, "an array of integers")
        drawn = noise.discrete_laplace(self.scale, counts.size)
        clamped = np.clip(counts.astype(np.int64), -LARGEST_VALUE, LARGEST_VALUE)
        return np.asarray(clamped + drawn.reshape(counts.shape), dtype=np.int64)
