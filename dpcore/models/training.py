"""Training records, as a method is given them, or counts of records that were counted elsewhere."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from threading import Lock
from typing import Any, ClassVar, TypeVar

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import FeatureCounts, FeatureHistograms, Moments, feature_counts
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.data.counting.number_cells import cell_counts
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.regression.newton import Common
from dpcore.mechanisms.regression.parted_objective import Repeated, RowsOrPartitions
from dpcore.mechanisms.regression.tables import Rows
from dpcore.mechanisms.smooth import UNIT, Grouped, on_unit_grid
from dpcore.mechanisms.smooth.statistics import OrderedCells
from dpcore.schema import Block, FeatureSpace

# Designs that stay, and whoever changes which these are.
_KEPT_DESIGNS, _KEPT_IN_COMMON = 3, 16
_DESIGNS = Lock()

Kept = TypeVar("Kept")


@dataclass(frozen=True)
class Training:
    """Private records, every one within its public bounds and in a declared class.

    Parameters
    ----------
    classes : int array, shape (n,)
        Class of each record, 0 to n_classes - 1.
    """

    rows: BoundedRows
    classes: IntArray
    n_classes: int

    # Whether the records are here, and not only sums over them.
    has_rows: ClassVar[bool] = True

    @classmethod
    def of(cls, rows: BoundedRows, classes: IntArray, n_classes: int) -> Training:
        """Leave out records of undeclared class (-1): each by its own label, whoever else is there.

        One record then still changes any sum over records by its own summand at most, under both
        neighbour relations; the number of records kept is private under both.
        """
        if (classes < 0).any():
            declared = np.flatnonzero(classes >= 0)
            rows, classes = rows.take(declared), classes[declared]
        return cls(rows, classes, n_classes)

    @property
    def space(self) -> FeatureSpace:
        """What the columns are."""
        return self.rows.space

    @cached_property
    def sizes(self) -> IntArray:
        """Number of records per class, shape (n_classes,)."""
        return feature_counts.class_sizes(self.classes, self.n_classes)

    @cached_property
    def indicator_counts(self) -> IntArray:
        """Number of ones per class and indicator, shape (n_classes, indicators)."""
        return feature_counts.feature_counts(self.rows.indicators, self.classes, self.n_classes)

    @cached_property
    def grouped(self) -> Grouped:
        """The numbers mapped from their bounds to [-1, 1], by class."""
        return Grouped(self.rows.scaled, self.classes)

    def require_unchanged(self) -> None:
        """Records that are here stay what they are; see `PartedTraining` for others."""

    def design(self, columns: Callable[[BoundedRows], Rows]) -> RowsOrPartitions:
        """The columns of a regression, shape (n, d), by a rule for each row, and the classes."""
        return columns(self.rows), self.classes

    def summed(self, sums: Callable[[Training], FloatArray]) -> FloatArray:
        """Sums over the records (private); their sensitivity is what `sums` has."""
        return sums(self)

    def cell_counts(self, edges: tuple[FloatArray, ...]) -> list[IntArray]:
        """Number of records per class and cell of each number, shape (n_classes, cells) (private).

        Sensitivity
            *Add-remove*, L1: 1 per feature, because a record is in one class and one cell, which is
            the last one if the number is missing and may be. *Replace*: 2 per feature.
        """
        widths = [grid.size - 1 for grid in edges]
        return cell_counts(self.rows.cells(edges), widths, self.classes, self.n_classes)

    def word_shares(self, block: Block) -> FloatArray:
        """Sum per class and word of the rows of a text, each scaled to add up to one (private).

        Sensitivity
            *Add-remove*, L1: 1, in one class; *replace*: 2. A row of k words adds 1/k, rounded down
            to 2^-24, to each. Sums are exact, so one record moves them by its own summand and no
            more.

        Returns
        -------
        float array, shape (n_classes, words)
        """
        words = self.rows.indicators[:, block.start : block.stop]
        units = feature_counts.word_shares(words, self.classes, self.n_classes)
        return np.asarray(units / feature_counts.SHARE_UNITS, dtype=np.float64)

    @cached_property
    def moment_sums(self) -> FloatArray:
        """Sums of u and of u^2 - 1/2 per class, shape (2, n_classes, numeric features) (private).

        u is a number mapped from its bounds to [-1, 1]. Summands are whole multiples of 2^-30,
        which add up without rounding, in any order, for up to 2^33 records: so one record moves the
        sums by its own summand and no more. Neither summand grows by being rounded, because the
        largest, 1 and 1/2, are on the grid.
        """
        columns = self.rows.scaled_columns()
        units = feature_counts.moment_units(columns, self.classes, self.n_classes)
        return np.asarray(units / feature_counts.MOMENT_UNITS, dtype=np.float64)

    @cached_property
    def sums_and_roots(self) -> tuple[FloatArray, FloatArray]:
        """Sums, and roots of sums of squared deviations, of the numbers on [-1, 1] (private).

        Shape (n_classes, numeric features) each. In whole cells of 2^-16, so that nothing depends
        on the order of the records.
        """
        cells = on_unit_grid(self.rows.scaled)
        sums, squares = np.zeros((2, self.n_classes, cells.shape[1]))
        for label in range(self.n_classes):
            members = cells[self.classes == label]
            sums[label] = members.sum(axis=0) / UNIT
            if members.size:
                squares[label] = [OrderedCells(one).least_squares(one.size) for one in members.T]
        return sums, np.sqrt(squares) / UNIT

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the records that is the same for a dense, a sparse or a 32-bit matrix.

        It labels the stream of simulated noise: a simulation that is run again gives the same
        model, while another fold of the records gets other noise. Never used with real noise.
        """
        means = self._totals() / max(int(self.sizes.sum()), 1)
        # Rounded, so that the order of summation does not show; adding 0 turns -0 into 0.
        rounded = (np.round(means, 6) + 0.0).tolist()
        summary = (self.sizes.tolist(), self.indicator_counts.tolist(), rounded)
        return hashlib.sha256(repr(summary).encode()).hexdigest()

    def _totals(self) -> FloatArray:
        """Sums of the numbers on [-1, 1], shape (numeric features,)."""
        low, high = self.space.numeric_bounds / 2.0
        columns = zip(self.rows.numeric.T, low + high, strict=True)
        halves: FloatArray = high - low
        sums = np.array([(column - middle).sum() for column, middle in columns]) / halves
        if not np.isfinite(sums).all():
            sums = np.array([column.sum() for column in self.rows.scaled_columns()])
        return sums


