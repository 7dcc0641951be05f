"""Every exception that dpcore raises on purpose.

::

    DpcoreError
    ├── InvalidArgument (ValueError)      an argument is outside its range
    ├── UnknownMethod (ValueError)        no method of that name is registered
    ├── MissingResource                   a file or a network is not there
    ├── FederationError                   a message between parties is late, damaged or out of turn
    ├── DataError (ValueError)            the data cannot be used as they are
    │   ├── IntakeError                   a file cannot be read
    │   └── SchemaError                   a schema is wrong, or data do not fit it
    └── PrivacyError                      going on would break a privacy promise
        ├── BudgetExceeded                the ledger cannot afford the release
        ├── HoldoutExhausted              a holdout has given all the answers it may
        ├── NotPrivate                    a BROKEN method met real noise
        ├── NeighborsMismatch             mechanism and ledger disagree on neighbours
        ├── UnsupportedNeighbors          a method has no proof for this relation
        ├── MovablePart                   under replace, a record could leave the part
        ├── PrivateInference              a public fact would be taken from private data
        ├── TooFewParties                 a federation is too small to hide its members
        ├── ReleaseVoid                   a release was interrupted after its charge
        └── LedgerDamaged                 the durable ledger is not as it was written

Each carries its facts as attributes, and its message is one sentence: what, where, what to do.
"""

import difflib
from collections.abc import Iterable, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Protocol

__all__ = ["BudgetExceeded", "DataError", "DpcoreError", "FederationError", "HoldoutExhausted"]
__all__ += ["IntakeError", "InvalidArgument", "LedgerDamaged", "MissingResource", "MovablePart"]
__all__ += ["NeighborsMismatch", "NotPrivate", "PrivacyError", "PrivateInference", "ReleaseVoid"]
__all__ += ["SchemaError", "TooFewParties", "UnknownMethod", "UnsupportedNeighbors"]


# A message shows no value that takes more signs.
_MOST_SHOWN = 200


class AnyLoss(Protocol):
    """What a message says of a loss; `dpcore.privacy.Loss` lies above this module."""

    @property
    def epsilon(self) -> Fraction:
        """Its epsilon."""

    @property
    def delta(self) -> Fraction:
        """Its delta."""


def left_of(remaining: AnyLoss, *, scant: bool = False) -> str:
    """What is left of a budget: nothing, rather than "epsilon 0"; `scant` if that is too little."""
    if not remaining.epsilon and not remaining.delta:
        return "nothing"
    return f"only {remaining}" if scant else str(remaining)


def decimal(value: Fraction, digits: int, *, up: bool = False) -> str:
    """An exact number of at least zero in so many digits, rounded to the side on which it holds.

    Examples
    --------
    >>> decimal(Fraction(2, 3), 2), decimal(Fraction(2, 3), 2, up=True)
    ('0.66', '0.67')
    """
    rounding = Context(digits, ROUND_CEILING if up else ROUND_FLOOR)
    nearest = rounding.divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{float(nearest):.{digits}g}"


def likely(name: str, known: Iterable[str]) -> str:
    """Ask for the known name that is nearest; nothing if none is near."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {near[0]!r}?" if near else ""


class DpcoreError(Exception):
    """Base of every error that dpcore raises on purpose."""


class InvalidArgument(DpcoreError, ValueError):
    """An argument is outside its range."""

    def __init__(self, name: str, value: object, requirement: str) -> None:
        self.name, self.value, self.requirement = name, value, requirement
        # An exact number as people write it: 0.1, not Fraction(1, 10). Not each is one of a float.
        written = isinstance(value, Fraction) and abs(value) < 2**1023
        given = f"{float(value):.12g}" if written else repr(value)  # type: ignore[arg-type]
        # Of an array or a list, which may be as long as there are records, its kind.
        long = getattr(value, "shape", ()) or len(given) > _MOST_SHOWN
        given = type(value).__name__ if long else given
        super().__init__(f"{name} must be {requirement}, got {given}")


class UnknownMethod(DpcoreError, ValueError):
    """No method of that name is registered."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind, self.name, self.known = kind, name, tuple(known)
        hint = likely(str(name), self.known) or f"choose one of {', '.join(self.known)}"
        super().__init__(f"there is no {kind} named {name!r}; {hint}")


class MissingResource(DpcoreError):
    """A file or a network that a call needs is not there."""

    def __init__(self, what: str, remedy: str) -> None:
        self.what, self.remedy = what, remedy
        super().__init__(f"{what}; {remedy}")


class FederationError(DpcoreError):
    """A message between the parties of a federation is missing, late, damaged or out of turn."""

    def __init__(self, problem: str, remedy: str) -> None:
        self.problem, self.remedy = problem, remedy
        super().__init__(f"{problem}; {remedy}")


