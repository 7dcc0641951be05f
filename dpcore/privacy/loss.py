"""Privacy loss in exact arithmetic, disjoint parts of the data, and what a method promises."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from numbers import Integral, Rational
from typing import TypeVar
from urllib.parse import unquote

import numpy as np

from dpcore import _check
from dpcore.errors import InvalidArgument, decimal

T = TypeVar("T")


class Neighbors(StrEnum):
    """Which pairs of data sets a release must make hard to tell apart.

    ``ADD_REMOVE``
        One data set has one record more (unbounded). The number of records is private.
    ``REPLACE``
        One record differs (bounded). The number of records is public.

    Numbers under one relation are never compared with numbers under the other: a loss of epsilon
    under add-remove is one of at most 2 epsilon under replace, and the other way round it says
    nothing.

    Examples
    --------
    >>> Neighbors.of("replace").pick(add_remove=1, replace=2)
    2
    """

    ADD_REMOVE = "add-remove"
    REPLACE = "replace"

    @classmethod
    def of(cls, value: str | Neighbors) -> Neighbors:
        """Return the relation named by a string, or raise `InvalidArgument`."""
        try:
            return cls(value)
        except ValueError:
            choices = " or ".join(repr(member.value) for member in cls)
            raise InvalidArgument("neighbors", value, choices) from None

    def pick(self, *, add_remove: T, replace: T) -> T:
        """Choose between two calibrations, so that every call site states both."""
        return add_remove if self is Neighbors.ADD_REMOVE else replace

    @property
    def steps(self) -> int:
        """How many added or removed records a change is: replacing one is removing and adding."""
        return self.pick(add_remove=1, replace=2)

    @property
    def words(self) -> str:
        """The relation in words, for a reader who has not met the names."""
        return self.pick(
            add_remove="one person's record added or removed",
            replace="one person's record replaced",
        )


@dataclass(frozen=True)
class Guarantee:
    """The verdict on a method: PROVEN with its theorem, or BROKEN with its counterexample.

    Examples
    --------
    >>> Guarantee.proven("Dwork et al. 2006, Proposition 1").word
    'PROVEN'
    """

    holds: bool
    reason: str

    @classmethod
    def proven(cls, theorem: str) -> Guarantee:
        """The method satisfies its declared loss, by this theorem."""
        return cls(True, theorem)

    @classmethod
    def broken(cls, counterexample: str) -> Guarantee:
        """The method does not satisfy its claimed loss, as this counterexample shows."""
        return cls(False, counterexample)

    @property
    def word(self) -> str:
        """``"PROVEN"`` or ``"BROKEN"``, as commands and reports say it."""
        return "PROVEN" if self.holds else "BROKEN"

    @property
    def badge(self) -> str:
        """The same for readers of a page; it speaks of privacy, and not of quality."""
        return "privacy proven" if self.holds else "not private"

    @property
    def adjective(self) -> str:
        """What a release may be called: nothing that a broken method draws is private."""
        return "private" if self.holds else "noisy"


@dataclass(frozen=True)
class Part:
    """One member of a partition of the records, such as the test share of a train/test split.

    Parameters
    ----------
    partition : str
        Name of the partition, for example ``"split"``. Members of one partition are disjoint, and
        the name is all that says so: a second split of the same records, by other coins, overlaps
        the first and needs a name of its own.
    member : str
        Which member, for example ``"test"``.
    within : Part, optional
        The part that this partition divides; None if it divides all the records.
    fixed_under_replacement : bool, default False
        Whether a record stays in its part when its values change. True for a split by a coin per
        position; False for a partition by a value, such as the class.

    Raises
    ------
    InvalidArgument
        If a name is no text, such as the number of a fold, or `within` is no part.

    Examples
    --------
    >>> test = Part("split", "test", fixed_under_replacement=True)
    >>> str(Part("class", "1", within=test))
    'split=test/class=1'
    """

    partition: str
    member: str
    within: Part | None = None
    fixed_under_replacement: bool = False

    def __post_init__(self) -> None:
        _check.of_kind(str, "'test'", partition=self.partition, member=self.member)
        _check.instance(Part, "Part('split', 'test')", within=self.within)

    @property
    def movable(self) -> bool:
        """Whether a record can leave this part, or one around it, when its values change."""
        return not all(part.fixed_under_replacement for part in self.path)

    @property
    def path(self) -> tuple[Part, ...]:
        """The parts from the outermost to this one."""
        return (*(self.within.path if self.within else ()), self)

    def __str__(self) -> str:
        """Show the path from the outermost part inward; `read_part` reads it again."""
        return "/".join(
            f"{escaped(part.partition, '%/=')}={escaped(part.member, '%/')}" for part in self.path
        )


def read_part(text: str) -> Part | None:
    """The parts whose names `str` wrote, not whether records stay in them; None of an empty text.

    Examples
    --------
    >>> read_part(str(Part("left/right", "n/a"))) == Part("left/right", "n/a")
    True
    """
    part: Part | None = None
    for step in text.split("/") if text else ():
        partition, _, member = step.partition("=")
        part = Part(unquote(partition), unquote(member), within=part)
    return part


def escaped(name: str, marks: str) -> str:
    """A name in which no mark stands as it is."""
    # Names that held a mark of the path would be read as other parts, which compose otherwise.
    return "".join(f"%{ord(one):02X}" if one in marks else one for one in name)


Number = int | float | str | Fraction

# Far beyond any budget, and still numbers that a page can show and a ledger can add up.
_SMALLEST, _LARGEST = Fraction(1, 10**324), Fraction(10**100)

_ORDINARY = 10**99

_IN_RANGE = "zero, or from 1e-324 to 1e100 in size"

_LONGEST = 1000

_EXPONENT = re.compile(r"[eE][+-]?([0-9_]+)\s*\Z")
# How an exact number is stored, whose digits may be more; beyond 4,300 Python reads none.
_RATIO = re.compile("[0-9]+/[0-9]+")


def exact(value: Number, *, name: str = "epsilon") -> Fraction:
    """Read a number as its writer meant it: a float by its shortest decimal, so 0.1 is 1/10.

    Raises
    ------
    InvalidArgument
        If the value is not a finite number (a truth value is none), is written in more than 1,000
        characters and no ratio of whole numbers, or lies beyond 1e100 or between 1e-324 and zero.

    Examples
    --------
    >>> exact(0.1), exact("1/3")
    (Fraction(1, 10), Fraction(1, 3))
    """
    # What arithmetic hands over is exact already, and so ordinary that its size needs no fractions.
    if type(value) is Fraction and max(abs(value.numerator), value.denominator) < _ORDINARY:
        return value
    if type(value) is int and abs(value) < _ORDINARY:
        return Fraction(value)
    if isinstance(value, bool | np.bool_):
        raise InvalidArgument(name, value, "a finite number")
    if isinstance(value, np.floating | Decimal) and not isinstance(value, float):
        # As it is written in its own precision.
        value = str(value)
    if isinstance(value, str):
        _require_short(value, name)
    try:
        # NumPy's whole numbers are ratios too, of a width that exact arithmetic would overflow.
        value = int(value) if isinstance(value, Integral) else value  # type: ignore[redundant-expr]
        found = Fraction(value if isinstance(value, Rational | str) else repr(float(value)))
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        raise InvalidArgument(name, value, "a finite number, such as 0.5 or 1/3") from None
    if found and not _SMALLEST <= abs(found) <= _LARGEST:
        # Whole numbers may have more digits than Python writes out.
        given = value if isinstance(value, str | float) else "another one"
        raise InvalidArgument(name, given, _IN_RANGE)
    return found


def _require_short(text: str, name: str) -> None:
    """Refuse a text before it takes long to read."""
    if len(text) > _LONGEST and not _RATIO.fullmatch(text):
        raise InvalidArgument(name, f"{text[:20]}...", f"at most {_LONGEST:,} characters long")
    exponent = _EXPONENT.search(text)
    if exponent and len(exponent[1].lstrip("0_")) > 3:
        raise InvalidArgument(name, text, _IN_RANGE)


# 2/3 is read at once, and is what was meant; a seventeenth is not.
_LARGEST_DENOMINATOR = 12


def shown(value: Fraction) -> str:
    """Write an exact number the short way: a decimal or a small fraction, else six digits."""
    decimal = f"{float(value):.12g}"
    if Fraction(decimal) == value:
        return decimal
    return str(value) if value.denominator <= _LARGEST_DENOMINATOR else f"{float(value):.6g}"


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
        if self.epsilon.numerator < 0:
            raise InvalidArgument("epsilon", epsilon, "zero or positive")
        if not 0 <= self.delta.numerator <= self.delta.denominator:
            raise InvalidArgument("delta", delta, "between 0 and 1")

    @classmethod
    def positive(cls, epsilon: Number, delta: Number = 0, *, least: Fraction | int = 0) -> Loss:
        """A loss that something can be released for, or `InvalidArgument` that names epsilon."""
        if exact(epsilon) <= 0:
            raise InvalidArgument("epsilon", epsilon, "positive")
        if exact(epsilon) < least:
            enough = decimal(Fraction(least), 3, up=True)
            wanted = f"at least {enough}, for less the noise is too wide to draw"
            raise InvalidArgument("epsilon", epsilon, wanted)
        return cls(epsilon, delta)

    def __repr__(self) -> str:
        """Show as `Loss('1/3')`, which makes it anew."""
        return f"Loss({str(self.epsilon)!r}{f', {str(self.delta)!r}' if self.delta else ''})"

    def __add__(self, other: Loss) -> Loss:
        """Basic sequential composition: epsilons and deltas add."""
        if not isinstance(other, Loss):
            return NotImplemented
        return Loss(self.epsilon + other.epsilon, min(self.delta + other.delta, Fraction(1)))

    def __mul__(self, factor: int | Fraction) -> Loss:
        """The loss of `factor` releases of this loss (group privacy is not meant)."""
        return Loss(self.epsilon * factor, min(self.delta * factor, Fraction(1)))

    __rmul__ = __mul__

    def __truediv__(self, parts: int | Fraction) -> Loss:
        """One of `parts` equal shares."""
        return Loss(self.epsilon / parts, self.delta / parts)

    def minus(self, other: Loss) -> Loss:
        """What is left after `other`: zero if that is less than can be written."""
        left = self.epsilon - other.epsilon, self.delta - other.delta
        return Loss(*(one if one >= _SMALLEST else Fraction(0) for one in left))

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

    @property
    def short(self) -> str:
        """Show as "0.1" or "0.1, delta 1e-06", where a heading says epsilon already."""
        delta = f", delta {shown(self.delta)}" if self.delta else ""
        return f"{shown(self.epsilon)}{delta}"

    def __str__(self) -> str:
        """Show as "epsilon 0.1" or "epsilon 0.1, delta 1e-06"."""
        return f"epsilon {self.short}"
