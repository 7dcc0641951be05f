"""Pure mechanisms: the epsilon, the neighbour relation and the loss that each of them has."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore import _check
from dpcore.privacy import Loss, Neighbors, Number, exact


@dataclass(frozen=True, kw_only=True, eq=False)
class PureMechanism:
    """A mechanism that spends its whole epsilon, and no delta, in one draw.

    Parameters
    ----------
    epsilon
        Privacy loss of everything that one draw releases; positive.
    neighbors : Neighbors, default add-remove
        The relation for which the sensitivity was argued.
    """

    epsilon: Number
    neighbors: Neighbors = Neighbors.ADD_REMOVE

    def __post_init__(self) -> None:
        _check.positive(epsilon=exact(self.epsilon))

    @property
    def loss(self) -> Loss:
        """The privacy loss of one draw: proven, or what it claims if the guarantee is broken."""
        return Loss(self.epsilon)
