"""What can be chosen about the running counts: no Streamlit in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpcore.evaluation.running_counts.api import running_count_methods
from dpcore.privacy import Loss
from dpcore.registry import Method
from pages.session import page_fields

PREFIX = "reusable_holdout_counts_"
MOST_STEPS = 4096
DELTA = Fraction(1, 10**6)
DEFAULTS = {
    f"{PREFIX}epsilon": "1",
    f"{PREFIX}method": "laplace",
    f"{PREFIX}steps": "256",
}
page_fields.register(DEFAULTS)


@dataclass(frozen=True)
class CountsChoice:
    """Checked choices of the section."""

    epsilon: Fraction
    method: Method
    steps: int

    @property
    def loss(self) -> Loss:
        """What the counts cost together; only Gaussian noise has a delta."""
        return Loss(self.epsilon, DELTA if self.method.name == "gaussian" else 0)


def read(chosen: Mapping[str, str]) -> CountsChoice:
    """The choices of the section; raises `InvalidArgument` or `UnknownMethod`."""
    epsilon = page_fields.epsilon(chosen, f"{PREFIX}epsilon", least=Fraction(1, 1000))
    method = running_count_methods.get(chosen[f"{PREFIX}method"])
    steps = page_fields.whole(chosen, f"{PREFIX}steps", 2, MOST_STEPS)
    return CountsChoice(epsilon, method, steps)