class DataError(DpcoreError, ValueError):
    """The data cannot be used as they are."""

    def __init__(
        self, problem: str, *, row: int | None = None, column: str | None = None, remedy: str
    ) -> None:
        self.problem, self.row, self.column, self.remedy = problem, row, column, remedy
        where = [f"row {row}"] if row is not None else []
        where += [f"column {column!r}"] if column is not None else []
        place = f"{', '.join(where)}: " if where else ""
        super().__init__(f"{place}{problem}; {remedy}")


class IntakeError(DataError):
    """A file cannot be read as a table or as predictions.

    `found` is what had been found out of it by then, so that somebody who sees it can say it
    otherwise: its `dialect`, its `sheets`, the `names` of its columns, and their `roles`.
    """

    found: Mapping[str, Any] = MappingProxyType({})

    def tell(self, **found: object) -> None:
        """Say this too of the file."""
        self.found = {**self.found, **found}


class SchemaError(DataError):
    """A schema is wrong, or data do not fit it."""


class PrivacyError(DpcoreError):
    """Going on would break a privacy promise."""


class BudgetExceeded(PrivacyError):
    """The ledger cannot afford the release."""

    def __init__(
        self,
        requested: AnyLoss,
        remaining: AnyLoss,
        *,
        largest: Fraction | None = None,
        what: str = "release",
    ) -> None:
        self.requested, self.remaining, self.largest = requested, remaining, largest
        # `remaining` is what a release from all records may cost; a disjoint part may afford more.
        remedy = "ask for less or raise the budget"
        if largest is not None:
            fits = f"the largest epsilon that fits is {decimal(largest, 12)}"
            remedy = fits if largest else "no smaller epsilon fits"
        left = left_of(remaining, scant=True)
        super().__init__(f"this {what} needs {requested}, but {left} is left; {remedy}")


class HoldoutExhausted(PrivacyError):
    """A reusable holdout has corrected as many overfit answers as its budget allows."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        what = f"the holdout has given all {budget} answers of its budget that cost something"
        super().__init__(f"{what}; stop here, or open a new one with fresh holdout records")


class NotPrivate(PrivacyError):
    """A method without a valid privacy proof was asked to release real data."""

    def __init__(self, method: str, reason: str) -> None:
        self.method, self.reason = method, reason
        what = f"{method!r} is not private ({reason}); it runs with simulated noise only"
        super().__init__(f"{what}, so pass noise=SeededNoise(seed) or choose a proven method")


class NeighborsMismatch(PrivacyError):
    """A mechanism is calibrated for another neighbour relation than the ledger counts in."""

    def __init__(self, asked: StrEnum, ledger: StrEnum) -> None:
        self.asked, self.ledger = asked, ledger
        what = f"the release is calibrated for {asked.value} neighbours"
        counts = f"but the ledger counts in {ledger.value}; use the same relation in both"
        super().__init__(f"{what} {counts}")


class UnsupportedNeighbors(PrivacyError):
    """A method has no proof for this neighbour relation."""

    def __init__(self, method: str, neighbors: StrEnum) -> None:
        self.method, self.neighbors = method, neighbors
        what = f"{method!r} has no proof for {neighbors.value} neighbours"
        super().__init__(f"{what}; choose the other relation or another method")


class MovablePart(PrivacyError):
    """Under replace neighbours, a record could leave the part of the data that a release reads."""

    def __init__(self, part: str) -> None:
        self.part = part
        what = f"under replace neighbours a record can leave {part!r}, which no replace calibration"
        remedy = "release from a fixed part or from all records, or use add-remove neighbours"
        super().__init__(f"{what} covers; {remedy}")


class PrivateInference(PrivacyError):
    """A fact that must be public would be taken from private data."""

    def __init__(self, what: str, remedy: str) -> None:
        self.what, self.remedy = what, remedy
        super().__init__(f"{what} would be taken from the private data; {remedy}")


class TooFewParties(PrivacyError):
    """A federation has fewer parties left than its threshold: going on would uncover them."""

    def __init__(self, present: int, threshold: int) -> None:
        self.present, self.threshold = present, threshold
        what = f"{present} parties are left and the threshold is {threshold}; nothing is added up"
        super().__init__(f"{what}: wait until enough parties are there, and begin again")


class ReleaseVoid(PrivacyError):
    """A release was interrupted between its charge and its result."""

    def __init__(self, request_id: str, reason: str) -> None:
        self.request_id, self.reason = request_id, reason
        what = f"the release {request_id[:12]} is void ({reason}): nothing of it was published and"
        remedy = "its charge stays spent; release again to draw afresh for a new charge"
        super().__init__(f"{what} {remedy}")


class LedgerDamaged(PrivacyError):
    """The durable ledger, or a copy that is to take its place, is not what this program wrote."""

    def __init__(self, problem: str, *, copy: str = "", remedy: str = "give another copy") -> None:
        self.problem, self.copy = problem, copy
        what = f"the copy {copy} cannot take the place of the ledger: {problem}; {remedy}"
        if not copy:
            what = f"the ledger cannot be trusted: {problem}; spend nothing, nothing is released,"
            what += " and restore it from a backup: python -m dpcore ledger restore BACKUP"
        super().__init__(what)
