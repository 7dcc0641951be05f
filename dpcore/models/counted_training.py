"""What a training method is given of records that were counted elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import FeatureCounts, FeatureHistograms, Moments
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import InvalidArgument
from dpcore.models.training import Training
from dpcore.schema import Block

__all__ = ["CountedTraining"]


@dataclass(frozen=True)
class CountedTraining(Training):
    """Aggregates in place of records, for methods that read sums alone.

    `rows` is empty: it says what the columns are, and nothing else.

    Parameters
    ----------
    counts : FeatureCounts
    moments : Moments
    histograms : FeatureHistograms, optional
    order : int array, shape (n_classes,)
        Where each class stands in them: they have the order of the schema, a model that of labels.
    """

    counts: FeatureCounts
    moments: Moments
    histograms: FeatureHistograms | None
    order: IntArray

    @classmethod
    def of_aggregates(
        cls,
        counts: FeatureCounts,
        moments: Moments,
        histograms: FeatureHistograms | None = None,
        *,
        order: IntArray | None = None,
    ) -> CountedTraining:
        """Take the counts of a table, and the sums and histograms of its numbers.

        All are of the same schema; the sizes are those of `counts`. Classes stay in their order
        unless told another.

        Raises
        ------
        InvalidArgument
            If they are not of the same records. Noise that histograms share hides one record in all
            of them; what one holds and another lacks would be published as it is.
        """
        _require_same_records(counts, moments, histograms)
        nobody = BoundedRows.of(np.zeros((0, len(counts.space.features))), counts.space)
        none, classes = np.zeros(0, dtype=np.int64), counts.sizes.size
        places = np.arange(classes) if order is None else order
        return cls(nobody, none, classes, counts, moments, histograms, places)

    @property
    def sizes(self) -> IntArray:
        """Number of records per class, shape (n_classes,)."""
        return self.counts.sizes[self.order]

    @property
    def indicator_counts(self) -> IntArray:
        """Number of ones per class and indicator, shape (n_classes, indicators)."""
        return self.counts.counts[self.order]

    @property
    def moment_sums(self) -> FloatArray:
        """Sums of u and of u^2 - 1/2 per class, shape (2, n_classes, numeric features)."""
        return self.moments.sums[:, self.order]

    @property
    def has_rows(self) -> bool:
        """There are none."""
        return False

    def cell_counts(self, edges: tuple[FloatArray, ...]) -> list[IntArray]:
        """Number of records per class and cell of each number, shape (n_classes, cells) each."""
        return [cells[self.order] for cells in self._histograms.on(edges)]

    def word_shares(self, block: Block) -> FloatArray:
        """Sum per class of the shares of the words of a text, shape (n_classes, words)."""
        return self._histograms.shares_of(block)[self.order]

    @property
    def _histograms(self) -> FeatureHistograms:
        if self.histograms is None:
            raise InvalidArgument("histograms", None, "given, because this method reads them")
        return self.histograms

    def _totals(self) -> FloatArray:
        return np.asarray(self.moment_sums[0].sum(axis=0), dtype=np.float64)


def _require_same_records(
    counts: FeatureCounts, moments: Moments, histograms: FeatureHistograms | None
) -> None:
    """Every number has each record once, in the class in which the others have it."""
    sizes = [moments.sizes]
    if histograms is not None:
        whole = [one[[0, -1]] for one in histograms.edges]
        sizes += [cells[:, 0] for cells in histograms.on(whole)]
        # Texts alone have no cells; they are of the same classes at least.
        sizes += [counts.sizes[: len(histograms.shares)]]
    if not all(np.array_equal(one, counts.sizes) for one in sizes):
        requirement = "counted from the same records, by the same label"
        raise InvalidArgument("aggregates", "of different records", requirement)
