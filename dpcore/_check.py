"""Argument checks that name the argument.

Each takes its arguments by keyword, so that the message carries the name:
``positive(epsilon=-1)`` raises "epsilon must be positive, got -1".
"""

import math
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import cache, partial
from numbers import Integral, Real
from typing import Annotated, Any, get_type_hints

import numpy as np

from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument

Number = int | float | Fraction


def _require(arguments: Mapping[str, Any], requirement: str, holds: Callable[[Any], bool]) -> None:
    for name, value in arguments.items():
        if not holds(value):
            raise InvalidArgument(name, value, requirement)


def _is_real(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def _is_finite(value: Any) -> bool:
    return _is_real(value) and math.isfinite(value)


def positive(**arguments: Number) -> None:
    """Raise unless every argument is a finite number above zero."""
    _require(arguments, "positive", lambda value: _is_finite(value) and value > 0)


def nonnegative(**arguments: Number) -> None:
    """Raise unless every argument is a finite number, zero or above."""
    _require(arguments, "zero or positive", lambda value: _is_finite(value) and value >= 0)


def finite(**arguments: Number) -> None:
    """Raise unless every argument is a finite number."""
    _require(arguments, "a finite number", _is_finite)


def in_range(low: Number, high: Number, /, **arguments: Number) -> None:
    """Raise unless every argument lies in the closed interval [low, high]."""

    def holds(value: Any) -> bool:
        return _is_real(value) and low <= float(value) <= high

    _require(arguments, f"between {low} and {high}", holds)


def integer_in_range(low: int, high: int | None, /, **arguments: int) -> None:
    """Raise unless every argument is an integer in [low, high] (no upper limit if None)."""
    upper = f"between {low} and {high}" if high is not None else f"at least {low}"

    def holds(value: Any) -> bool:
        is_integer = isinstance(value, Integral) and not isinstance(value, bool)
        return is_integer and low <= value and (high is None or value <= high)

    _require(arguments, f"a whole number, {upper}", holds)


def one_of(choices: Collection[object], /, **arguments: object) -> None:
    """Raise unless every argument is one of the choices."""
    listed = ", ".join(map(repr, choices))
    _require(arguments, f"one of {listed}", lambda value: value in choices)


def instance(kind: type, example: str, /, **arguments: object) -> None:
    """Raise unless every argument is of that kind, or None, which stands for the default."""
    requirement = f"a {kind.__name__}, for example {example}"
    _require(arguments, requirement, lambda value: value is None or isinstance(value, kind))


def whole(low: int, high: int | None = None) -> Callable[..., None]:
    """What an annotation says of whole numbers, as ``Annotated[int, whole(1, 8)]`` does."""
    return partial(integer_in_range, low, high)


def each(check: Callable[..., None]) -> Callable[..., None]:
    """The check of every entry, as in ``Annotated[Sequence[int], each(whole(1))]``."""

    def check_all(**arguments: Any) -> None:
        for name, values in arguments.items():
            for value in values:
                check(**{name: value})

    return check_all


def warn_caller(words: str) -> None:
    """Warn whoever called the library, at the line of the call."""
    frame, level, within = sys._getframe(), 1, {"dpcore", "contextlib"}
    while frame.f_back and frame.f_globals["__name__"].partition(".")[0] in within:
        frame, level = frame.f_back, level + 1
    warnings.warn(words, UserWarning, stacklevel=level)


Positive = Annotated[float, positive]
NonNegative = Annotated[float, nonnegative]
Share = Annotated[float, partial(in_range, 0, 1)]
Count = Annotated[int, whole(1)]


@cache
def _declared(kind: type) -> tuple[tuple[str, Callable[..., None]], ...]:
    hints = get_type_hints(kind, include_extras=True).items()
    return tuple(
        (name, check) for name, hint in hints for check in getattr(hint, "__metadata__", ())
    )


class Checked:
    """A dataclass whose annotations say what its fields may be, as `Count` and `Share` do."""

    def __post_init__(self) -> None:
        kind: type = type(self)
        for name, check in _declared(kind):
            check(**{name: getattr(self, name)})


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
