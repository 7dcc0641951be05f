"""Scores of features by how many records of each class have them."""

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting.feature_counts import class_sizes, feature_sums
from dpcore.privacy import Neighbors
from dpcore.schema.space import SparseMatrix
from dpcore.selection.scores import Score


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


_TOTAL_COUNT = Score.told(
    "total-count",
    __file__,
    run=total_count,
    sensitivity=lambda rows: 1.0,
    l1_sensitivity=lambda rows: float(
        rows.neighbors.pick(add_remove=rows.norm, replace=min(2 * rows.norm, max(rows.features, 1)))
    ),
    monotone=lambda rows: rows.neighbors is Neighbors.ADD_REMOVE,
    whole=True,
    needs_classes=False,
    of_counts=lambda counts: counts.sum(axis=1),
)


def difference_count(indicators: SparseMatrix, classes: IntArray | None) -> FloatArray:
    """The count of a feature in class 1 less its count in all other classes, without the sign.

    Parameters
    ----------
    indicators : csr_array, shape (n, features)
        Zeros and ones, at most s of them in a row; or weights that add up to at most s.

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


_DIFFERENCE_COUNT = Score.told(
    "difference-count",
    __file__,
    run=difference_count,
    sensitivity=lambda rows: rows.neighbors.pick(add_remove=1.0, replace=2.0),
    l1_sensitivity=lambda rows: float(rows.neighbors.steps * rows.norm),
    whole=True,
    of_counts=lambda counts: np.abs(counts[:, 1] - counts[:, 0]),
)


def purity_index(indicators: SparseMatrix, classes: IntArray | None) -> FloatArray:
    """The larger of two difference counts: among records that have the feature, and the rest.

    Parameters
    ----------
    indicators : csr_array, shape (n, features)
        Zeros and ones, or weights: a record with weight w has the feature to the part w.

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
    return np.maximum(np.abs(present), np.abs(absent))


_PURITY_INDEX = Score.told(
    "purity-index",
    __file__,
    run=purity_index,
    sensitivity=lambda rows: rows.neighbors.pick(add_remove=1.0, replace=2.0),
    l1_sensitivity=lambda rows: rows.neighbors.pick(add_remove=1.0, replace=2.0) * rows.features,
    monotone=lambda rows: rows.neighbors is Neighbors.ADD_REMOVE,
    whole=True,
    of_table=_of_table,
)

METHOD = (_TOTAL_COUNT, _DIFFERENCE_COUNT, _PURITY_INDEX)
