"""Score a feature by how far the classes lie apart where it is present, or where it is absent."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting.feature_counts import class_sizes, feature_sums
from dpcore.privacy import Guarantee, Neighbors
from dpcore.schema.matrix import SparseMatrix
from dpcore.selection.scores.score import Score

__all__ = ["METHOD", "purity_index"]


def purity_index(indicators: SparseMatrix, classes: IntArray | None) -> FloatArray:
    """The larger of two difference counts: among records that have the feature, and the rest.

    Parameters
    ----------
    indicators : csr_array, shape (n, features)
        Zeros and ones, or weights: a record with weight w has the feature to the part w.
    classes : int array, shape (n,)

    Returns
    -------
    float array, shape (features,)

    Sensitivity
        One score: a record adds w to one of the four counts and 1 - w to another of its class, so
        each difference moves by at most 1 under add-remove and 2 under replace, and the larger of
        the two no further. All scores together: *every* feature can move, also those that the
        record lacks, so the number of features, and twice that. Under replace this stays so even if
        the two records hold the same features: a change of the class alone moves a feature that
        both lack by 2.
        Monotone under add-remove: the two differences add up to D, that of the class sizes, for
        every feature. If D >= 0 the score is the larger of the two, and a record of class 1 lowers
        neither; if D <= -1 it is the larger of the two with the sign turned, and
        such a record lowers both. For a record of another class it is the other way round.

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for empirical
    machine learning, Equation 4; the footnote there claims 2 s under replace. arXiv:1411.5428

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> rows = csr_array(np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]))
    >>> purity_index(rows, np.array([1, 0, 0])).tolist()
    [2.0, 1.0]
    """
    assert classes is not None
    in_one = (classes == 1).astype(np.int64)
    return _of_table(feature_sums(indicators, in_one, 2).T, class_sizes(in_one, 2))


def _of_table(counts: FloatArray, sizes: IntArray) -> FloatArray:
    present = counts[:, 1] - counts[:, 0]
    absent = int(sizes[1] - sizes[0]) - present
    score: FloatArray = np.maximum(np.abs(present), np.abs(absent))
    return score


METHOD = Score(
    name="purity-index",
    title="Purity index",
    summary="How far the classes lie apart where the feature is present, or where it is absent.",
    run=purity_index,
    guarantee=Guarantee.proven(
        "each score moves by 1 (add-remove) or 2 (replace), and all of them can"
    ),
    reference="Stoddard, Chen and Machanavajjhala 2014, Equation 4",
    sensitivity=lambda rows: rows.neighbors.pick(add_remove=1.0, replace=2.0),
    l1_sensitivity=lambda rows: rows.neighbors.pick(add_remove=1.0, replace=2.0) * rows.features,
    monotone=lambda rows: rows.neighbors is Neighbors.ADD_REMOVE,
    whole=True,
    needs_classes=True,
    of_table=_of_table,
)
