"""What can be chosen on the calibration page: no Streamlit in here."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpcore.evaluation import calibration_methods
from dpcore.registry import Method
from pages.session import page_fields
from pages.session.page_fields import choice

PREFIX = "calibration_"
FEWEST, MOST = 3, 20


@dataclass(frozen=True)
class CalibrationChoice:
    """Checked choices of the page."""

    epsilon: Fraction = choice("1", page_fields.epsilon)
    method: Method = choice("observed-minus-expected", page_fields.method, calibration_methods)
    groups: int = choice("10", page_fields.whole, FEWEST, MOST)
    edges: str = choice("quantile", page_fields.one_of)
    sampling: bool = choice("no", page_fields.flag)
    parameters: Mapping[str, int | float | str] = page_fields.parameters_of(calibration_methods)


DEFAULTS, read = page_fields.declared(CalibrationChoice, PREFIX)
