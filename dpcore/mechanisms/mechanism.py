"""What the gate needs to know about a mechanism."""

from __future__ import annotations

from typing import Protocol, TypeVar, runtime_checkable

from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Loss, Neighbors

Private = TypeVar("Private", contravariant=True)
Public = TypeVar("Public", covariant=True)


class Mechanism(Protocol[Private, Public]):
    """A randomised function from a private value to a public one."""

    @property
    def loss(self) -> Loss:
        """The privacy loss of one draw."""

    @property
    def neighbors(self) -> Neighbors:
        """The neighbour relation for which the sensitivity was argued."""

    @property
    def guarantee(self) -> Guarantee:
        """Whether the loss is proven."""

    def draw(self, value: Private, noise: NoiseSource) -> Public:
        """Draw the public value; called by the gate only, after the charge."""


@runtime_checkable
class WithoutNoise(Protocol[Private, Public]):
    """What a mechanism adds whose noise is more than discrete Laplace noise on whole numbers.

    `draw` is enough for the others: `NoiseOff` hands them zeros.
    """

    def without_noise(self, value: Private) -> Public:
        """What `draw` returns if its noise is zero; private, so for simulations only."""
