"""How close a selected set of features is to the true one, which a simulation knows."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["f1", "jaccard", "precision", "recall"]


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
