"""Choose several of many candidates by their private utilities, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.exponential import Exponential
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Loss, Neighbors
from dpcore.privacy.loss import exact


@dataclass(frozen=True, kw_only=True)
class ExponentialPeeling:
    """Apply the exponential mechanism k times, each time without the candidates chosen before.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of all k choices together; positive.
    k : int
        How many to choose.
    sensitivity : float, default 1
        The largest change of any single utility between neighbours; positive.
    monotone : bool, default False
        True if between neighbours all utilities move in the same direction.
    neighbors : Neighbors, default add-remove
        The relation for which the caller argued `sensitivity` and `monotone`.

    Sensitivity
        Argued by the caller, per candidate (L-infinity).
    Privacy
        Each choice is `Exponential` with epsilon / k on the candidates that are left, which the
        earlier, released choices determine: the losses add up to epsilon.

    References
    ----------
    F. McSherry, K. Talwar (2007), Mechanism design via differential privacy, FOCS, Theorem 6.
    doi:10.1109/FOCS.2007.41

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> mechanism = ExponentialPeeling(epsilon=100, k=2, monotone=True)
    >>> mechanism.draw(np.array([1.0, 9.0, 5.0]), SeededNoise(0)).tolist()
    [1, 2]
    """

    epsilon: int | float | str | Fraction
    k: int
    sensitivity: float = 1.0
    monotone: bool = False
    neighbors: Neighbors = Neighbors.ADD_REMOVE

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "McSherry and Talwar 2007, Theorem 6, composed k times"
    )

    def __post_init__(self) -> None:
        _check.positive(epsilon=exact(self.epsilon), sensitivity=self.sensitivity)
        _check.integer_in_range(1, None, k=self.k)

    @property
    def loss(self) -> Loss:
        """The privacy loss of all choices."""
        return Loss(self.epsilon)

    @property
    def one_choice(self) -> Exponential:
        """The mechanism of a single choice."""
        return Exponential(
            epsilon=exact(self.epsilon) / self.k,
            sensitivity=self.sensitivity,
            monotone=self.monotone,
            neighbors=self.neighbors,
        )

    def draw(self, value: FloatArray, noise: NoiseSource) -> IntArray:
        """Draw k indices, in the order of choice, from utilities of shape (candidates,)."""
        log_weights = self.one_choice.log_weights(value).copy()
        if self.k > log_weights.size:
            requirement = f"at most the number of candidates, {log_weights.size}"
            raise InvalidArgument("k", self.k, requirement)
        chosen = np.zeros(self.k, dtype=np.int64)
        for position in range(self.k):
            chosen[position] = noise.choose(log_weights)
            log_weights[chosen[position]] = -np.inf
        return chosen
