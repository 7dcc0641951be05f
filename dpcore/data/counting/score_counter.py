"""From batches of rows to a vector of counts of scores."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

from dpcore._typing import ArrayLike, BoolArray, IntArray, NDArray
from dpcore.data.counting.back_end import Columns, as_series
from dpcore.data.counting.score_tally import ByteColumn, ScoreTally
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale, declared_scores
from dpcore.schema.cell_arrays import cells_of
from dpcore.schema.cells import Decimal, cell_text, codes_of_classes
from dpcore.schema.labels import is_known, is_positive


@dataclass(frozen=True, kw_only=True)
class ScoreCounter:
    """Counts rows of a label and a score; a row that has none of either is left out.

    Each row is read by itself, and none makes it fail: what one row holds changes neither the place
    of another nor whether there is a result.

    Parameters
    ----------
    label, score
        Names of the columns.
    positive
        The label of the positive class, in capital or small letters; see `is_positive`.
    negative
        The label of the other one, and then rows with any further label are left out. If left out,
        every label that is there and not positive is negative.
    scale : ScoreScale, default that of probabilities
        What scores are. A probability outside [0, 1] is no usable score.
    decimal : {".", ","}, default "."
        Decimal mark of scores that are texts.
    score_b
        Column of another model's score: both models are counted once more, of the rows alone that
        have a usable score of each.
    group
        Column by whose `levels` the rows are counted once more; all other rows come last.
    classes, class_scores : tuple, tuple of str
        Labels, and the column of the score of each: the rows that have them all are counted once
        more for each class, which is positive then, and every other label is not.

    Examples
    --------
    >>> counter = ScoreCounter(label="y", score="p")
    >>> rows = {"y": np.array([1, 0, 1]), "p": np.array([0.9, 0.2, np.nan])}
    >>> counts = counter([rows])
    >>> int(counts[:-1].sum()), int(counts[-1])
    (2, 1)
    """

    label: str
    score: str
    positive: object = 1
    negative: object | None = None
    scale: ScoreScale = PROBABILITY
    decimal: Decimal = "."
    score_b: str | None = None
    group: str | None = None
    levels: tuple[object, ...] = ()
    classes: tuple[object, ...] = ()
    class_scores: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", ScoreScale.of(self.scale))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that it reads."""
        more = (one for one in (self.score_b, self.group) if one is not None)
        return tuple(dict.fromkeys((self.label, self.score, *more, *self.class_scores)))

    @property
    def numbers(self) -> dict[str, Decimal]:
        """Columns that may be handed over as floats, and the decimal mark of each.

        That of scores is none of labels and groups, which are compared as texts: "1,0" would be 1
        or not, as all cells beside it are numbers or one is not.
        """
        scores, words = {self.score, self.score_b, *self.class_scores}, {self.label, self.group}
        read_twice = scores & words if self.decimal != "." else set()
        marks = {name: self.decimal if name in scores else "." for name in self.columns}
        return {name: marks[name] for name in marks if name not in read_twice}

    @property
    def several(self) -> int:
        """How many histograms it counts."""
        groups = 0 if self.group is None else len(self.levels) + 1
        return 1 + 2 * (self.score_b is not None) + groups + len(self.classes)

    def __call__(self, batches: Iterable[Columns]) -> IntArray:
        """Count.

        Returns
        -------
        int array, shape (k (2 cells + 1),)
            Negatives and positives per default cell, and how many rows were left out (private): of
            the score; then of both models, of each group and of each class, if these are wanted.
        """
        models = 2 * (self.score_b is not None)
        groups = 1 if self.group is None else len(self.levels) + 1
        first, others = ScoreTally(groups), [ScoreTally() for _ in (*range(models), *self.classes)]
        meaning = partial(_groups, levels=self.levels)
        for batch in batches:
            labels, scores = batch[self.label], self._scores(batch[self.score])
            by = None if self.group is None else ByteColumn.of(batch[self.group], meaning)
            add_rows(first, labels, scores, self.positive, self.negative, by, self.classes)
            for tally, more in zip(others, self._others(batch, scores), strict=True):
                add_rows(tally, labels, *more, classes=self.classes)
        # Each row is in one group: so all rows are counted by adding these up.
        by_group = [first.vector(group) for group in range(groups)]
        found = [one.vector() for one in others]
        every = [sum(by_group[1:], by_group[0]), *found[:models]]
        of_groups = [] if self.group is None else by_group
        return np.concatenate([*every, *of_groups, *found[models:]])

    def _others(
        self, batch: Columns, scores: NDArray[Any]
    ) -> Iterator[tuple[NDArray[Any], object, object | None]]:
        """Scores, positive and negative label of models and classes."""
        if self.score_b is not None:
            for one in usable_by_all(scores, self._scores(batch[self.score_b])):
                yield one, self.positive, self.negative
        if self.classes:
            every = usable_by_all(*(self._scores(batch[name]) for name in self.class_scores))
            for label, one in zip(self.classes, every, strict=True):
                yield one, label, None

    def named(self, counts: Sequence[Any]) -> dict[str, Any]:
        """What was counted, in the order of the vector, as `evaluate_scores` takes it."""
        rest = iter(counts)
        found: dict[str, Any] = {"scores": next(rest)}
        if self.score_b is not None:
            found["models"] = next(rest), next(rest)
        if self.group is not None:
            found["groups"] = {name: next(rest) for name in (*self.levels, None)}
        if self.classes:
            found["classes"] = {cell_text(name): next(rest) for name in self.classes}
        return found

    def _scores(self, cells: NDArray[Any]) -> NDArray[Any]:
        # The tally tells probabilities from other numbers, and those of 32 bits as they are.
        if cells.dtype.kind == "f" and self.scale == PROBABILITY:
            return cells
        return declared_scores(as_series(cells), self.decimal, self.scale)


