"""What a selector is given, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.privacy import Neighbors
from dpcore.registry import Method
from dpcore.schema.matrix import SparseMatrix

__all__ = ["Selected", "SelectionProblem", "Selector"]


@dataclass(frozen=True, kw_only=True)
class Selector(Method):
    """The declaration that ends a selector's file.

    ``run(problem, *, loss, gate, **parameters)`` takes a `SelectionProblem` and returns `Selected`.

    Parameters
    ----------
    spends : bool, default True
        False if it reads no data.
    rules : tuple of str, default ("top_k", "threshold")
        By what it can select.
    """

    spends: bool = True
    rules: tuple[str, ...] = ("top_k", "threshold")


@dataclass(frozen=True)
class Selected:
    """The positions chosen among the scored features, and the noisy scores if there are any."""

    positions: IntArray
    scores: FloatArray | None = None


@dataclass(frozen=True, kw_only=True)
class SelectionProblem:
    """Private scores and what is public about them.

    Parameters
    ----------
    scores : float array, shape (features,)
        Private.
    sensitivity : float
        The largest change of any one score between neighbours.
    l1_sensitivity : float
        The largest sum of the changes of all scores.
    monotone : bool
        Whether all scores move in the same direction between neighbours.
    whole : bool
        Whether all scores are whole numbers on every data set.
    neighbors : Neighbors
    top_k : int, optional
        Select this many; or
    threshold : float, optional
        select what lies above.
    indicators : csr_array, shape (n, features), optional
        The bounded rows that the scores came from, for selectors that need more than scores.
    classes : int array, shape (n,), optional
    """

    scores: FloatArray
    sensitivity: float
    l1_sensitivity: float
    monotone: bool
    whole: bool
    neighbors: Neighbors
    top_k: int | None = None
    threshold: float | None = None
    indicators: SparseMatrix | None = None
    classes: IntArray | None = None

    def require_rule(self, selector: Selector) -> None:
        """Raise `InvalidArgument` unless there is exactly one rule, and the selector knows it."""
        if not selector.spends:
            return
        given = {"top_k": self.top_k, "threshold": self.threshold}
        stated = [name for name, value in given.items() if value is not None]
        if len(stated) != 1:
            raise InvalidArgument("top_k, threshold", tuple(given.values()), "one of the two")
        if stated[0] not in selector.rules:
            requirement = f"left out, because {selector.name!r} selects by {selector.rules[0]}"
            raise InvalidArgument(stated[0], given[stated[0]], requirement)

    def apply_rule(self, noisy: FloatArray) -> IntArray:
        """Apply the rule to released scores; equal scores go to the lower position."""
        if self.top_k is not None:
            return np.sort(np.argsort(-noisy, kind="stable")[: self.top_k])
        assert self.threshold is not None
        return np.flatnonzero(noisy > self.threshold)
