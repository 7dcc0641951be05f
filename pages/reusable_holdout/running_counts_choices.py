"""What can be chosen about the running counts: no Streamlit in here."""

from dataclasses import dataclass
from fractions import Fraction

from dpcore.evaluation.running_counts.api import running_count_methods
from dpcore.privacy import Loss
from dpcore.registry import Method
from pages.session import page_fields
from pages.session.page_fields import choice

PREFIX = "reusable_holdout_counts_"
MOST_STEPS = 4096
DELTA = Fraction(1, 10**6)


@dataclass(frozen=True)
class CountsChoice:
    """Checked choices of the section."""

    epsilon: Fraction = choice("1", page_fields.epsilon, least=Fraction(1, 1000))
    method: Method = choice("laplace", page_fields.method, running_count_methods)
    steps: int = choice("256", page_fields.whole, 2, MOST_STEPS)

    @property
    def loss(self) -> Loss:
        """What the counts cost together; only Gaussian noise has a delta."""
        return Loss(self.epsilon, DELTA if self.method.name == "gaussian" else 0)


DEFAULTS, read = page_fields.declared(CountsChoice, PREFIX)
