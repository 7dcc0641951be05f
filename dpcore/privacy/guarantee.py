"""What a method promises: for which neighbours, and whether it keeps its word."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from dpcore.errors import InvalidArgument

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
