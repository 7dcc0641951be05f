"""Argument checks that name the argument.

Each takes its arguments by keyword, so that the message carries the name:
``positive(epsilon=-1)`` raises "epsilon must be positive, got -1".
"""

import sys
import warnings
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from fractions import Fraction
from functools import cache, partial, wraps
from inspect import signature
from numbers import Integral, Real
from typing import Annotated, Any, TypeVar, cast, get_type_hints

import numpy as np

from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument, likely

Number = int | float | Fraction


def _require(arguments: Mapping[str, Any], requirement: str, holds: Callable[[Any], bool]) -> None:
    for name, value in arguments.items():
        if not holds(value):
            raise InvalidArgument(name, value, requirement)


def _is_real(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def _is_finite(value: Any) -> bool:
    # A whole number may lie beyond what a float holds, and a fraction is compared with one at once.
    largest = int(sys.float_info.max) if type(value) is Fraction else sys.float_info.max
    return _is_real(value) and abs(value) <= largest


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
        return _is_real(value) and low <= value <= high

    _require(arguments, f"between {low} and {high}", holds)


def inside(low: Number, high: Number, /, **arguments: Number) -> None:
    """Raise unless every argument lies between the two, and is neither."""

    def holds(value: Any) -> bool:
        return _is_real(value) and low < value < high

    _require(arguments, f"above {low} and below {high}", holds)


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
    # Whether an array is equal to something has no one answer.
    _require(arguments, f"one of {listed}", lambda v: isinstance(v, Hashable) and v in choices)


def of_kind(kind: type, example: str, /, **arguments: object) -> None:
    """Raise unless every argument is of that kind."""
    _require(arguments, f"a {kind.__name__}, for example {example}", lambda v: isinstance(v, kind))


def instance(kind: type, example: str, /, **arguments: object) -> None:
    """Raise unless every argument is of that kind, or None, which stands for the default."""
    of_kind(kind, example, **{name: one for name, one in arguments.items() if one is not None})


def listed(**arguments: object) -> None:
    """Raise unless every argument is a list or an array: a text has letters, and a set no order."""
    others: tuple[type, ...] = (str, bytes, Mapping, Set)
    _require(arguments, "a list", lambda v: isinstance(v, Iterable) and not isinstance(v, others))


MOST_POINTS = 2**20


def rising(grid: Any) -> FloatArray:
    """A public grid as an array; raise unless it is finite and strictly increasing."""
    try:
        points = np.asarray(grid, dtype=np.float64)
    except (TypeError, ValueError):
        points = np.zeros(0)
    if points.ndim != 1 or not 2 <= points.size <= MOST_POINTS:
        raise InvalidArgument("grid", grid, f"a list of 2 to {MOST_POINTS} numbers")
    rises = np.isfinite(points)
    rises[1:] &= points[1:] > points[:-1]
    if not rises.all():
        place = int(np.argmin(rises))
        requirement = "finite and above the point before it"
        raise InvalidArgument(f"grid[{place}]", float(points[place]), requirement)
    return points


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
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in within:
        frame, level = frame.f_back, level + 1
    warnings.warn(words, UserWarning, stacklevel=level)


Taking = TypeVar("Taking", bound=Callable[..., Any])


def known_options(called: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Say of an option that nobody knows what Python says of one, by the name that was called."""
    for name in set(given).difference(known):
        what = f"{called}() got an unexpected keyword argument {name!r}"
        raise TypeError("; ".join(filter(None, (what, likely(name, known)))))


def passes_on(to: Callable[..., Any], /, *names: str) -> Callable[[Taking], Taking]:
    """Let a function take, besides what it names, these options of another, which it passes on.

    It takes no others, and tells them to who asks for its signature.
    """

    def passing(function: Taking) -> Taking:
        own, known = signature(function), signature(to).parameters
        *named, _ = own.parameters.values()
        told = own.replace(parameters=[*named, *(known[name] for name in names)])
        called = function.__qualname__.removesuffix(".__init__")

        @wraps(function)
        def checked(*given: Any, **options: Any) -> Any:
            known_options(called, options, told.parameters)
            return function(*given, **options)

        checked.__signature__ = told  # type: ignore[attr-defined]
        return cast(Taking, checked)

    return passing


Positive = Annotated[float, positive]
NonNegative = Annotated[float, nonnegative]
Share = Annotated[float, partial(in_range, 0, 1)]
Confidence = Annotated[float, partial(inside, 0, 1)]
Count = Annotated[int, whole(1)]


@cache
def _declared(kind: type) -> tuple[tuple[str, Callable[..., None]], ...]:
    hints = get_type_hints(kind, include_extras=True).items()
    return tuple((name, one) for name, hint in hints for one in getattr(hint, "__metadata__", ()))


def fields_of(made: object) -> None:
    """Raise unless every field is what its annotation says, as `Count` and `Share` do."""
    kind: type = type(made)
    for name, check in _declared(kind):
        check(**{name: getattr(made, name)})


class Checked:
    """A dataclass whose annotations say what its fields may be, as `Count` and `Share` do."""

    def __post_init__(self) -> None:
        fields_of(self)


@contextmanager
def called(renamed: Callable[[str], str]) -> Iterator[None]:
    """Name the argument of an error within as its caller knows it."""
    try:
        yield
    except InvalidArgument as error:
        raise InvalidArgument(renamed(error.name), error.value, error.requirement) from None
