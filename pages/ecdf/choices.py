"""What can be chosen on the ECDF page: no Streamlit in here."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpcore.evaluation.ecdf import ecdf_methods
from dpcore.registry import Method
from pages.session import page_fields
from pages.session.page_fields import Chosen, choice

PREFIX = "ecdf_"
FEWEST, MOST = 4, 2**14


def smoothing(chosen: Chosen, name: str) -> str | None:
    """How a curve is made smooth; None if it is not."""
    found = page_fields.one_of(chosen, name)
    return None if found == "none" else found


@dataclass(frozen=True)
class EcdfChoice:
    """Checked choices of the page; `smoothing` is None for no smoothing."""

    epsilon: Fraction = choice("1", page_fields.epsilon)
    method: Method = choice("hierarchical", page_fields.method, ecdf_methods)
    points: int = choice("256", page_fields.whole, FEWEST, MOST)
    grid: str = choice("uniform", page_fields.one_of)
    smoothing: str | None = choice("isotonic", smoothing)
    q: float = choice("0.5", page_fields.number, 0.01, 0.99)
    sampling: bool = choice("no", page_fields.flag)
    parameters: Mapping[str, int | float | str] = page_fields.parameters_of(ecdf_methods)

    @property
    def logarithmic(self) -> bool:
        """Whether the points of the grid have equal ratios."""
        return self.grid == "logarithmic"


DEFAULTS, read = page_fields.declared(EcdfChoice, PREFIX)
