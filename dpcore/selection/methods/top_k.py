"""Select the top k, one method for each mechanism that chooses k of many scored candidates.

Sensitivity
    That of one score, for the relation. Best and one-shot double their noise if scores are not
    monotone; canonical, peeling and permute-and-flip double their rate if they are; the regret of
    joint moves by twice that of one score, by once if scores are monotone.
Privacy
    epsilon-DP; one charge of epsilon. Of it 5 % choose the number in best, and peeling and
    permute-and-flip make k choices of epsilon / k each. Proofs stand with the mechanisms.
"""

from typing import Any

import numpy as np

from dpcore import mechanisms
from dpcore.mechanisms.top_k import TopChoice
from dpcore.privacy import Guarantee, Loss
from dpcore.registry import Parameter
from dpcore.release import Gate
from dpcore.selection.problem import Selected, SelectionProblem, Selector


def _declared(chooses: type[TopChoice], *, proof: str = "", **words: Any) -> Selector:
    """A mechanism as a selector; no order is given back."""
    guarantee = Guarantee.proven(proof) if proof else chooses.guarantee

    def run(problem: SelectionProblem, *, loss: Loss, gate: Gate, **parameters: float) -> Selected:
        told: dict[str, Any] = {**parameters, **problem.facts}
        mechanism: Any = chooses(epsilon=loss.epsilon, k=problem.k, **told)
        chosen = gate.release(mechanism, problem.scores, label=f"top {problem.k} features")
        return Selected(np.sort(chosen))

    return Selector(run=run, guarantee=guarantee, rules=("top_k",), **words)


METHOD = (
    _declared(
        mechanisms.BestTop,
        name="best",
        title="Best: as many as stand out",
        summary=(
            "Finds how many features stand out of the noise, picks those, and fills up at random."
        ),
        proof=(
            "a utility that moves by one step chooses the number, one-shot picks compose (proof in "
            "BestTop)"
        ),
        reference="this project",
    ),
    _declared(
        mechanisms.CanonicalTop,
        name="canonical",
        title="Canonical subset mechanism",
        summary="Draws a whole set by its worst member and the best feature that it leaves out.",
        reference="Shekelyan and Loukides 2022",
        parameters=(
            Parameter(
                name="outside",
                default=0.5,
                minimum=0.0,
                maximum=1.0,
                label="Weight of the best outside",
                help="The worst feature inside has the rest of the weight.",
            ),
        ),
    ),
    _declared(
        mechanisms.ExponentialPeeling,
        name="exponential-peeling",
        title="Exponential mechanism, k times",
        summary="Draws one feature after the other, high scores being exponentially more likely.",
        reference="Lyu, Su and Li 2017, Section 5",
    ),
    _declared(
        mechanisms.JointTop,
        name="joint",
        title="Joint exponential mechanism",
        summary="Draws all k at once; a sequence is as likely as its largest regret is small.",
        reference="Gillenwater, Joseph, Muñoz and Ribero Diaz 2022",
    ),
    _declared(
        mechanisms.OneShot,
        name="one-shot",
        title="One-shot exponential noise",
        summary=(
            "Adds exponential noise to every score once and keeps the largest, without an order."
        ),
        proof=(
            "raising the chosen gains at most e^epsilon, raising the rest loses at most e^epsilon, "
            "and monotone scores do both (proof in OneShot)"
        ),
        reference="this project; for k = 1 Ding et al. 2021",
    ),
    _declared(
        mechanisms.PermuteAndFlip,
        name="permute-and-flip",
        title="Permute-and-flip, k times",
        summary="Takes one feature after the other: the first in random order whose coin says yes.",
        reference="McKenna and Sheldon 2020, Algorithm 1",
    ),
)
