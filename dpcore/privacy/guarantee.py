"""Whether a method keeps the privacy promise that its authors made."""

from __future__ import annotations

from dataclasses import dataclass


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
        """``"PROVEN"`` or ``"BROKEN"``, the text of the badge."""
        return "PROVEN" if self.holds else "BROKEN"
