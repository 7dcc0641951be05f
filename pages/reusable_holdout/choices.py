"""What can be chosen on the Reusable holdout page: no Streamlit in here."""

from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property

from dpcore import Loss
from dpcore.curves.holdout.problem import HoldoutSettings
from dpcore.evaluation.running_counts.api import running_count_methods
from dpcore.registry import Method
from pages.session import page_fields
from pages.session.page_fields import choice

PREFIX = "reusable_holdout_"
LARGEST_TRAIN, LARGEST_VARIABLES, LARGEST_STEPS = 5000, 300, 100
_USUAL = HoldoutSettings()


@dataclass(frozen=True)
class HoldoutChoice:
    """Checked choices of the page; `step` is where the figures are read off."""

    data: str = choice("generated", page_fields.one_of)
    step: int = choice("25", page_fields.whole, 1, LARGEST_STEPS)
    # A typical draw: its gaps are close to the means over eighty seeds.
    seed: int = choice("24", page_fields.whole, 0, None)
    # One server draws for many visitors.
    train_rows: int = choice(_USUAL.train_rows, page_fields.whole, 20, LARGEST_TRAIN)
    test_rows: int = choice(_USUAL.test_rows, page_fields.whole, 20, LARGEST_TRAIN)
    fresh_rows: int = choice(_USUAL.fresh_rows, page_fields.whole, 20, 50_000)
    variables: int = choice(_USUAL.variables, page_fields.whole, 1, LARGEST_VARIABLES)
    signal: int = choice(_USUAL.signal, page_fields.whole, 0, LARGEST_VARIABLES)
    strength: float = choice(_USUAL.strength, page_fields.number)
    steps: int = choice(_USUAL.steps, page_fields.whole, 1, LARGEST_STEPS)
    threshold: float = choice(_USUAL.threshold, page_fields.number)
    sigma: float = choice(_USUAL.sigma, page_fields.number)
    budget: int = choice(_USUAL.budget, page_fields.whole, 1, 1_000_000)
    tolerance: float = choice(_USUAL.tolerance, page_fields.number)

    def __post_init__(self) -> None:
        # What cannot be together is refused with the choices.
        _ = self.settings

    @property
    def own(self) -> bool:
        """Whether the records are those that are open."""
        return self.data == "own"

    @cached_property
    def settings(self) -> HoldoutSettings:
        """The same as dpcore takes them."""
        told = {one.name: getattr(self, one.name) for one in fields(HoldoutSettings)}
        # Fewer variables than carry signal: then all of them do.
        return HoldoutSettings(**told | {"signal": min(self.signal, self.variables)})


DEFAULTS, read = page_fields.declared(HoldoutChoice, PREFIX)

# Of the running counts beneath.
COUNTS = f"{PREFIX}counts_"
MOST_COUNTS = 4096
DELTA = Fraction(1, 10**6)


@dataclass(frozen=True)
class CountsChoice:
    """Checked choices of the section on running counts."""

    epsilon: Fraction = choice("1", page_fields.epsilon, least=Fraction(1, 1000))
    method: Method = choice("laplace", page_fields.method, running_count_methods)
    steps: int = choice("256", page_fields.whole, 2, MOST_COUNTS)

    @property
    def loss(self) -> Loss:
        """What the counts cost together; only Gaussian noise has a delta."""
        return Loss(self.epsilon, DELTA if self.method.name == "gaussian" else 0)


COUNTS_DEFAULTS, read_counts = page_fields.declared(CountsChoice, COUNTS)
