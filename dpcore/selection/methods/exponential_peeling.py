"""Select the top k one after the other, each with the exponential mechanism."""

from __future__ import annotations

from dpcore.mechanisms import ExponentialPeeling
from dpcore.privacy import Guarantee, Loss
from dpcore.release import Gate
from dpcore.selection.problem import Selected, SelectionProblem, Selector

__all__ = ["METHOD", "exponential_peeling"]


def exponential_peeling(problem: SelectionProblem, *, loss: Loss, gate: Gate) -> Selected:
    """Draw k features without replacement, each in proportion to exp(rate * score).

    Sensitivity
        That of one score, for the relation; the rate doubles if scores are monotone.
    Privacy
        k choices of epsilon / k each; one charge of epsilon.

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Section 5. doi:10.14778/3055330.3055331
    """
    mechanism = ExponentialPeeling(epsilon=loss.epsilon, k=problem.k, **problem.facts)
    return Selected(gate.release(mechanism, problem.scores, label=f"top {problem.k} features"))


METHOD = Selector(
    name="exponential-peeling",
    title="Exponential mechanism, k times",
    summary="Draws one feature after the other, high scores being exponentially more likely.",
    run=exponential_peeling,
    guarantee=Guarantee.proven("McSherry and Talwar 2007, Theorem 6, composed k times"),
    reference="Lyu, Su and Li 2017, Section 5",
    rules=("top_k",),
)
