"""What every source of noise can do."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol, runtime_checkable

from dpcore._typing import BoolArray, FloatArray, IntArray


@runtime_checkable
class NoiseSource(Protocol):
    """The few primitives from which every mechanism is built.

    Mechanisms call them, and nothing else does: all other code goes through the gate,
    `dpcore.release`. `coins` is the exception, because a coin protects nothing by itself.
    """

    @property
    def simulated(self) -> bool:
        """Whether someone could repeat the draws."""

    def discrete_laplace(self, scale: float | Fraction, size: int) -> IntArray:
        """Draw integers z with probability proportional to exp(-abs(z) / scale)."""

    def uniform(self, size: int) -> FloatArray:
        """Draw numbers uniformly from the open interval (0, 1)."""

    def choose(self, log_weights: FloatArray) -> int:
        """Draw an index with probability proportional to exp(log_weights[index])."""

    def coins(self, size: int, probability: float) -> BoolArray:
        """Flip independent coins that come up True with this probability."""
