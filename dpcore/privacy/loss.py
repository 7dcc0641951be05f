"""Privacy loss in exact arithmetic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational

import numpy as np

from dpcore.errors import InvalidArgument

Number = int | float | str | Fraction


def exact(value: Number, *, name: str = "epsilon") -> Fraction:
    """Read a number as its writer meant it: a float by its shortest decimal, so 0.1 is 1/10.

    Raises
    ------
    InvalidArgument
        If the value is not a finite number; a truth value is none.
    """
    if isinstance(value, bool | np.bool_):
        raise InvalidArgument(name, value, "a finite number")
    try:
        if isinstance(value, Rational | str):
            return Fraction(value)
        if math.isfinite(value):
            return Fraction(repr(float(value)))
    except (ValueError, TypeError, ZeroDivisionError):
        pass
    raise InvalidArgument(name, value, "a finite number")


def shown(value: Fraction) -> str:
    """Write an exact number the short way: a decimal if that is exact, else six digits."""
    decimal = f"{float(value):.12g}"
    return decimal if Fraction(decimal) == value else f"{float(value):.6g}"


@dataclass(frozen=True)
class Loss:
    """An (epsilon, delta) privacy loss, held as exact fractions.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        The largest log-ratio of output probabilities on neighbouring data; zero or positive.
    delta : int, float, str or Fraction, default 0
        The probability mass excused from that bound; in [0, 1].

    Raises
    ------
    InvalidArgument
        If either is negative, not a number, or delta exceeds 1.

    Examples
    --------
    Floats are read by their decimals, so three tenths fit a budget of 0.3:

    >>> (Loss(0.1) + Loss(0.1) + Loss(0.1)).within(Loss(0.3))
    True
    >>> [str(part) for part in Loss(1).split([1, 1, 2])]
    ['epsilon 0.25', 'epsilon 0.25', 'epsilon 0.5']
    """

    epsilon: Fraction
    delta: Fraction = Fraction(0)

    def __init__(self, epsilon: Number, delta: Number = 0) -> None:
        object.__setattr__(self, "epsilon", exact(epsilon))
        object.__setattr__(self, "delta", exact(delta, name="delta"))
        if self.epsilon < 0:
            raise InvalidArgument("epsilon", epsilon, "zero or positive")
        if not 0 <= self.delta <= 1:
            raise InvalidArgument("delta", delta, "between 0 and 1")

    def __add__(self, other: Loss) -> Loss:
        """Basic sequential composition: epsilons and deltas add."""
        return Loss(self.epsilon + other.epsilon, min(self.delta + other.delta, Fraction(1)))

    def __mul__(self, factor: int | Fraction) -> Loss:
        """The loss of `factor` releases of this loss (group privacy is not meant)."""
        return Loss(self.epsilon * factor, min(self.delta * factor, Fraction(1)))

    __rmul__ = __mul__

    def __truediv__(self, parts: int | Fraction) -> Loss:
        """One of `parts` equal shares."""
        return Loss(self.epsilon / parts, self.delta / parts)

    def minus(self, other: Loss) -> Loss:
        """What is left after `other`, never below zero."""
        return Loss(
            max(self.epsilon - other.epsilon, Fraction(0)),
            max(self.delta - other.delta, Fraction(0)),
        )

    def maximum(self, other: Loss) -> Loss:
        """The componentwise larger loss: a bound for either of two alternatives."""
        return Loss(max(self.epsilon, other.epsilon), max(self.delta, other.delta))

    def within(self, budget: Loss) -> bool:
        """Whether both epsilon and delta fit the budget."""
        return self.epsilon <= budget.epsilon and self.delta <= budget.delta

    def split(self, weights: Sequence[Number]) -> list[Loss]:
        """Divide in proportion to weights; the parts add up to the whole exactly.

        Raises
        ------
        InvalidArgument
            If a weight is negative or all are zero.
        """
        shares = [exact(weight, name="weights") for weight in weights]
        total = sum(shares, Fraction(0))
        if total <= 0 or min(shares) < 0:
            raise InvalidArgument("weights", list(weights), "non-negative with a positive sum")
        return [self * (share / total) for share in shares]

    def __str__(self) -> str:
        """Show as "epsilon 0.1" or "epsilon 0.1, delta 1e-06"."""
        delta = f", delta {shown(self.delta)}" if self.delta else ""
        return f"epsilon {shown(self.epsilon)}{delta}"
