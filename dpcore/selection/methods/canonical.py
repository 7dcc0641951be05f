"""Select a set of k by its worst member and the best feature that it leaves out."""

from __future__ import annotations

from dpcore.mechanisms import CanonicalTop
from dpcore.privacy import Guarantee, Loss
from dpcore.registry import Parameter
from dpcore.release import Gate
from dpcore.selection.problem import Selected, SelectionProblem, Selector

__all__ = ["METHOD", "canonical"]


def canonical(problem: SelectionProblem, *, loss: Loss, gate: Gate, outside: float) -> Selected:
    """Draw a set of k in proportion to exp(epsilon ((1-g) its worst - g the best outside)).

    Sensitivity
        That of one score, for the relation; the rate doubles if scores are monotone.
    Privacy
        epsilon-DP; one charge.

    References
    ----------
    M. Shekelyan, G. Loukides (2022), Differentially private top-k selection via canonical Lipschitz
    mechanism. arXiv:2201.13376
    """
    mechanism = CanonicalTop(epsilon=loss.epsilon, k=problem.k, outside=outside, **problem.facts)
    return Selected(gate.release(mechanism, problem.scores, label=f"top {problem.k} features"))


METHOD = Selector(
    name="canonical",
    title="Canonical subset mechanism",
    summary="Draws a whole set by its worst member and the best feature that it leaves out.",
    run=canonical,
    guarantee=Guarantee.proven("McSherry and Talwar 2007, Theorem 6, on a utility of range 1"),
    reference="Shekelyan and Loukides 2022",
    parameters=(
        Parameter(
            name="outside",
            kind=float,
            default=0.5,
            minimum=0.0,
            maximum=1.0,
            label="Weight of the best outside",
            help="The worst feature inside has the rest of the weight.",
        ),
    ),
    rules=("top_k",),
)
