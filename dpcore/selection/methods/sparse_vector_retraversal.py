"""Sparse vector with a raised threshold, visiting the features again until k passed."""

from __future__ import annotations

import numpy as np

from dpcore.mechanisms import SparseVector
from dpcore.privacy import Guarantee, Loss
from dpcore.registry import Parameter
from dpcore.release import Gate
from dpcore.selection.methods.sparse_vector import RATIO
from dpcore.selection.problem import Selected, SelectionProblem, Selector

__all__ = ["METHOD", "sparse_vector_retraversal"]


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


METHOD = Selector(
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
            kind=float,
            default=5.0,
            minimum=0.0,
            maximum=5.0,
            label="Threshold raised by",
            help="In standard deviations of the noise of a comparison (1D to 5D).",
        ),
    ),
    rules=("top_k",),
)
