"""Argument checks that name the argument.

Each takes its arguments by keyword, so that the message carries the name:
``positive(epsilon=-1)`` raises "epsilon must be positive, got -1".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from fractions import Fraction
from numbers import Integral, Real

import numpy as np

from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument

Number = int | float | Fraction


def _require_real(name: str, value: object, requirement: str) -> float:
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise InvalidArgument(name, value, requirement)
    return float(value)


def positive(**arguments: Number) -> None:
    """Raise unless every argument is a finite number above zero."""
    for name, value in arguments.items():
        number = _require_real(name, value, "positive")
        if not (math.isfinite(number) and value > 0):
            raise InvalidArgument(name, value, "positive")


def nonnegative(**arguments: Number) -> None:
    """Raise unless every argument is a finite number, zero or above."""
    for name, value in arguments.items():
        number = _require_real(name, value, "zero or positive")
        if not (math.isfinite(number) and value >= 0):
            raise InvalidArgument(name, value, "zero or positive")


def finite(**arguments: Number) -> None:
    """Raise unless every argument is a finite number."""
    for name, value in arguments.items():
        if not math.isfinite(_require_real(name, value, "a finite number")):
            raise InvalidArgument(name, value, "a finite number")


def in_range(low: Number, high: Number, /, **arguments: Number) -> None:
    """Raise unless every argument lies in the closed interval [low, high]."""
    requirement = f"between {low} and {high}"
    for name, value in arguments.items():
        if not low <= _require_real(name, value, requirement) <= high:
            raise InvalidArgument(name, value, requirement)


def integer_in_range(low: int, high: int | None, /, **arguments: int) -> None:
    """Raise unless every argument is an integer in [low, high] (no upper limit if None)."""
    upper = f"between {low} and {high}" if high is not None else f"at least {low}"
    requirement = f"a whole number, {upper}"
    for name, value in arguments.items():
        is_integer = isinstance(value, Integral) and not isinstance(value, bool)
        if not is_integer or value < low or (high is not None and value > high):
            raise InvalidArgument(name, value, requirement)


def one_of(choices: Collection[object], /, **arguments: object) -> None:
    """Raise unless every argument is one of the choices."""
    for name, value in arguments.items():
        if value not in choices:
            listed = ", ".join(repr(choice) for choice in choices)
            raise InvalidArgument(name, value, f"one of {listed}")


def instance(kind: type, example: str, /, **arguments: object) -> None:
    """Raise unless every argument is of that kind, or None, which stands for the default."""
    for name, value in arguments.items():
        if value is not None and not isinstance(value, kind):
            raise InvalidArgument(name, value, f"a {kind.__name__}, for example {example}")


@contextmanager
def called(renamed: Callable[[str], str]) -> Iterator[None]:
    """Name the argument of an error within as its caller knows it."""
    try:
        yield
    except InvalidArgument as error:
        raise InvalidArgument(renamed(error.name), error.value, error.requirement) from None


def probabilities(**arguments: FloatArray) -> None:
    """Raise unless every array holds numbers in [0, 1]; the message names the first bad row."""
    for name, values in arguments.items():
        # The comparison is written so that NaN counts as bad.
        bad = ~((values >= 0.0) & (values <= 1.0))
        if bad.any():
            row = int(np.argmax(bad))
            raise InvalidArgument(f"{name}[{row}]", float(values[row]), "a number in [0, 1]")
