"""Select the top k at once: one noisy score each, no order released."""

from __future__ import annotations

from dpcore.mechanisms import OneShot
from dpcore.privacy import Guarantee, Loss
from dpcore.release import Gate
from dpcore.selection.problem import Selected, SelectionProblem, Selector

__all__ = ["METHOD", "one_shot"]


def one_shot(problem: SelectionProblem, *, loss: Loss, gate: Gate) -> Selected:
    """Add exponential noise of mean k / epsilon to every score and keep the set of the k largest.

    Sensitivity
        That of one score, for the relation; the noise doubles if scores are not monotone.
    Privacy
        epsilon-DP; one charge.

    References
    ----------
    See `dpcore.mechanisms.OneShot` for the proof.
    """
    mechanism = OneShot(epsilon=loss.epsilon, k=problem.k, **problem.facts)
    return Selected(gate.release(mechanism, problem.scores, label=f"top {problem.k} features"))


METHOD = Selector(
    name="one-shot",
    title="One-shot exponential noise",
    summary="Adds exponential noise to every score once and keeps the largest, without an order.",
    run=one_shot,
    guarantee=Guarantee.proven(
        "raising the chosen gains at most e^epsilon, raising the rest loses at most e^epsilon, and "
        "monotone scores do both (proof in OneShot)"
    ),
    reference="this project; for k = 1 Ding et al. 2021",
    rules=("top_k",),
)
