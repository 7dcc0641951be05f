"""Select what passes a noisy threshold: in one visit (Algorithm 7), or in several."""

from __future__ import annotations

import numpy as np

from dpcore.mechanisms import RATIOS, SparseVector
from dpcore.privacy import Guarantee, Loss
from dpcore.registry import Parameter
from dpcore.release import Gate
from dpcore.selection.problem import Selected, SelectionProblem, Selector

CUTOFF = Parameter(
    name="cutoff",
    default=50,
    minimum=1,
    label="Cut-off c",
    help="The most features selected by a threshold; the noise grows with it. "
    "Not used when the number of features is given.",
)


def cutoff_of(problem: SelectionProblem, cutoff: int) -> int:
    """The number asked for, or the cut-off if the rule is a threshold."""
    return problem.k if problem.rule == "top_k" else cutoff


RATIO = Parameter(
    name="ratio",
    default="1:c^(2/3)",
    choices=RATIOS,
    label="Budget, threshold to comparisons",
    help="The last has the least noise in each comparison.",
)


def sparse_vector(
    problem: SelectionProblem, *, loss: Loss, gate: Gate, ratio: str, cutoff: int
) -> Selected:
    """Visit the features in random order and select those whose noisy score passes.

    By `top_k` the threshold is the middle of the k-th and the next score, and fewer than k are
    filled up at random.

    Sensitivity
        That of one score, for the relation; the query noise doubles if scores are not monotone.
    Privacy
        epsilon-DP; one charge.

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Algorithm 7. doi:10.14778/3055330.3055331
    """
    mechanism = SparseVector(
        epsilon=loss.epsilon,
        k=cutoff_of(problem, cutoff),
        threshold=problem.threshold,
        ratio=ratio,
        fill=problem.top_k is not None,
        **problem.facts,
    )
    passed = gate.release(mechanism, problem.scores, label="features above a threshold")
    return Selected(np.sort(passed))


_SPARSE_VECTOR = Selector(
    name="sparse-vector",
    title="Sparse vector",
    summary="Compares each noisy score with one noisy threshold and stops after c that pass.",
    run=sparse_vector,
    guarantee=Guarantee.proven("Lyu, Su and Li 2017, Theorems 4.7 and 4.9"),
    reference="Lyu, Su and Li 2017, Algorithm 7",
    parameters=(RATIO, CUTOFF),
)


def sparse_vector_retraversal(
    problem: SelectionProblem, *, loss: Loss, gate: Gate, ratio: str, boost: float
) -> Selected:
    """Visit the features in random order, again and again, until k noisy scores passed.

    Sensitivity
        That of one score, for the relation; the query noise doubles if scores are not monotone.
    Privacy
        epsilon-DP; one charge. Visiting again is one longer stream of comparisons.

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Section 5. doi:10.14778/3055330.3055331
    """
    mechanism = SparseVector(
        epsilon=loss.epsilon,
        k=problem.k,
        ratio=ratio,
        boost=boost,
        retraverse=True,
        **problem.facts,
    )
    passed = gate.release(mechanism, problem.scores, label="features above a threshold")
    return Selected(np.sort(passed))


_SPARSE_VECTOR_RETRAVERSAL = Selector(
    name="sparse-vector-retraversal",
    title="Sparse vector with retraversal",
    summary="Raises the threshold, and visits the features again until k of them passed.",
    run=sparse_vector_retraversal,
    guarantee=Guarantee.proven("Lyu, Su and Li 2017, Theorems 4.7 and 4.9: one longer stream"),
    reference="Lyu, Su and Li 2017, Section 5",
    parameters=(
        RATIO,
        Parameter(
            name="boost",
            default=5.0,
            minimum=0.0,
            maximum=5.0,
            label="Threshold raised by",
            help="In standard deviations of the noise of a comparison (1D to 5D).",
        ),
    ),
    rules=("top_k",),
)

METHOD = (
    _SPARSE_VECTOR,
    _SPARSE_VECTOR_RETRAVERSAL,
)
