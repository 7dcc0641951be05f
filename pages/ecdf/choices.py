"""What can be chosen on the ECDF page: no Streamlit in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpcore.evaluation.ecdf import ecdf_methods
from dpcore.registry import Method
from pages.session import page_fields

PREFIX = "ecdf_"
GRIDS = ("uniform", "logarithmic")
SMOOTHINGS = ("none", "isotonic", "p1", "p2")
FEWEST, MOST = 4, 2**14
DEFAULTS = {
    "ecdf_epsilon": "1",
    "ecdf_method": "hierarchical",
    "ecdf_points": "256",
    "ecdf_grid": "uniform",
    "ecdf_smoothing": "isotonic",
    "ecdf_q": "0.5",
    "ecdf_sampling": "no",
    **page_fields.of_methods(ecdf_methods(), PREFIX),
}
page_fields.register(DEFAULTS)


@dataclass(frozen=True)
class EcdfChoice:
    """Checked choices of the page; `smoothing` is None for no smoothing."""

    epsilon: Fraction
    method: Method
    parameters: Mapping[str, int | float | str]
    points: int
    logarithmic: bool
    smoothing: str | None
    q: float
    sampling: bool


def read(chosen: Mapping[str, str]) -> EcdfChoice:
    """The choices of the page; raises `InvalidArgument` or `UnknownMethod`."""
    method = ecdf_methods.get(chosen["ecdf_method"])
    smoothing = page_fields.one_of(SMOOTHINGS, chosen, "ecdf_smoothing")
    return EcdfChoice(
        epsilon=page_fields.epsilon(chosen, "ecdf_epsilon"),
        method=method,
        parameters=page_fields.parameters(method, chosen, PREFIX),
        points=page_fields.whole(chosen, "ecdf_points", FEWEST, MOST),
        logarithmic=page_fields.one_of(GRIDS, chosen, "ecdf_grid") == "logarithmic",
        smoothing=None if smoothing == "none" else smoothing,
        q=page_fields.number(chosen, "ecdf_q", 0.01, 0.99),
        sampling=page_fields.flag(chosen, "ecdf_sampling"),
    )
