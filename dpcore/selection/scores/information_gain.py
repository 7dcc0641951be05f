"""Score a feature by how much it tells about the class."""

import math

import numpy as np
from scipy.special import xlogy

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting.feature_counts import class_sizes, feature_sums
from dpcore.schema.space import SparseMatrix
from dpcore.selection.scores import PublicRows, Score

# A sum of x ln x over fewer than a thousand classes is off by less than this share of n ln n.
_ROUNDING = 2.0**-40


def psi(n: int) -> float:
    """The most that one more record than n moves n times an entropy, in nats.

    Examples
    --------
    >>> round(psi(1), 4), round(psi(5573), 4)
    (1.3863, 9.6258)
    """
    return float(xlogy(n + 1, n + 1) - xlogy(n, n))


def information_gain(indicators: SparseMatrix, classes: IntArray | None) -> FloatArray:
    """Number of records times the mutual information of feature and class, in nats.

    Parameters
    ----------
    indicators : csr_array, shape (n, features)
        Zeros and ones, or weights: a record with weight w has the feature to the part w.
    classes : int array, shape (n,)
        Any number of classes.

    Sensitivity
        Write d(x) = (x+1) ln(x+1) - x ln x, which is concave, rises and begins at 0; N is the bound
        on the number of records and p = psi(N-1) = d(N-1). The score is n H(class) - n H(class |
        feature). *Adding* a record raises each of the two terms by between 0 and p (the entropy of
        a part is no more than that of the whole), so one score moves by at most p, weighted or not.
        *Replacing* one of zeros and ones: if class or feature stay as they are, one of the two
        terms does not move, or does not in the same score with class and feature exchanged, and the
        other moves by at most p. If both change, with a, b, c, d, u, v the other records with (old
        feature, old class), (old, new), (new, old), (new, new), (old, any third), (new, any third),
        the change is d(a) - d(d) + d(c+d+v) - d(a+b+u) + d(b+d) - d(a+c), at most d(N-1) by the
        concavity of d. A replaced row of weights is one removed and one added: 2 p.

        All scores together, rows of at most s ones: a feature that the new record lacks, with m
        ones, a of them in its class of C records, moves by the difference of d(n) - d(n-m) <= m p/n
        and d(C) - d(C-a) <= a p/C, and as the m add up to at most n s and the a to C s, these
        features move by at most 2 s p together, and the s that it has by s p: 3 s p. When a record
        is replaced the terms with m are the same and cancel: 2 s p for features that both lack, and
        2 s p for the others: 4 s p. Later rows than the first N are not read, so under add-remove
        too a record can push another one out: 4 s p for both relations. Never more than all
        features times p; that is what weighted rows get, times 2.

        The logarithms are rounded; 2^-40 N ln N is added for every score.

    References
    ----------
    The score is that of B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private
    algorithms for empirical machine learning, Definition 4. arXiv:1411.5428. The sensitivities are
    the project's own, with the proof above.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> rows = csr_array(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]))
    >>> information_gain(rows, np.array([1, 1, 0, 0])).round(3).tolist()
    [2.773, 0.863]
    """
    assert classes is not None
    known, place = np.unique(classes, return_inverse=True)
    place = place.astype(np.int64)
    sums = feature_sums(indicators, place, max(known.size, 1))
    sizes = class_sizes(place, max(known.size, 1)).astype(np.float64)[:, None]
    gain = _entropy(sizes) - _entropy(sums) - _entropy(sizes - sums)
    return np.asarray(np.maximum(gain, 0.0), dtype=np.float64)


def _entropy(counts: FloatArray) -> FloatArray:
    """Total times entropy of each column of counts, shape (classes, features)."""
    total = counts.sum(axis=0)
    scaled: FloatArray = xlogy(total, total) - xlogy(counts, counts).sum(axis=0)
    return scaled


def _step(rows: PublicRows) -> float:
    assert rows.max_rows is not None
    return psi(rows.max_rows - 1) * (2 if rows.weighted else 1)


def _rounding(rows: PublicRows) -> float:
    assert rows.max_rows is not None
    return 2.0 * _ROUNDING * rows.max_rows * math.log(rows.max_rows + 1)


def _joint(rows: PublicRows) -> float:
    moving = rows.features if rows.weighted else min(rows.features, 4 * rows.norm)
    return moving * _step(rows) + rows.features * _rounding(rows)


METHOD = Score.told(
    "information-gain",
    __file__,
    run=information_gain,
    sensitivity=lambda rows: _step(rows) + _rounding(rows),
    l1_sensitivity=_joint,
    whole=False,
    needs_max_rows=True,
)
