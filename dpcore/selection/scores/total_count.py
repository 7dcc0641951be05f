"""Score a feature by the number of records that have it."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.privacy import Guarantee, Neighbors
from dpcore.schema.matrix import SparseMatrix
from dpcore.selection.scores.score import Score

__all__ = ["METHOD", "total_count"]


def total_count(indicators: SparseMatrix, classes: IntArray | None) -> FloatArray:
    """Number of ones per feature, or the sum of the weights.

    Parameters
    ----------
    indicators : csr_array, shape (n, features)
        Zeros and ones, at most s of them in a row; or weights that add up to at most s.
    classes : int array, shape (n,), or None
        Not read.

    Returns
    -------
    float array, shape (features,)
        Whole numbers, unless rows are weighted.

    Sensitivity
        One score: 1 under both relations, since a record adds 0 to 1 to a feature.
        All scores together, L1: under add-remove the record that differs adds at most s, so s, and
        all scores move the same way; under replace one row of at most s gives way to another, so
        2 s, but no more than the number of features.

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for empirical
    machine learning, Section 3.1. arXiv:1411.5428

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> total_count(csr_array(np.array([[1.0, 0.0, 1.0], [1.0, 0.0, 0.0]])), None).tolist()
    [2.0, 0.0, 1.0]
    """
    return np.bincount(
        indicators.indices, weights=indicators.data, minlength=indicators.shape[1]
    ).astype(np.float64)


METHOD = Score(
    name="total-count",
    title="How often (total count)",
    summary="The number of records that have the feature.",
    run=total_count,
    guarantee=Guarantee.proven("L1 sensitivity s (add-remove) or 2 s (replace), s the row bound"),
    reference="Stoddard, Chen and Machanavajjhala 2014, Section 3.1",
    sensitivity=lambda rows: 1.0,
    l1_sensitivity=lambda rows: float(
        rows.neighbors.pick(add_remove=rows.norm, replace=min(2 * rows.norm, max(rows.features, 1)))
    ),
    monotone=lambda rows: rows.neighbors is Neighbors.ADD_REMOVE,
    whole=True,
    needs_classes=False,
    of_counts=lambda counts: counts.sum(axis=1),
)
