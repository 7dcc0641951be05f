"""What a training method is given of records that stay on the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter, methodcaller

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import DataError
from dpcore.mechanisms import Partitions, Records
from dpcore.models.training import Training
from dpcore.schema import Block, FeatureSpace
from dpcore.schema.matrix import Matrix

__all__ = ["PartedTraining"]


@dataclass(frozen=True)
class PartedTraining(Training):
    """Records in disjoint partitions, for methods that read sums and design matrices.

    `rows` is empty: it says what the columns are, and nothing else.

    Parameters
    ----------
    parts : Partitions of Training
        Each with the records of one partition, or of none.
    """

    parts: Partitions[Training]

    @classmethod
    def of_partitions(
        cls, parts: Partitions[Training], space: FeatureSpace, n_classes: int
    ) -> PartedTraining:
        """Take the partitions of a table, whose columns are those of a space."""
        nobody = BoundedRows.of(np.zeros((0, len(space.features))), space)
        return cls(nobody, np.zeros(0, dtype=np.int64), n_classes, parts)

    @cached_property
    def _first_sums(self) -> tuple[IntArray, IntArray, FloatArray]:
        """What every fit reads, in one pass."""
        return self.parts.folded(_sums_of, _added_sums)

    @property
    def sizes(self) -> IntArray:
        """Number of records per class, shape (n_classes,)."""
        return self._first_sums[0]

    @property
    def indicator_counts(self) -> IntArray:
        """Number of ones per class and indicator, shape (n_classes, indicators)."""
        return self._first_sums[1]

    def _totals(self) -> FloatArray:
        return self._first_sums[2]

    @property
    def has_rows(self) -> bool:
        """They are elsewhere."""
        return False

    def require_unchanged(self) -> None:
        """Refuse a model of records that were others each time they were read.

        What is lost with a worker is read again. A source that then gives other records, or the
        same with other labels, has the solver walk on a function that is nobody's: the bounds of
        `SolverGap` hold for none. Sums over the records tell, and are compared here alone.

        Raises
        ------
        DataError
            If the sums are not what they were at first. It is no function of the records of a
            source that gives the same when it is read again.
        """
        sizes, counts, totals = self.parts.folded(_sums_of, _added_sums)
        same = np.array_equal(sizes, self.sizes) and np.array_equal(counts, self.indicator_counts)
        # Another machine may add in another order.
        if not (same and np.allclose(totals, self._totals(), rtol=1e-9, atol=1e-6)):
            raise DataError(
                "the collection gave other records when it was read again during training",
                remedy="read it from files that do not change, or write it to such files first",
            )

    def cell_counts(self, edges: tuple[FloatArray, ...]) -> list[IntArray]:
        """Number of records per class and cell of each number, shape (n_classes, cells) each."""
        return self.parts.folded(methodcaller("cell_counts", edges), _added)

    def word_shares(self, block: Block) -> FloatArray:
        """Sum per class of the shares of the words of a text, shape (n_classes, words)."""
        return self.parts.folded(methodcaller("word_shares", block), _total)

    @property
    def moment_sums(self) -> FloatArray:
        """Sums of u and of u^2 - 1/2 per class, shape (2, n_classes, numeric features)."""
        return self.parts.folded(attrgetter("moment_sums"), _total)

    def design(self, columns: Callable[[BoundedRows], Matrix]) -> Records:
        """The columns of a regression, made where the records are."""
        return self.parts.turned(methodcaller("design", columns))


def _sums_of(part: Training) -> tuple[IntArray, IntArray, FloatArray]:
    return part.sizes, part.indicator_counts, part._totals()


def _added_sums(
    parts: Sequence[tuple[IntArray, IntArray, FloatArray]],
) -> tuple[IntArray, IntArray, FloatArray]:
    sizes, counts, totals = zip(*parts, strict=True)
    return sum(sizes[1:], sizes[0]), sum(counts[1:], counts[0]), sum(totals[1:], totals[0])


def _added(parts: Sequence[list[IntArray]]) -> list[IntArray]:
    return [sum(arrays[1:], arrays[0]) for arrays in zip(*parts, strict=True)]


def _total(arrays: Sequence[FloatArray]) -> FloatArray:
    return sum(arrays[1:], arrays[0])
