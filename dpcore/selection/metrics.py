"""How close a selected set of features is to the true one, which a simulation knows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _check

__all__ = [
    "f1",
    "false_negative_rate",
    "jaccard",
    "precision",
    "recall",
    "score_error_rate",
]


def precision(selected: Iterable[int], true: Iterable[int]) -> float:
    """Share of the selected that is true; 1 if nothing is selected.

    Examples
    --------
    >>> precision([1, 2, 3, 4], [2, 3])
    0.5
    """
    chosen, wanted = set(selected), set(true)
    return len(chosen & wanted) / len(chosen) if chosen else 1.0


def recall(selected: Iterable[int], true: Iterable[int]) -> float:
    """Share of the true that is selected; 1 if nothing is true.

    Examples
    --------
    >>> recall([1, 2], [2, 3, 4, 5])
    0.25
    """
    return precision(true, selected)


def f1(selected: Iterable[int], true: Iterable[int]) -> float:
    """Harmonic mean of precision and recall; 1 if both sets are empty, 0 if only one is.

    Examples
    --------
    >>> f1([1, 2, 3], [2, 3, 4])
    0.6666666666666666
    """
    chosen, wanted = set(selected), set(true)
    total = len(chosen) + len(wanted)
    return 2 * len(chosen & wanted) / total if total else 1.0


def jaccard(selected: Iterable[int], true: Iterable[int]) -> float:
    """Size of the intersection over size of the union; 1 if both sets are empty.

    Examples
    --------
    >>> jaccard([1, 2, 3], [2, 3, 4])
    0.5
    """
    chosen, wanted = set(selected), set(true)
    union = chosen | wanted
    return len(chosen & wanted) / len(union) if union else 1.0


def false_negative_rate(selected: Iterable[int], true: Iterable[int]) -> float:
    """Share of the true that is not selected; 0 if nothing is true.

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Section 6. doi:10.14778/3055330.3055331

    Examples
    --------
    >>> false_negative_rate([1, 2], [2, 3, 4, 5])
    0.75
    """
    return 1.0 - recall(selected, true)


def score_error_rate(selected: Iterable[int], scores: ArrayLike, k: int) -> float:
    """How much of the k largest scores is missed: 1 less the selected sum over the largest sum.

    Parameters
    ----------
    selected : iterable of int
        Positions; fewer than k miss the more.
    scores : array, shape (candidates,)
        The true scores, not negative.
    k : int
        From 1 to the number of candidates.

    Returns
    -------
    float
        0 if the k largest scores add up to 0.

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Section 6. doi:10.14778/3055330.3055331

    Examples
    --------
    >>> score_error_rate([0, 2], [10, 5, 1], 2)
    0.2666666666666667
    """
    values = np.asarray(scores, dtype=np.float64)
    _check.integer_in_range(1, values.size, k=k)
    wanted = float(np.partition(values, values.size - k)[values.size - k :].sum())
    if wanted <= 0.0:
        return 0.0
    found = float(values[np.unique(np.fromiter(selected, dtype=np.int64))].sum())
    return 1.0 - found / wanted
