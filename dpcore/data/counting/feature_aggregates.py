"""Class sizes, counts, moments and histograms of the features of a table of any size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import feature_counts
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.data.counting.number_cells import cell_counts, with_missing_cell
from dpcore.errors import InvalidArgument
from dpcore.schema import Block, FeatureSpace, Schema


@dataclass(frozen=True, eq=False)
class FeatureCounts(feature_counts.RowAggregate):
    """How many records each class has, and in how many of them each indicator is one.

    Parameters
    ----------
    sizes : int array, shape (classes,)
    counts : int array, shape (classes, indicators)
        In the order of the indicators among the features of `space`.
    space : FeatureSpace
        Public.
    classes : tuple of str
        Labels in the order of `sizes`; public.

    Sensitivity
        Of `sizes`, L1: add-remove 1, replace 2. Of `counts`: add-remove `space.max_indicators`,
        because rows are bounded before they are counted; replace twice that.

    Examples
    --------
    >>> from dpcore.schema import Binary, Label
    >>> schema = Schema((Binary("smokes", ("no", "yes")), Label("ill", ("no", "yes"))))
    >>> import pandas as pd
    >>> table = pd.DataFrame({"smokes": ["yes", "no", "yes"], "ill": ["yes", "no", "no"]})
    >>> found = FeatureCounts.from_frame(table, schema)
    >>> first, rest = (FeatureCounts.from_frame(part, schema) for part in (table[:1], table[1:]))
    >>> found.sizes.tolist(), found.counts.tolist(), (first + rest).counts.tolist()
    ([2, 1], [[1], [1]], [[1], [1]])
    """

    sizes: IntArray
    counts: IntArray

    @classmethod
    def _count(cls, rows: BoundedRows, codes: IntArray, classes: int, **public: Any) -> IntArray:
        sizes = feature_counts.class_sizes(codes, classes)
        counts = feature_counts.feature_counts(rows.indicators, codes, classes)
        return np.column_stack([sizes, counts]).ravel()

    @classmethod
    def _of(cls, counts: IntArray, schema: Schema, **public: Any) -> FeatureCounts:
        classes = schema.label.classes
        # For each class its size, and then its indicators.
        rows = counts.reshape(len(classes), -1)
        return cls(rows[:, 0], rows[:, 1:], space=FeatureSpace.of(schema), classes=classes)


@dataclass(frozen=True, eq=False)
class Moments(feature_counts.RowAggregate):
    """Per class the size, and the sums of u and of u^2 - 1/2 of each numeric feature.

    u is the feature mapped from its public bounds to [-1, 1]. Summands are rounded to whole units
    of 2^-30, so sums do not depend on order, and merging is associative to the bit.

    Parameters
    ----------
    sizes : int array, shape (classes,)
    totals : int array, shape (2, classes, numeric features)
        In units of 2^-30.
    space : FeatureSpace
        Public.
    classes : tuple of str
        Labels in the order of `sizes`; public.

    Sensitivity
        Of `sums`, L1 per feature: add-remove 3/2, the most that |u| + |u^2 - 1/2| can be on
        [-1, 1]; replace 3.

    Examples
    --------
    >>> from dpcore.schema import Label, Numeric
    >>> schema = Schema((Numeric("age", (0, 100)), Label("ill", ("no", "yes"))))
    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": [100, 50, 0], "ill": ["yes", "no", "no"]})
    >>> found = Moments.from_frame(table, schema)
    >>> found.sizes.tolist(), found.sums.tolist()
    ([2, 1], [[[-1.0], [1.0]], [[0.0], [0.5]]])
    """

    sizes: IntArray
    totals: IntArray

    @property
    def sums(self) -> FloatArray:
        """Sums of u and of u^2 - 1/2 (private), shape (2, classes, numeric features)."""
        return np.asarray(self.totals / feature_counts.MOMENT_UNITS, dtype=np.float64)

    @classmethod
    def _count(cls, rows: BoundedRows, codes: IntArray, classes: int, **public: Any) -> IntArray:
        sizes = feature_counts.class_sizes(codes, classes)
        totals = feature_counts.moment_units(rows.scaled_columns(), codes, classes)
        return np.concatenate([sizes, totals.ravel()])

    @classmethod
    def _of(cls, counts: IntArray, schema: Schema, **public: Any) -> Moments:
        classes = schema.label.classes
        sizes, totals = counts[: len(classes)], counts[len(classes) :]
        totals = totals.reshape(2, len(classes), -1)
        return cls(sizes, totals, space=FeatureSpace.of(schema), classes=classes)


Edges: TypeAlias = tuple[FloatArray, ...]


@dataclass(frozen=True, eq=False)
class FeatureHistograms(feature_counts.RowAggregate):
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

    @classmethod
    def _counter(
        cls, schema: Schema, edges: Sequence[Sequence[float] | FloatArray] = (), **public: Any
    ) -> feature_counts.RowCounter:
        numeric = FeatureSpace.of(schema).numeric_features
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
        return super()._counter(schema, edges=given)

    @classmethod
    def _count(cls, rows: BoundedRows, codes: IntArray, classes: int, **public: Any) -> IntArray:
        edges = public["edges"]
        found = [np.zeros((classes, 0), dtype=np.int64)]
        found += cell_counts(rows.cells(edges), [one.size - 1 for one in edges], codes, classes)
        for text in _texts(rows.indicator_blocks):
            words = rows.indicators[:, text.start : text.stop]
            found.append(feature_counts.word_shares(words, codes, classes))
        return np.hstack(found).ravel()

    @classmethod
    def _of(cls, counts: IntArray, schema: Schema, **public: Any) -> FeatureHistograms:
        classes, edges = schema.label.classes, public["edges"]
        rows = counts.reshape(len(classes), -1)
        split = sum(one.size - 1 for one in edges)
        cells, shares = rows[:, :split], rows[:, split:]
        return cls(cells, shares, edges, space=FeatureSpace.of(schema), classes=classes)

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
        for text in _texts(self.space.blocks):
            width = text.stop - text.start
            if text.name == block.name:
                found = self.shares[:, start : start + width] / feature_counts.SHARE_UNITS
                return np.asarray(found, dtype=np.float64)
            start += width
        raise InvalidArgument("block", block.name, "a text of the table")


def _texts(blocks: Sequence[Block]) -> list[Block]:
    return [block for block in blocks if block.kind == "bag"]
