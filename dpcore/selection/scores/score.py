"""What a feature score declares about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpcore.privacy import Neighbors
from dpcore.registry import Method

__all__ = ["Score"]


@dataclass(frozen=True, kw_only=True)
class Score(Method):
    """The declaration that ends a score's file.

    ``run(indicators, classes)`` takes the bounded rows, a csr_array of zeros and ones of shape
    (n, features), and the classes, shape (n,), or None; it returns one score per feature.

    Parameters
    ----------
    sensitivity : callable
        Of the neighbour relation: the largest change of any one score.
    l1_sensitivity : callable
        Of the row bound (the most ones in one row) and the relation: the largest sum of the
        changes of all scores.
    monotone : callable
        Of the relation: whether all scores move the same way between neighbours.
    whole : bool
        Whether scores are whole numbers, which then get integer noise.
    needs_classes : bool
        Whether it reads the classes.
    """

    sensitivity: Callable[[Neighbors], float]
    l1_sensitivity: Callable[[int, Neighbors], float]
    monotone: Callable[[Neighbors], bool]
    whole: bool
    needs_classes: bool
