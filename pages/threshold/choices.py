"""What can be chosen on the threshold page beside the study: no Streamlit in here."""

from dataclasses import dataclass
from fractions import Fraction

from dpcore import _check
from dpcore.privacy import exact
from pages.session import page_fields
from pages.session.page_fields import Chosen, choice

# What a missed positive costs, in false alarms.
COSTS = tuple(Fraction(one) for one in ("1/20", "1/10", "1/5", "1/2", 1, 2, 5, 10, 20, 50, 100))
STOPS = tuple(Fraction(percent, 100) for percent in range(1, 100))


def share(chosen: Chosen, name: str) -> Fraction:
    """A number from 0 to 1, exactly."""
    found = exact(chosen[name], name=name)
    _check.in_range(0, 1, **{name: found})
    return found


def cost(chosen: Chosen, name: str) -> Fraction:
    """One of the costs, exactly."""
    found = exact(chosen[name], name=name)
    _check.one_of(COSTS, **{name: found})
    return found


@dataclass(frozen=True)
class ThresholdChoice:
    """Checked choices of the page."""

    at: Fraction = choice("0.2", share)
    curve: str = choice("precision_recall", page_fields.one_of)
    cost: Fraction = choice("5", cost)


DEFAULTS, read = page_fields.declared(ThresholdChoice, "threshold_")
