"""From batches of rows to a vector of counts of scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dpcore._typing import BoolArray, IntArray
from dpcore.data.counting.back_end import Columns
from dpcore.data.counting.score_tally import ScoreTally, score_cells
from dpcore.data.reading.label_classes import is_known, is_positive
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale, declared_scores
from dpcore.schema.cell_arrays import cells_of
from dpcore.schema.cells import Decimal, cell_text, level_codes


@dataclass(frozen=True, kw_only=True)
class ScoreCounter:
    """Counts rows of a label and a score; a row that has none of either is left out.

    Each row is read by itself, and none makes it fail: what one row holds changes neither the place
    of another nor whether there is a result.

    Parameters
    ----------
    label, score
        Names of the columns.
    positive : object, default 1
        The label of the positive class.
    negative
        The label of the other one, and then rows with any further label are left out. If left out,
        every label that is there and not positive is negative.
    scale : ScoreScale, default that of probabilities
        What scores are. A probability outside [0, 1] is no usable score.
    decimal : {".", ","}, default "."
        Decimal mark of scores that are texts.
    score_b : str, optional
        Column of another model's score: both models are counted once more, of the rows alone that
        have a usable score of each.
    group : str, optional
        Column by whose `levels` the rows are counted once more; all other rows come last.

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

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", ScoreScale.of(self.scale))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that it reads."""
        more = (one for one in (self.score_b, self.group) if one is not None)
        return tuple(dict.fromkeys((self.label, self.score, *more)))

    def __call__(self, batches: Iterable[Columns]) -> IntArray:
        """Count.

        Returns
        -------
        int array, shape (k (2 cells + 1),)
            Negatives and positives per default cell, and how many rows were left out (private): of
            the score; then of both models, and of each group, if these are wanted.
        """
        several = 1 + 2 * (self.score_b is not None)
        groups = 0 if self.group is None else len(self.levels) + 1
        tallies = [ScoreTally() for _ in range(several + groups)]
        unlabelled = [0] * len(tallies)
        for batch in batches:
            labels, scores = batch[self.label], self._scores(batch[self.score])
            counted = [(labels, scores)]
            if self.score_b is not None:
                both = usable_by_both(scores, self._scores(batch[self.score_b]))
                counted += [(labels, one) for one in both]
            if self.group is not None:
                rows = rows_by_group(batch[self.group], levels=self.levels)
                counted += [(labels[here], scores[here]) for here in rows]
            for place, (some, theirs) in enumerate(counted):
                unlabelled[place] += add_rows(
                    tallies[place], some, theirs, self.positive, self.negative
                )
        return np.concatenate(
            [
                np.append(score_cells().fold(tally.levels()).ravel(), missing + tally.unusable)
                for tally, missing in zip(tallies, unlabelled, strict=True)
            ]
        )

    def _scores(self, cells: NDArray[Any]) -> NDArray[Any]:
        # The tally tells probabilities from other numbers, and those of 32 bits as they are.
        if cells.dtype.kind == "f" and self.scale == PROBABILITY:
            return cells
        return declared_scores(pd.Series(cells), self.decimal, self.scale)


def add_rows(
    tally: ScoreTally,
    labels: NDArray[Any],
    scores: NDArray[Any],
    positive: object,
    negative: object | None = None,
) -> int:
    """Add rows to a tally, each read by itself, and say how many have no label.

    Parameters
    ----------
    tally
        Counts apart what is no usable score.
    labels : array, shape (n,)
    scores : float array, shape (n,)
    positive, negative
        See `ScoreCounter`.

    Examples
    --------
    >>> tally = ScoreTally()
    >>> add_rows(tally, np.array([1.0, np.nan, 0.0]), np.array([0.5, 0.5, 7.0]), 1), tally.unusable
    (1, 1)
    """
    is_one = is_positive(labels, positive)
    known = is_known(labels, positive, negative)
    if known is None or known.all():
        tally.add(is_one, scores)
        return 0
    tally.add(is_one[known], scores[known])
    return int(scores.size - np.count_nonzero(known))


def usable_by_both(a: NDArray[Any], b: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both models' scores; a record without a usable one of both has none of either.

    Examples
    --------
    >>> [one.tolist() for one in usable_by_both(np.array([0.1, 0.2]), np.array([0.3, 2.0]))]
    [[0.1, nan], [0.3, nan]]
    """
    usable = (a >= 0.0) & (a <= 1.0) & (b >= 0.0) & (b <= 1.0)
    one, other = (np.where(usable, each, each.dtype.type(np.nan)) for each in (a, b))
    return one, other


def rows_by_group(group: ArrayLike, *, levels: Sequence[object]) -> list[BoolArray]:
    """Which records are of each level, and of none, last (private); each shape (n,).

    A record goes to the level that its own cell means, whatever the cells of others are.
    """
    names = [cell_text(level) for level in levels]
    codes = level_codes(cells_of(group, "group"), names)
    return [codes == place for place in (*range(len(names)), -1)]
