"""Select what passes a noisy threshold: in one visit, in several, and as it was published."""

from collections.abc import Callable
from typing import Any

import numpy as np

from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS, PublishedSparseVector, SparseVector
from dpcore.privacy import Loss
from dpcore.release import Gate
from dpcore.selection.methods import declared
from dpcore.selection.problem import Selected, SelectionProblem, Selector


def cutoff_of(problem: SelectionProblem, cutoff: int) -> int:
    """The number asked for, or the cut-off if the rule is a threshold."""
    return problem.k if problem.rule == "top_k" else cutoff


def standard_at(
    loss: Loss, problem: SelectionProblem, cutoff: int = 1, **visits: Any
) -> SparseVector:
    """Algorithm 7 for a problem; `visits` are the ratio, and whether and how it visits again."""
    return SparseVector(
        epsilon=loss.epsilon,
        k=cutoff_of(problem, cutoff),
        threshold=problem.threshold,
        fill=problem.top_k is not None,
        **visits,
        **problem.facts,
    )


def _standard(*, retraverse: bool) -> Callable[..., Selected]:
    """Visit the features in random order and select those whose noisy score passes.

    By `top_k` the threshold is the middle of the k-th and the next score, and fewer than k are
    filled up at random. With retraversal it is raised, and the features are visited again and again
    until k noisy scores passed.

    Sensitivity
        That of one score, for the relation; the query noise doubles if scores are not monotone.
    Privacy
        epsilon-DP; one charge. Visiting again is one longer stream of comparisons.

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Algorithm 7 and Section 5. doi:10.14778/3055330.3055331
    """

    def run(
        problem: SelectionProblem, *, loss: Loss, gate: Gate, cutoff: int = 1, **visits: Any
    ) -> Selected:
        mechanism = standard_at(loss, problem, cutoff, retraverse=retraverse, **visits)
        passed = gate.release(mechanism, problem.scores, label="features above a threshold")
        return Selected(np.sort(passed))

    return run


_SPARSE_VECTOR_RETRAVERSAL = declared(
    "sparse-vector-retraversal", _standard(retraverse=True), rules=("top_k",)
)


def published_at(
    loss: Loss, variant: int, problem: SelectionProblem, cutoff: int = 1
) -> PublishedSparseVector:
    """The variant with the published epsilon that makes its true, or claimed, loss this one."""

    def at(epsilon: Loss) -> PublishedSparseVector:
        return PublishedSparseVector(
            variant=variant,
            epsilon=epsilon.epsilon,
            cutoff=cutoff_of(problem, cutoff),
            threshold=problem.threshold,
            **problem.facts,
        )

    return at(loss / at(loss).true_factor)


def _published(variant: int) -> Callable[..., Selected]:
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
        mechanism = published_at(loss, variant, problem, cutoff)
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


def _as_published(variant: int, name: str) -> Selector:
    rules = ("top_k", "threshold") if variant <= 4 else ("threshold",)
    guarantee = PUBLISHED_SPARSE_VECTORS[variant].guarantee
    return declared(name, _published(variant), guarantee=guarantee, rules=rules)


METHOD = (
    declared("sparse-vector", _standard(retraverse=False)),
    _SPARSE_VECTOR_RETRAVERSAL,
    *(_as_published(variant, f"sparse-vector-{variant}") for variant in PUBLISHED_SPARSE_VECTORS),
    _as_published(5, "threshold-testing-published"),
    _as_published(6, "noisycut-published"),
)
