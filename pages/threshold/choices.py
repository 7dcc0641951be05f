"""What can be chosen on the threshold page beside the study: no Streamlit in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpcore import _check
from dpcore.figures.operating import AXES
from dpcore.privacy import exact
from pages.session import page_fields

DEFAULTS = {"threshold_at": "0.2", "threshold_curve": "precision_recall", "threshold_cost": "5"}
page_fields.register(DEFAULTS)
# What a missed positive costs, in false alarms.
COSTS = tuple(Fraction(one) for one in ("1/20", "1/10", "1/5", "1/2", 1, 2, 5, 10, 20, 50, 100))
STOPS = tuple(Fraction(percent, 100) for percent in range(1, 100))


@dataclass(frozen=True)
class ThresholdChoice:
    """Checked choices of the page."""

    at: Fraction
    curve: str
    cost: Fraction


def read(chosen: Mapping[str, str]) -> ThresholdChoice:
    """The choices of the page; raises `InvalidArgument`."""
    at = exact(chosen["threshold_at"], name="threshold_at")
    _check.in_range(0, 1, threshold_at=at)
    cost = exact(chosen["threshold_cost"], name="threshold_cost")
    _check.one_of(COSTS, threshold_cost=cost)
    return ThresholdChoice(at, page_fields.one_of(AXES, chosen, "threshold_curve"), cost)
