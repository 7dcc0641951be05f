"""How many answers a sparse vector method gives, from the rule of the problem."""

from __future__ import annotations

from dpcore.registry import Parameter
from dpcore.selection.problem import SelectionProblem

__all__ = ["CUTOFF", "cutoff_of"]

CUTOFF = Parameter(
    name="cutoff",
    kind=int,
    default=50,
    minimum=1,
    label="Cut-off c",
    help="The most features selected by a threshold; the noise grows with it. "
    "Not used when the number of features is given.",
)


def cutoff_of(problem: SelectionProblem, cutoff: int) -> int:
    """The number asked for, or the cut-off if the rule is a threshold."""
    return problem.k if problem.rule == "top_k" else cutoff
