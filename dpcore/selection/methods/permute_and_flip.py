"""Select the top k one after the other, each by permute-and-flip."""

from __future__ import annotations

import numpy as np

from dpcore.mechanisms import PermuteAndFlip
from dpcore.privacy import Guarantee, Loss
from dpcore.release import Gate
from dpcore.selection.problem import Selected, SelectionProblem, Selector

__all__ = ["METHOD", "permute_and_flip"]


def permute_and_flip(problem: SelectionProblem, *, loss: Loss, gate: Gate) -> Selected:
    """Draw k features without replacement, each by permute-and-flip.

    Sensitivity
        That of one score, for the relation; the rate doubles if scores are monotone.
    Privacy
        k choices of epsilon / k each; one charge of epsilon.

    References
    ----------
    R. McKenna, D. Sheldon (2020), Permute-and-flip: a new mechanism for differentially private
    selection, NeurIPS 33. arXiv:2010.12603
    """
    mechanism = PermuteAndFlip(epsilon=loss.epsilon, k=problem.k, **problem.facts)
    chosen = gate.release(mechanism, problem.scores, label=f"top {problem.k} features")
    return Selected(np.sort(chosen))


METHOD = Selector(
    name="permute-and-flip",
    title="Permute-and-flip, k times",
    summary="Takes one feature after the other: the first in random order whose coin says yes.",
    run=permute_and_flip,
    guarantee=Guarantee.proven("McKenna and Sheldon 2020, permute-and-flip, composed k times"),
    reference="McKenna and Sheldon 2020, Algorithm 1",
    rules=("top_k",),
)
