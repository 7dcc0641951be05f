"""Many draws of one mechanism as one release, which is faster than as many releases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from dpcore.mechanisms import Mechanism
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Loss, Neighbors

__all__ = ["Repeatable", "Repeated"]


@runtime_checkable
class Repeatable(Mechanism[Any, Any], Protocol):
    """A mechanism whose `draw` is `draw_many` of one, so that an attack runs the same code."""

    def draw_many(self, value: Any, times: int, noise: NoiseSource) -> list[Any]:
        """Draw so many independent public values; called by the gate only, after the charge."""


@dataclass(frozen=True)
class Repeated:
    """A mechanism drawn again and again on the same value.

    Parameters
    ----------
    mechanism : Repeatable
    times : int

    Privacy
        Basic composition: `times` times the loss of one draw.

    Examples
    --------
    >>> from dpcore.mechanisms import Exponential
    >>> str(Repeated(Exponential(epsilon=2), 3).loss)
    'epsilon 6'
    """

    mechanism: Repeatable
    times: int

    @property
    def loss(self) -> Loss:
        """The privacy loss of all draws together."""
        return self.mechanism.loss * self.times

    @property
    def neighbors(self) -> Neighbors:
        """The relation of the mechanism."""
        return self.mechanism.neighbors

    @property
    def guarantee(self) -> Guarantee:
        """The verdict on the mechanism."""
        return self.mechanism.guarantee

    def draw(self, value: Any, noise: NoiseSource) -> list[Any]:
        """Draw all; called by the gate only, after the charge."""
        return self.mechanism.draw_many(value, self.times, noise)
