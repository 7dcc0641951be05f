"""What can be chosen on the ROC page beside the study: no Streamlit in here."""

from dataclasses import dataclass
from fractions import Fraction
from math import exp, log

from dpcore.evaluation import roc_methods
from dpcore.figures.roc_panels import MOST_METHODS
from dpcore.registry import Method, Parameter
from pages.session import page_fields
from pages.session.page_fields import choice

FEWEST_METHODS = 2
# Panels of the small multiples: six of epsilon alone, or three for each of a parameter's values.
EPSILONS = ("0.05", "0.1", "0.25", "0.5", "1", "2")
FEW_EPSILONS = ("0.1", "0.5", "2")
COLUMNS = 3


def known_parameters() -> list[str]:
    """Epsilon, and every parameter of a method."""
    found = {parameter.name for method in roc_methods().values() for parameter in method.parameters}
    return ["epsilon", *sorted(found)]


# The methods that are compared first.
USUAL = "quantile-bins,recursive-medians,fixed-space"


@dataclass(frozen=True)
class RocChoice:
    """Checked choices of the page; `macro` is the epsilon of the AUCs of all classes."""

    view: str = choice("curve", page_fields.one_of)
    methods: tuple[str, ...] = choice(
        USUAL, page_fields.several, roc_methods, most=MOST_METHODS, fewest=FEWEST_METHODS
    )
    across: str = choice("epsilon", page_fields.one_of, known_parameters)
    sampling: bool = choice("no", page_fields.flag)
    macro: Fraction = choice("1", page_fields.epsilon)


DEFAULTS, read = page_fields.declared(RocChoice, "roc_")


def across(choice: RocChoice, method: Method) -> Parameter | None:
    """The parameter that the rows of the small multiples differ in; None if the method lacks it."""
    return next((one for one in method.parameters if one.name == choice.across), None)


def spread(parameter: Parameter) -> tuple[int | float | str, ...]:
    """Three values of a parameter, from the lower to the upper part of its range.

    Examples
    --------
    >>> spread(Parameter(name="k", default=3, minimum=1, maximum=12))
    (4, 6, 9)
    """
    if parameter.kind is str:
        return parameter.choices[:COLUMNS]
    low, high = float(parameter.minimum), float(parameter.maximum)
    if parameter.log:
        values = [exp(log(low) + share * (log(high) - log(low))) for share in (1 / 3, 2 / 3, 1)]
    else:
        values = [low + share * (high - low) for share in (0.25, 0.5, 0.75)]
    rounded = (min(float(f"{value:.1g}"), high) for value in values)
    return tuple(dict.fromkeys(parameter.kind(value) for value in rounded))
