"""What can be chosen on the calibration page: no Streamlit in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpcore.errors import UnknownMethod
from dpcore.evaluation import calibration_methods
from dpcore.registry import Method
from pages.session import page_fields

PREFIX = "calibration_"
EDGES = ("quantile", "fixed")
FEWEST, MOST = 3, 20
DEFAULTS = {
    "calibration_epsilon": "1",
    "calibration_method": "observed-minus-expected",
    "calibration_groups": "10",
    "calibration_edges": "quantile",
    "calibration_sampling": "no",
    **page_fields.of_methods(calibration_methods(), PREFIX),
}
page_fields.register(DEFAULTS)


@dataclass(frozen=True)
class CalibrationChoice:
    """Checked choices of the page."""

    epsilon: Fraction
    method: Method
    parameters: Mapping[str, int | float | str]
    groups: int
    edges: str
    sampling: bool


def read(chosen: Mapping[str, str]) -> CalibrationChoice:
    """The choices of the page; raises `InvalidArgument` or `UnknownMethod`."""
    methods, name = calibration_methods(), chosen["calibration_method"]
    if name not in methods:
        raise UnknownMethod("calibration method", name, methods)
    return CalibrationChoice(
        epsilon=page_fields.epsilon(chosen, "calibration_epsilon"),
        method=methods[name],
        parameters=page_fields.parameters(methods[name], chosen, PREFIX),
        groups=page_fields.whole(chosen, "calibration_groups", FEWEST, MOST),
        edges=page_fields.one_of(EDGES, chosen, "calibration_edges"),
        sampling=page_fields.flag(chosen, "calibration_sampling"),
    )
