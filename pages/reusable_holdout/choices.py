"""What can be chosen on the Reusable holdout page: no Streamlit in here."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction

from dpcore import Loss, _check
from dpcore.curves.holdout.problem import HoldoutSettings
from dpcore.evaluation.running_counts.api import running_count_methods
from dpcore.registry import Method
from pages.session import page_fields
from pages.session.page_fields import choice

PREFIX = "reusable_holdout_"
LARGEST_TRAIN, LARGEST_VARIABLES, LARGEST_STEPS = 5000, 300, 100
_BOUNDS = {
    "train_rows": (20, LARGEST_TRAIN),
    "test_rows": (20, LARGEST_TRAIN),
    "fresh_rows": (20, 50_000),
    "variables": (1, LARGEST_VARIABLES),
    "signal": (0, LARGEST_VARIABLES),
    "steps": (1, LARGEST_STEPS),
}
_SETTINGS = {one.name: one.default for one in fields(HoldoutSettings)}
DEFAULTS = {
    f"{PREFIX}data": "generated",
    f"{PREFIX}step": "25",
    **{PREFIX + name: str(default) for name, default in _SETTINGS.items()},
    # A typical draw: its gaps are close to the means over eighty seeds.
    f"{PREFIX}seed": "24",
}
page_fields.register(DEFAULTS)


@dataclass(frozen=True)
class HoldoutChoice:
    """Checked choices of the page; `step` is where the figures are read off."""

    own: bool
    step: int
    settings: HoldoutSettings


def read(chosen: Mapping[str, str]) -> HoldoutChoice:
    """The choices of the page; raises `InvalidArgument`."""
    told = {
        name: page_fields.typed(type(default), chosen[PREFIX + name], PREFIX + name)
        for name, default in _SETTINGS.items()
    }
    # One server draws for many visitors.
    for name, (low, high) in _BOUNDS.items():
        _check.integer_in_range(low, high, **{PREFIX + name: told[name]})
    # Fewer variables than carry signal: then all of them do.
    told["signal"] = min(told["signal"], told["variables"])
    settings = HoldoutSettings(**told)
    own = page_fields.one_of(chosen, f"{PREFIX}data")
    step = page_fields.whole(chosen, f"{PREFIX}step", 1, LARGEST_STEPS)
    return HoldoutChoice(own == "own", step, settings)


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
