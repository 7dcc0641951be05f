"""Choose one of several candidates by its private utility."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Loss, Neighbors
from dpcore.privacy.loss import exact


@dataclass(frozen=True, kw_only=True)
class Exponential:
    """Draw a candidate with probability proportional to measure * exp(rate * utility).

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of the choice; positive.
    sensitivity : float, default 1
        The largest change of any single utility between neighbours; positive.
    monotone : bool, default False
        True if between neighbours all utilities move in the same direction (add-remove counts do):
        the rate is then epsilon / sensitivity instead of half of it.
    neighbors : Neighbors, default add-remove
        The relation for which the caller argued `sensitivity` and `monotone`.
    log_measure : float array, shape (candidates,), optional
        Logarithm of a *public* weight per candidate, such as the width of an interval.

    Sensitivity
        Argued by the caller, per candidate (L-infinity).
    Privacy
        epsilon-DP. The weight of the chosen candidate moves by at most e^(rate * sensitivity) and
        so does the normalising sum; if all utilities move the same way, one of the two factors is
        at most 1.

    References
    ----------
    F. McSherry, K. Talwar (2007), Mechanism design via differential privacy, FOCS, Theorem 6.
    doi:10.1109/FOCS.2007.41

    Examples
    --------
    >>> Exponential(epsilon=1, monotone=True).rate
    1.0
    """

    epsilon: int | float | str | Fraction
    sensitivity: float = 1.0
    monotone: bool = False
    neighbors: Neighbors = Neighbors.ADD_REMOVE
    log_measure: FloatArray | None = None

    guarantee: ClassVar[Guarantee] = Guarantee.proven("McSherry and Talwar 2007, Theorem 6")

    def __post_init__(self) -> None:
        _check.positive(epsilon=exact(self.epsilon), sensitivity=self.sensitivity)

    @property
    def loss(self) -> Loss:
        """The privacy loss of the choice."""
        return Loss(self.epsilon)

    @property
    def rate(self) -> float:
        """Factor of the utility in the exponent, per unit of utility."""
        return float(exact(self.epsilon)) / (self.sensitivity * (1 if self.monotone else 2))

    def log_weights(self, utilities: FloatArray) -> FloatArray:
        """Unnormalised log-probability of each candidate, shape (candidates,)."""
        values = np.asarray(utilities, dtype=np.float64)
        if values.ndim != 1 or values.size == 0:
            raise InvalidArgument("utilities", values.shape, "a vector of at least one candidate")
        measure = 0.0 if self.log_measure is None else self.log_measure
        return self.rate * values + measure

    def draw(self, value: FloatArray, noise: NoiseSource) -> int:
        """Draw the index of a candidate from its utilities, shape (candidates,)."""
        return self.draw_many(value, 1, noise)[0]

    def draw_many(self, value: FloatArray, times: int, noise: NoiseSource) -> list[int]:
        """Draw so many indices, each as `draw` does; together they cost so many times the loss."""
        log_weights = self.log_weights(value)
        return [noise.choose(log_weights) for _ in range(times)]
