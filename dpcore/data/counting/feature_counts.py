"""How often each indicator is one, per class."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.schema.space import SparseMatrix


def class_sizes(classes: IntArray, n_classes: int) -> IntArray:
    """Number of records per class, shape (n_classes,).

    Examples
    --------
    >>> class_sizes(np.array([1, 1, 0]), 3).tolist()
    [1, 2, 0]
    """
    return np.bincount(classes, minlength=n_classes).astype(np.int64)


def feature_counts(indicators: SparseMatrix, classes: IntArray, n_classes: int) -> IntArray:
    """Number of ones per class and indicator, in one pass over the ones.

    Parameters
    ----------
    indicators : csr_array, shape (n, p)
        Zeros and ones.
    classes : int array, shape (n,)
        Class of each record, 0 to n_classes - 1.

    Returns
    -------
    int array, shape (n_classes, p)

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> rows = csr_array(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))
    >>> feature_counts(rows, np.array([0, 0, 1]), 2).tolist()
    [[2, 1], [0, 1]]
    """
    width = indicators.shape[1]
    class_of_one = np.repeat(classes, np.diff(indicators.indptr))
    counts = np.bincount(class_of_one * width + indicators.indices, minlength=n_classes * width)
    return counts.reshape(n_classes, width).astype(np.int64)


def feature_sums(rows: SparseMatrix, classes: IntArray, n_classes: int) -> FloatArray:
    """Sum of the entries per class and feature, in one pass over the entries.

    Parameters
    ----------
    rows : csr_array, shape (n, p)
        Ones, or the weights of `weighted_rows`: either way the sums are exact.
    classes : int array, shape (n,)
        Class of each record, 0 to n_classes - 1.

    Returns
    -------
    float array, shape (n_classes, p)

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> rows = csr_array(np.array([[1.0, 0.0], [0.5, 0.5]]))
    >>> feature_sums(rows, np.array([0, 1]), 2).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    width = rows.shape[1]
    places = np.repeat(classes, np.diff(rows.indptr)) * width + rows.indices
    sums = np.bincount(places, weights=rows.data, minlength=n_classes * width)
    return sums.reshape(n_classes, width).astype(np.float64)