def add_rows(
    tally: ScoreTally,
    labels: NDArray[Any],
    scores: NDArray[Any],
    positive: object,
    negative: object | None = None,
    group: ByteColumn | None = None,
    classes: tuple[object, ...] = (),
) -> None:
    """Add rows to a tally, each read by itself.

    Parameters
    ----------
    tally
        Counts apart what has no usable score, or no label.
    labels : array, shape (n,)
    scores : float array, shape (n,)
    positive, negative, classes
        See `ScoreCounter`.
    group
        See `ScoreTally`.

    Examples
    --------
    >>> tally = ScoreTally()
    >>> add_rows(tally, np.array([1.0, np.nan, 0.0]), np.array([0.5, 0.5, 7.0]), 1)
    >>> tally.unusable
    2
    """
    known = is_known(labels, positive, negative)
    if known is not None and not known.all():
        scores = np.where(known, scores, scores.dtype.type(np.nan))
    others = classes if negative is None else (negative, *classes)
    of_class = ByteColumn.of(labels, _marks(cell_text(positive), tuple(map(cell_text, others))))
    tally.add(of_class, scores, group)


@lru_cache(maxsize=64)
def _marks(positive: str, others: tuple[str, ...]) -> Callable[[NDArray[Any]], BoolArray]:
    """The same for all batches, so that what each byte means is found once."""
    return partial(is_positive, positive=positive, others=others)


def usable_by_all(*scores: NDArray[Any]) -> list[NDArray[Any]]:
    """Several scores of the same records; one without a usable one of each has none of any.

    Examples
    --------
    >>> [one.tolist() for one in usable_by_all(np.array([0.1, 0.2]), np.array([0.3, 2.0]))]
    [[0.1, nan], [0.3, nan]]
    """
    # Also false for NaN.
    usable = np.array([(one >= 0.0) & (one <= 1.0) for one in scores]).all(axis=0)
    return [np.where(usable, one, one.dtype.type(np.nan)) for one in scores]


def rows_by_group(group: ArrayLike, *, levels: Sequence[object]) -> list[BoolArray]:
    """Which records are of each level, and of none, last (private); each shape (n,).

    A record goes to the level that its own cell means, whatever the cells of others are.
    """
    codes = _codes(cells_of(group, "group"), levels)
    return [codes == place for place in (*range(len(levels)), -1)]


def _groups(cells: NDArray[Any], *, levels: tuple[object, ...]) -> IntArray:
    """The group of each row: a level, or the last for all others."""
    codes = _codes(cells, levels)
    return np.where(codes < 0, len(levels), codes)


def _codes(cells: NDArray[Any], levels: Sequence[object]) -> IntArray:
    return codes_of_classes(cells, [cell_text(level) for level in levels])
