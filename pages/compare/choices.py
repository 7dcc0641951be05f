"""What can be chosen on the compare page: no Streamlit in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpcore import _check
from dpcore.privacy import exact
from pages.session import page_fields
from pages.session.study_fields import LARGEST_EPSILON

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
    epsilon = exact(chosen["compare_epsilon"], name="compare_epsilon")
    _check.positive(compare_epsilon=epsilon)
    _check.in_range(0, LARGEST_EPSILON, compare_epsilon=epsilon)
    a, b = (page_fields.whole(chosen[name], name, 1, MOST) for name in ("compare_a", "compare_b"))
    return CompareChoice(epsilon, a, b)
