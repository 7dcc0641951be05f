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
from dpcore.privacy import Loss
from dpcore.release import Gate
from dpcore.selection.methods import declared
from dpcore.selection.problem import Selected, SelectionProblem, Selector


def _chooses(name: str, mechanism: type[TopChoice], *, told: bool = False) -> Selector:
    """A mechanism as a selector, with its guarantee or the one told in ``words.toml``.

    No order is given back.
    """

    def run(problem: SelectionProblem, *, loss: Loss, gate: Gate, **parameters: float) -> Selected:
        public: dict[str, Any] = {**parameters, **problem.facts}
        choice: Any = mechanism(epsilon=loss.epsilon, k=problem.k, **public)
        chosen = gate.release(choice, problem.scores, label=f"top {problem.k} features")
        return Selected(np.sort(chosen))

    verdict = {} if told else {"guarantee": mechanism.guarantee}
    return declared(name, run, rules=("top_k",), **verdict)


METHOD = (
    _chooses("best", mechanisms.BestTop, told=True),
    _chooses("canonical", mechanisms.CanonicalTop),
    _chooses("exponential-peeling", mechanisms.ExponentialPeeling),
    _chooses("joint", mechanisms.JointTop),
    _chooses("one-shot", mechanisms.OneShot, told=True),
    _chooses("permute-and-flip", mechanisms.PermuteAndFlip),
)
