"""Score a feature by how far its two counts, inside and outside of class 1, lie apart."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting.feature_counts import feature_sums
from dpcore.privacy import Guarantee
from dpcore.schema.matrix import SparseMatrix
from dpcore.selection.scores.score import Score

__all__ = ["METHOD", "difference_count"]


def difference_count(indicators: SparseMatrix, classes: IntArray | None) -> FloatArray:
    """The count of a feature in class 1 less its count in all other classes, without the sign.

    Parameters
    ----------
    indicators : csr_array, shape (n, features)
        Zeros and ones, at most s of them in a row; or weights that add up to at most s.
    classes : int array, shape (n,)

    Returns
    -------
    float array, shape (features,)

    Sensitivity
        One score: a record adds 0 to 1 to one of the two counts, so 1 under add-remove; under
        replace a record may leave one count and enter the other, so 2. All scores together, L1: s
        and 2 s, as only features that the record holds move. Some rise and others fall: they are
        not monotone.

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for empirical
    machine learning, Equation 3. arXiv:1411.5428

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> rows = csr_array(np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 0.0]]))
    >>> difference_count(rows, np.array([1, 0, 1])).tolist()
    [1.0, 1.0]
    """
    assert classes is not None
    others, ones = feature_sums(indicators, (classes == 1).astype(np.int64), 2)
    score: FloatArray = np.abs(ones - others)
    return score


METHOD = Score(
    name="difference-count",
    title="Difference count",
    summary="How many more records of one class than of the other have the feature.",
    run=difference_count,
    guarantee=Guarantee.proven("L1 sensitivity s (add-remove) or 2 s (replace), s the row bound"),
    reference="Stoddard, Chen and Machanavajjhala 2014, Equation 3",
    sensitivity=lambda rows: rows.neighbors.pick(add_remove=1.0, replace=2.0),
    l1_sensitivity=lambda rows: float(rows.neighbors.pick(add_remove=1, replace=2) * rows.norm),
    monotone=lambda rows: False,
    whole=True,
    needs_classes=True,
    of_counts=lambda counts: np.abs(counts[:, 1] - counts[:, 0]),
)
