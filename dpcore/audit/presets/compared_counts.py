"""Feature counts that a published variant of the sparse vector technique compares with a bar."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dpcore.audit.exact import exact_loss
from dpcore.audit.kinds.kind import ledger_target
from dpcore.audit.kinds.selection import selecting
from dpcore.audit.pair import Pair
from dpcore.audit.target import Target
from dpcore.mechanisms import PublishedSparseVector
from dpcore.selection import selectors

__all__ = ["ComparedCounts"]


@dataclass(frozen=True, kw_only=True)
class ComparedCounts:
    """A selector of features by their total counts, on two neighbouring tables.

    Parameters
    ----------
    name : str
        Of the selector.
    variant : int
        The number of the algorithm that it runs.
    epsilon : int
    threshold : float
    row_bound : int
        The most features in one row.
    pair : Pair
        Of rows of ones and zeros, and labels; one relation between neighbours.
    """

    name: str
    variant: int
    epsilon: int
    threshold: float
    row_bound: int
    pair: Pair

    def target(self) -> Target:
        """The selector, as it selects by the threshold."""
        neighbors = self.pair.neighbors
        call = selecting(
            self.name,
            neighbors,
            epsilon=self.epsilon,
            most=self.row_bound,
            threshold=self.threshold,
        )
        target = ledger_target(selectors()[self.name], neighbors, call, self.pair.here)
        width = self.pair.here[0].shape[1]
        return replace(target, columns=tuple(f"feature {at + 1}?" for at in range(width)))

    def exact(self) -> float | None:
        """The exact loss of its mechanism on the counts of both tables."""
        neighbors = self.pair.neighbors
        mechanism = PublishedSparseVector(
            variant=self.variant,
            epsilon=self.epsilon,
            cutoff=1,
            threshold=self.threshold,
            monotone=neighbors.pick(add_remove=True, replace=False),
            neighbors=neighbors,
        )
        here, there = (_counts(side) for side in (self.pair.here, self.pair.there))
        counts = Pair(here=here, there=there, words=self.pair.words, neighbors=neighbors)
        return exact_loss(mechanism, counts)


def _counts(table: Any) -> Any:
    rows, _labels = table
    return rows.sum(axis=0)
