"""Select a sequence of k by its largest regret."""

from __future__ import annotations

import numpy as np

from dpcore.mechanisms import JointTop
from dpcore.privacy import Guarantee, Loss
from dpcore.release import Gate
from dpcore.selection.problem import Selected, SelectionProblem, Selector

__all__ = ["METHOD", "joint"]


def joint(problem: SelectionProblem, *, loss: Loss, gate: Gate) -> Selected:
    """Draw a sequence of k by the exponential mechanism on minus its largest regret.

    Sensitivity
        Twice that of one score, for the relation; once if scores are monotone.
    Privacy
        epsilon-DP; one charge.

    References
    ----------
    J. Gillenwater, M. Joseph, A. Muñoz, M. Ribero Diaz (2022), A joint exponential mechanism for
    differentially private top-k, ICML. arXiv:2201.12333
    """
    mechanism = JointTop(epsilon=loss.epsilon, k=problem.k, **problem.facts)
    chosen = gate.release(mechanism, problem.scores, label=f"top {problem.k} features")
    return Selected(np.sort(chosen))


METHOD = Selector(
    name="joint",
    title="Joint exponential mechanism",
    summary="Draws all k at once; a sequence is as likely as its largest regret is small.",
    run=joint,
    guarantee=Guarantee.proven("Gillenwater et al. 2022, the joint exponential mechanism"),
    reference="Gillenwater, Joseph, Muñoz and Ribero Diaz 2022",
    rules=("top_k",),
)
