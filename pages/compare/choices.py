"""What can be chosen on the compare page: no Streamlit in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pages.session import page_fields

MOST = 1_000
# The models are told by the places of their columns: a link names nothing of a file.
DEFAULTS = {"compare_epsilon": "1", "compare_a": "1", "compare_b": "2"}
page_fields.register(DEFAULTS)


@dataclass(frozen=True)
class CompareChoice:
    """Checked choices of the page; `a` and `b` are places among the score columns, from 1."""

    epsilon: Fraction
    a: int
    b: int

    def among(self, columns: int) -> tuple[int, int]:
        """Two different columns of so many: those chosen, or their nearest."""
        a, b = min(self.a, columns), min(self.b, columns)
        return (a, b) if a != b else (a, 2 if a == 1 else 1)


def read(chosen: Mapping[str, str]) -> CompareChoice:
    """The choices of the page; raises `InvalidArgument`."""
    a, b = (page_fields.whole(chosen, name, 1, MOST) for name in ("compare_a", "compare_b"))
    return CompareChoice(page_fields.epsilon(chosen, "compare_epsilon"), a, b)
