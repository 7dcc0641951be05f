"""Histograms of numbers on public cells, and word shares of texts, of a table of any size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting.back_end import Columns
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.data.counting.encoded_rows import RowAggregate, RowCounter, encoded
from dpcore.data.counting.feature_cells import (
    SHARE_UNITS,
    cell_counts,
    with_missing_cell,
    word_shares,
)
from dpcore.errors import InvalidArgument
from dpcore.schema import Block, FeatureSpace, Schema

__all__ = ["FeatureHistograms"]

Edges: TypeAlias = tuple[FloatArray, ...]


@dataclass(frozen=True, eq=False)
class FeatureHistograms(RowAggregate):
    """Per class the records in each cell of each number, and the share of each word of each text.

    Parameters
    ----------
    cells : int array, shape (classes, cells)
        Of all numeric features, side by side.
    shares : int array, shape (classes, words)
        Of all texts, side by side, in units of 2^-24; a text of k words adds 1/k to each.
    edges : tuple of float array
        Of the cells of each numeric feature, public.
    space : FeatureSpace
        Public.
    classes : tuple of str
        Labels in the order of the rows; public.

    All are counted with ``edges=``: for each numeric feature increasing public edges from its lower
    to its upper bound, such as those of `dpcore.models.naive_bayes_edges`; others are refused.

    Sensitivity
        L1, add-remove: 1 per numeric feature, because a record is in one class and one cell (the
        last for a missing number), and at most 1 per text (`word_shares`); replace twice that.

    Examples
    --------
    >>> from dpcore.schema import Label, Numeric
    >>> schema = Schema((Numeric("age", (0, 100)), Label("ill", ("no", "yes"))))
    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": [90, 50, 10], "ill": ["yes", "no", "no"]})
    >>> found = FeatureHistograms.from_frame(table, schema, edges=[[0, 25, 50, 100]])
    >>> found.cells.tolist(), [one.tolist() for one in found.on([np.array([0.0, 50.0, 100.0])])]
    ([[1, 0, 1], [0, 0, 1]], [[[1, 1], [0, 1]]])
    """

    cells: IntArray
    shares: IntArray
    edges: Edges
    space: FeatureSpace
    classes: tuple[str, ...]

    @classmethod
    def _counter(
        cls, schema: Schema, edges: Sequence[Sequence[float] | FloatArray] = (), **public: Any
    ) -> RowCounter:
        numeric = [one for one in FeatureSpace.of(schema).features if one.kind == "numeric"]
        given = tuple(np.asarray(one, dtype=np.float64) for one in edges)
        if len(given) != len(numeric):
            raise InvalidArgument("edges", len(given), f"edges of {len(numeric)} numeric features")
        for one, feature in zip(given, numeric, strict=True):
            (low, high), ends = feature.bounds, np.array(feature.bounds)
            ends = with_missing_cell(ends)[1:] if feature.missing else ends[1:]
            rising = one.ndim == 1 and one.size > ends.size and bool((np.diff(one) > 0).all())
            if not rising or one[0] != low or not np.array_equal(one[-ends.size :], ends):
                cell = ", and `with_missing_cell`" if feature.missing else ""
                requirement = f"increasing from {low:g} to {high:g}{cell}"
                raise InvalidArgument("edges", one.tolist(), requirement)
        return _Counter(schema, given)

    @classmethod
    def _of(cls, counts: IntArray, counter: RowCounter) -> FeatureHistograms:
        assert isinstance(counter, _Counter)
        classes = counter.schema.label.classes
        rows = counts.reshape(len(classes), -1)
        split = sum(one.size - 1 for one in counter.edges)
        space = FeatureSpace.of(counter.schema)
        return cls(rows[:, :split], rows[:, split:], counter.edges, space, classes)

    def merge(self, other: FeatureHistograms) -> FeatureHistograms:
        """Add the counts of two disjoint sets of records of one schema, on the same cells."""
        same = self.space == other.space and self.classes == other.classes
        if not same or not all(map(np.array_equal, self.edges, other.edges)):
            raise InvalidArgument("other", "counts of other cells", "of the same schema and edges")
        cells, shares = self.cells + other.cells, self.shares + other.shares
        return FeatureHistograms(cells, shares, self.edges, self.space, self.classes)

    __add__ = merge

    def on(self, edges: Sequence[FloatArray]) -> list[IntArray]:
        """Counts on coarser cells, shape (classes, cells) for each numeric feature (private).

        Raises
        ------
        InvalidArgument
            If an edge of theirs is none of ours.
        """
        starts = np.cumsum([0, *(one.size - 1 for one in self.edges)])
        folded = []
        for start, fine, coarse in zip(starts, self.edges, edges, strict=False):
            places = np.searchsorted(fine, coarse)
            if not np.array_equal(fine[np.minimum(places, fine.size - 1)], coarse):
                raise InvalidArgument("edges", "of other cells", "those that were counted")
            counts = self.cells[:, start : start + fine.size - 1]
            folded.append(np.add.reduceat(counts, places[:-1], axis=1))
        return folded

    def shares_of(self, block: Block) -> FloatArray:
        """Sum of the shares of each word of a text, shape (classes, words) (private).

        Parameters
        ----------
        block : Block
            Of the texts of `space`, by its name.
        """
        start = 0
        for text in _texts(self.space):
            width = text.stop - text.start
            if text.name == block.name:
                found = self.shares[:, start : start + width] / SHARE_UNITS
                return np.asarray(found, dtype=np.float64)
            start += width
        raise InvalidArgument("block", block.name, "a text of the table")


def _texts(space: FeatureSpace) -> list[Block]:
    return [block for block in space.blocks if block.kind == "bag"]


@dataclass(frozen=True)
class _Counter(RowCounter):
    edges: Edges

    def __call__(self, batches: Iterable[Columns]) -> IntArray:
        classes, space = len(self.schema.label.classes), FeatureSpace.of(self.schema)
        width = sum(one.size - 1 for one in self.edges)
        width += sum(text.stop - text.start for text in _texts(space))
        total = np.zeros((classes, width), dtype=np.int64)
        for rows, codes in encoded(batches, self.schema):
            total += self._count(rows, codes, classes)
        return total.ravel()

    def _count(self, rows: BoundedRows, codes: IntArray, classes: int) -> IntArray:
        numbers = [
            cell_counts(rows.numeric[:, feature], edges, codes, classes)
            for feature, edges in enumerate(self.edges)
        ]
        texts = [
            word_shares(rows.indicators[:, block.start : block.stop], codes, classes)
            for block in rows.indicator_blocks
            if block.kind == "bag"
        ]
        empty = np.zeros((classes, 0), dtype=np.int64)
        return np.hstack([empty, *numbers, *texts])
