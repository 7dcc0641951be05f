"""Counts of scores per class on a fixed public grid: all that an evaluator needs to know."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, BoolArray, FloatArray, IntArray, NDArray
from dpcore.data.counting.back_end import Progress, count_collection, count_here
from dpcore.data.counting.files import file_parts
from dpcore.data.counting.score_counter import ScoreCounter, add_rows
from dpcore.data.counting.score_tally import CELLS, CLIP, ScoreTally, score_cells
from dpcore.data.reading.dialect import Dialect
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.errors import InvalidArgument
from dpcore.privacy import Neighbors
from dpcore.schema.cell_arrays import cells_of, numbers_of


class ScoreHistogram:
    """Integer counts of scores per class, on cells of nearly equal width in logit.

    Parameters
    ----------
    positives, negatives : int array, shape (cells,)
        Number of records of each class whose score lies in the cell; lowest scores first.
    edges : float array, shape (cells + 1,)
        Edges of the cells on the probability scale, from 0 to 1, public and independent of data.
    left_out : int, default 0
        Number of rows without a label or a usable score (private): in no cell, see `as_counted`.

    Notes
    -----
    Scores are clipped to logits of +-20, so 0 and 1 fall into the end cells. The default cell is
    about 0.0006 wide in logit: no curve drawn on a screen can show it. A record falls into the same
    cell on every machine, so counts made apart agree to the bit (see `ScoreCells`).

    A histogram cannot be changed. It keeps only the cells that are not empty, where they are few,
    because each visitor of the app has some histograms; whoever asks is given every cell, in int64.

    Sensitivity
        L1 over both count vectors: add-remove 1, because a record has one class and one score;
        replace 2, because the record may leave one cell and enter another.

    Examples
    --------
    >>> scores = ScoreHistogram.from_arrays([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> scores.n_positive, scores.n_negative, scores.auc()
    (2, 2, 0.75)
    """

    def __init__(
        self, positives: IntArray, negatives: IntArray, edges: FloatArray, left_out: int = 0
    ) -> None:
        self._positives = _Counts(_checked("positives", positives, edges.size - 1))
        self._negatives = _Counts(_checked("negatives", negatives, edges.size - 1))
        self._edges, self._left_out = _frozen(edges), left_out

    @property
    def positives(self) -> IntArray:
        """Number of positive records in each cell (private), shape (cells,)."""
        return self._positives.every()

    @property
    def negatives(self) -> IntArray:
        """Number of negative records in each cell (private), shape (cells,)."""
        return self._negatives.every()

    @property
    def edges(self) -> FloatArray:
        """Public edges of the cells, shape (cells + 1,)."""
        return self._edges

    @property
    def left_out(self) -> int:
        """Number of rows in no cell (private)."""
        return self._left_out

    @classmethod
    def from_arrays(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object = None,
        scale: ScoreScale | str = PROBABILITY,
        bounds: tuple[float, float] | None = None,
        cells: int = CELLS,
        clip: float = CLIP,
    ) -> ScoreHistogram:
        """Count scores in one pass.

        A record without a label or a usable score is left out, as it is of files; no record makes
        an error.

        Parameters
        ----------
        y_true : array-like, shape (n,)
            Class of each record; whatever equals `pos_label` is positive. Labels are compared as
            schemas compare them, each by itself: 1, 1.0, True and "1" are the same label.
        y_score : array-like, shape (n,)
            The greater, the more a record speaks for the positive class; see `scale`.
        pos_label : object, optional
            1 if left out. Where no label means the same, every record counts as negative, and
            nobody is told: whether labels are numbers can depend on one of them.
        scale : {"probability", "percent", "log-odds", "any"}, default "probability"
            What scores are; usable in [0, 1], in [0, 100], or whatever the number. Of "any" only
            the order counts, and cells lie evenly in its bounds, up to the width of those in the
            middle, 0.00015 of the whole range. See `ScoreScale`.
        bounds : (float, float), optional
            Public ends of the scale "any".
        cells : int, default 65536
        clip : float, default 20
            Largest absolute logit that is told apart; see `score_cells`.

        Raises
        ------
        InvalidArgument
            If lengths differ, or either is no vector.
        """
        grid = score_cells(cells, clip)
        on = ScoreScale.of(scale, bounds)
        labels, scores = cells_of(y_true, "y_true"), numbers_of(y_score, "y_score")
        scores = scores if on == PROBABILITY else on.unit(scores)
        if labels.shape != scores.shape:
            raise InvalidArgument("y_score", scores.shape, f"a vector of y_true's {labels.shape}")
        positive = 1 if pos_label is None else pos_label
        tally = ScoreTally()
        add_rows(tally, labels, scores, positive)
        negatives, positives = tally.fold(grid)
        return cls(positives, negatives, grid.edges, tally.unusable)

    @classmethod
    def of_read(cls, positive: BoolArray, scores: FloatArray, left_out: int = 0) -> ScoreHistogram:
        """Count records whose class and score were read already, and so many that have none."""
        grid, tally = score_cells(), ScoreTally()
        tally.add(positive, scores)
        negatives, positives = tally.fold(grid)
        return cls(positives, negatives, grid.edges, tally.unusable + left_out)

    @classmethod
    @_check.passes_on(ScoreCounter, "positive", "negative")
    def from_files(
        cls,
        paths: Sequence[Path | str] | Path,
        *,
        label: str,
        score: str,
        scale: ScoreScale | str = PROBABILITY,
        bounds: tuple[float, float] | None = None,
        dialect: Dialect | None = None,
        workers: int | None = None,
        progress: Progress | None = None,
        **rules: Any,
    ) -> ScoreHistogram:
        """Count the scores in files, in memory that does not grow with them.

        Parameters
        ----------
        paths : sequence of Path or str, or one of them
            Parquet, CSV or TSV.
        label, score : str
            Names of the two columns.
        scale, bounds
            What scores are, as for `from_arrays`.
        dialect : Dialect, optional
            How texts are written. If left out, with a decimal point, and with the delimiter that
            the header shows.
        workers : int, optional
            Threads; as many as there are processors if left out.
        progress : callable, optional
            Called in this thread with the share that is done; what it raises ends the count.
        **rules
            `positive` and `negative` of `ScoreCounter`, which says what becomes of rows
            without a label or a usable score.

        Raises
        ------
        IntakeError
            If a file is absent, damaged, or lacks a column.
        """
        decimal = "." if dialect is None else dialect.decimal
        on = ScoreScale.of(scale, bounds)
        counter = ScoreCounter(label=label, score=score, scale=on, decimal=decimal, **rules)
        parts = file_parts(paths, counter.columns, dialect=dialect, numbers=counter.numbers)
        return cls.from_vector(count_here(parts, counter, workers=workers, progress=progress))

    @classmethod
    @_check.passes_on(ScoreCounter, "positive", "negative")
    def from_dask(
        cls,
        collection: Any,
        *,
        label: str,
        score: str,
        scale: ScoreScale | str = PROBABILITY,
        bounds: tuple[float, float] | None = None,
        scheduler: str | None = None,
        **rules: Any,
    ) -> ScoreHistogram:
        """Count the scores in a Dask data frame, where its partitions are.

        Parameters
        ----------
        collection : dask.dataframe.DataFrame
        label, score : str
            Names of the two columns.
        scale, bounds
            What scores are, as for `from_arrays`.
        scheduler : str, optional
            Address such as "tcp://10.0.0.1:8786"; the present client, or else threads of this
            process, if left out.
        **rules
            As for `from_files`.
        """
        on = ScoreScale.of(scale, bounds)
        counter = ScoreCounter(label=label, score=score, scale=on, **rules)
        return cls.from_vector(count_collection(collection, counter, scheduler=scheduler))

    @classmethod
    def from_vector(cls, counts: IntArray) -> ScoreHistogram:
        """Read what a `ScoreCounter` counted, which is on the default cells."""
        grid = score_cells()
        negatives, positives = counts[: 2 * grid.cells].reshape(2, grid.cells)
        return cls(positives, negatives, grid.edges, int(counts[2 * grid.cells :].sum()))

    @classmethod
    def all_from_vector(cls, counts: IntArray) -> list[ScoreHistogram]:
        """Read what a `ScoreCounter` counted of several scores or groups, one after the other."""
        return [cls.from_vector(one) for one in counts.reshape(-1, 2 * score_cells().cells + 1)]

    @classmethod
    def empty(cls, *, cells: int = CELLS, clip: float = CLIP) -> ScoreHistogram:
        """A histogram of no records: the neutral element of `merge`."""
        zeros = np.zeros(cells, dtype=np.int64)
        return cls(zeros, zeros.copy(), score_cells(cells, clip).edges)

    def merge(self, other: ScoreHistogram) -> ScoreHistogram:
        """Add the counts of two disjoint sets of records on the same grid."""
        if not np.array_equal(self.edges, other.edges):
            raise InvalidArgument("other", f"{other.edges.size - 1} cells", "on the same grid")
        sums = self.positives + other.positives, self.negatives + other.negatives
        return ScoreHistogram(*sums, self.edges, self.left_out + other.left_out)

    __add__ = merge

    def as_counted(self, neighbors: Neighbors) -> ScoreHistogram:
        """The counts that an evaluator reads in a neighbour relation.

        Privacy
            Under replace the number of records is public, so a row that was left out counts again:
            as negative, with the lowest score. It is then one record before and after it is
            replaced. Under add-remove nothing changes. No other place adds a row that was left out.

        Examples
        --------
        >>> scores = ScoreHistogram.from_vector(np.append(np.zeros(2 * CELLS, dtype=np.int64), 3))
        >>> [scores.as_counted(one).n_negative for one in Neighbors]
        [0, 3]
        """
        if neighbors is Neighbors.ADD_REMOVE:
            return self
        negatives = with_left_out(self.negatives, self.left_out, neighbors)
        return ScoreHistogram(self.positives, negatives, self.edges)

    @property
    def positives_below(self) -> IntArray:
        """Number of positive records below each edge (private), shape (cells + 1,)."""
        return self._positives.below()

    @property
    def negatives_below(self) -> IntArray:
        """Number of negative records below each edge (private), shape (cells + 1,)."""
        return self._negatives.below()

    @property
    def n_positive(self) -> int:
        """Number of positive records (private)."""
        return self._positives.total

    @property
    def n_negative(self) -> int:
        """Number of negative records (private)."""
        return self._negatives.total

    @property
    def centers(self) -> FloatArray:
        """Middle of each cell on the probability scale, shape (cells,)."""
        return np.asarray((self.edges[:-1] + self.edges[1:]) / 2.0, dtype=np.float64)

    def roc(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The exact ROC curve of the binned scores: the truth, for simulations only.

        Returns
        -------
        fpr, tpr, thresholds : float arrays, shape (points,)
            From (0, 0) to (1, 1); a record counts as positive if its score is at least the
            threshold. If one class is empty its rate follows the other's: the chance diagonal.
        """
        positives, negatives = self.positives, self.negatives
        filled = np.flatnonzero(positives + negatives)[::-1]
        true_positives = np.concatenate([[0.0], np.cumsum(positives[filled])])
        false_positives = np.concatenate([[0.0], np.cumsum(negatives[filled])])
        thresholds = np.concatenate([[np.inf], self.edges[filled]])
        if not filled.size:
            return np.array([0.0, 1.0]), np.array([0.0, 1.0]), np.array([np.inf, 0.0])
        if not self.n_positive:
            true_positives = false_positives
        if not self.n_negative:
            false_positives = true_positives
        fpr = false_positives / false_positives[-1]
        tpr = true_positives / true_positives[-1]
        return fpr, tpr, thresholds

    def auc(self) -> float:
        """Area under the exact curve of the binned scores; a half if a class is empty."""
        pairs = self.n_positive * self.n_negative
        if pairs == 0:
            return 0.5
        negatives = self.negatives
        below = np.cumsum(negatives) - negatives / 2.0
        return float(self.positives @ below / pairs)


def with_left_out(counts: IntArray, left_out: int, neighbors: Neighbors) -> IntArray:
    """Counts of cells, lowest first, with the records of no cell where they count."""
    counted = counts.copy()
    counted[0] += neighbors.pick(add_remove=0, replace=left_out)
    return counted


class _Counts:
    """Counts of cells in little room: few in large files, and few of many cells in small ones."""

    def __init__(self, counts: IntArray) -> None:
        filled = np.flatnonzero(counts)
        few = filled.size * _FEW < counts.size
        self._cells, self.total = counts.size, int(counts.sum())
        self._filled = _narrow(filled) if few else None
        self._counts = _narrow(counts[filled] if few else counts)

    def every(self) -> IntArray:
        """All of them, shape (cells,)."""
        if self._filled is None:
            return _frozen(self._counts.astype(np.int64))
        wide = np.zeros(self._cells, dtype=np.int64)
        wide[self._filled] = self._counts
        return _frozen(wide)

    def below(self) -> IntArray:
        """How many are below each edge, shape (cells + 1,)."""
        running = np.concatenate([[0], np.cumsum(self._counts, dtype=np.int64)])
        if self._filled is not None:
            edges = np.concatenate([[-1], self._filled, [self._cells]])
            running = np.repeat(running, np.diff(edges))
        return _frozen(running)


# All cells are kept, unless fewer than one of so many is filled.
_FEW = 8


def _checked(name: str, given: ArrayLike, cells: int) -> IntArray:
    counts = np.asarray(given, dtype=np.int64)
    if counts.shape != (cells,) or (counts < 0).any():
        raise InvalidArgument(name, counts.shape, f"{cells} counts of zero or more")
    return counts


def _narrow(counts: IntArray) -> NDArray[Any]:
    """Numbers in the narrowest integers that hold the largest one."""
    return counts.astype(np.min_scalar_type(int(counts.max(initial=0))))


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()  # the caller's own array stays writable
    view.setflags(write=False)
    return view
