"""Select the top k, spending on those that the noise leaves recognisable."""

from __future__ import annotations

from dpcore.mechanisms import BestTop
from dpcore.privacy import Guarantee, Loss
from dpcore.release import Gate
from dpcore.selection.problem import Selected, SelectionProblem, Selector

__all__ = ["METHOD", "best"]


def best(problem: SelectionProblem, *, loss: Loss, gate: Gate) -> Selected:
    """Choose privately how many features stand out, pick those, and fill up at random.

    Sensitivity
        That of one score, for the relation; the noise doubles if scores are not monotone.
    Privacy
        epsilon-DP; one charge, of which 5 % choose the number.

    References
    ----------
    See `dpcore.mechanisms.BestTop` for the proof.
    """
    mechanism = BestTop(epsilon=loss.epsilon, k=problem.k, **problem.facts)
    return Selected(gate.release(mechanism, problem.scores, label=f"top {problem.k} features"))


METHOD = Selector(
    name="best",
    title="Best: as many as stand out",
    summary="Finds how many features stand out of the noise, picks those, and fills up at random.",
    run=best,
    guarantee=Guarantee.proven(
        "a utility that moves by one step chooses the number, one-shot picks compose (proof in "
        "BestTop)"
    ),
    reference="this project",
    rules=("top_k",),
)