def _contents(rule: Any) -> Hashable:
    """What makes two layouts one: arrays by their values; other rules are what they are."""
    if isinstance(rule, np.ndarray):
        return rule.shape, rule.dtype.str, rule.tobytes()
    if isinstance(rule, tuple):
        return tuple(map(_contents, rule))
    if is_dataclass(rule):
        return type(rule), tuple(_contents(getattr(rule, one.name)) for one in fields(rule))
    return rule  # type: ignore[no-any-return]


def _lately(kept: dict[Hashable, Kept], name: Hashable, new: Kept, most: int) -> Kept:
    """What has that name, or is new, among the last few that were asked for."""
    kept[name] = found = kept.pop(name, new)
    for oldest in list(kept)[:-most]:
        del kept[oldest]
    return found


@dataclass(frozen=True, eq=False, repr=False)
class RepeatedTraining(Training):
    """Records for many simulations: what noise adds nothing to is counted once.

    The last few designs stay, which other draws and epsilons share. What the objectives of a design
    have in common is small, and stays longer; not for ever, since noise chooses many a design.
    """

    _designs: dict[Hashable, Repeated] = field(default_factory=dict, init=False)
    _common: dict[Hashable, Common] = field(default_factory=dict, init=False)
    _counted: dict[Hashable, list[IntArray]] = field(default_factory=dict, init=False)

    def design(self, columns: Callable[[BoundedRows], Rows]) -> RowsOrPartitions:
        """The same, made once for the same layout; another rule hangs on what was drawn."""
        layout = getattr(columns, "__self__", None)
        if layout is None:
            return super().design(columns)
        rule = _contents(layout)
        with _DESIGNS:
            found = self._designs.pop(rule, None)
            common = _lately(self._common, rule, Common(), _KEPT_IN_COMMON)
        if found is None:
            found = Repeated(columns(self.rows), self.classes, common)
        # Another thread may have been at work on the same one: whoever was first is right.
        with _DESIGNS:
            return _lately(self._designs, rule, found, _KEPT_DESIGNS)

    def cell_counts(self, edges: tuple[FloatArray, ...]) -> list[IntArray]:
        """The same, counted once for the same grids."""
        grids = _contents(edges)
        found = self._counted.get(grids) or super().cell_counts(edges)
        with _DESIGNS:
            return _lately(self._counted, grids, found, _KEPT_IN_COMMON)


@dataclass(frozen=True)
class CountedTraining(Training):
    """Aggregates in place of records, for methods that read sums alone.

    `rows` is empty: it says what the columns are, and nothing else.

    Parameters
    ----------
    order : int array, shape (n_classes,)
        Where each class stands in them: they have the order of the schema, a model that of labels.
    """

    counts: FeatureCounts
    moments: Moments
    histograms: FeatureHistograms | None
    order: IntArray

    has_rows: ClassVar[bool] = False

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

    @cached_property
    def sizes(self) -> IntArray:
        """Number of records per class, shape (n_classes,)."""
        return self.counts.sizes[self.order]

    @cached_property
    def indicator_counts(self) -> IntArray:
        """Number of ones per class and indicator, shape (n_classes, indicators)."""
        return self.counts.counts[self.order]

    @cached_property
    def moment_sums(self) -> FloatArray:
        """Sums of u and of u^2 - 1/2 per class, shape (2, n_classes, numeric features)."""
        return self.moments.sums[:, self.order]

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
