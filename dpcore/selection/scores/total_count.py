"""Score a feature by the number of records that have it."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.privacy import Guarantee, Neighbors
from dpcore.schema.matrix import SparseMatrix
from dpcore.selection.scores.score import Score

__all__ = ["METHOD", "total_count"]


def total_count(indicators: SparseMatrix, classes: IntArray | None) -> FloatArray:
    """Number of ones per feature.

    Parameters
    ----------
    indicators : csr_array, shape (n, features)
        Zeros and ones, at most s of them in a row.
    classes : int array, shape (n,), or None
        Not read.

    Returns
    -------
    float array, shape (features,)
        Whole numbers.

    Sensitivity
        One score: 1 under both relations, since a record holds a feature once or not at all.
        All scores together, L1: under add-remove the record that differs adds at most s ones, so
        s, and all scores move the same way; under replace one set of at most s ones gives way to
        another, so 2 s.

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for empirical
    machine learning, Section 3. arXiv:1411.5428

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> total_count(csr_array(np.array([[1.0, 0.0, 1.0], [1.0, 0.0, 0.0]])), None).tolist()
    [2.0, 0.0, 1.0]
    """
    counts = np.bincount(indicators.indices, minlength=indicators.shape[1])
    return counts.astype(np.float64)


METHOD = Score(
    name="total-count",
    title="Total count",
    summary="The number of records that have the feature.",
    run=total_count,
    guarantee=Guarantee.proven("L1 sensitivity s (add-remove) or 2 s (replace), s the row bound"),
    reference="Stoddard, Chen and Machanavajjhala 2014, Section 3",
    sensitivity=lambda neighbors: neighbors.pick(add_remove=1.0, replace=1.0),
    l1_sensitivity=lambda bound, neighbors: neighbors.pick(add_remove=bound, replace=2 * bound),
    monotone=lambda neighbors: neighbors is Neighbors.ADD_REMOVE,
    whole=True,
    needs_classes=False,
)
