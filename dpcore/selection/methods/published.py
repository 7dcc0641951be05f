"""Run one of the published sparse vector variants as a selection method."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpcore.mechanisms import PublishedSparseVector
from dpcore.privacy import Loss
from dpcore.release import Gate
from dpcore.selection.methods.cut_off import cutoff_of
from dpcore.selection.problem import Selected, SelectionProblem

__all__ = ["published"]


def published(variant: int) -> Callable[..., Selected]:
    """The run of a selector that answers as that variant does.

    Sensitivity
        That of one score, for the relation.
    Privacy
        One charge of what the variant costs or claims: it runs with the published epsilon that
        makes this the epsilon asked for. By `top_k` fewer than k are filled up at random.

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Figure 2. doi:10.14778/3055330.3055331
    """

    def run(problem: SelectionProblem, *, loss: Loss, gate: Gate, cutoff: int = 1) -> Selected:
        def at(epsilon: Loss) -> PublishedSparseVector:
            return PublishedSparseVector(
                variant=variant,
                epsilon=epsilon.epsilon,
                cutoff=cutoff_of(problem, cutoff),
                threshold=problem.threshold,
                **problem.facts,
            )

        mechanism = at(loss / at(loss).true_factor)
        answers = gate.release(mechanism, problem.scores, label="features above a threshold")
        chosen = answers.passed
        if problem.top_k is not None:
            chosen = np.append(chosen, answers.others[: problem.top_k - chosen.size])
        if answers.scores is None:
            return Selected(np.sort(chosen))
        scores = np.full(problem.scores.size, np.nan)
        scores[answers.passed] = answers.scores
        return Selected(np.sort(chosen), scores)

    return run
