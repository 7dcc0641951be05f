"""From batches of rows to a vector of counts of scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore._typing import IntArray
from dpcore.data.counting.back_end import Columns
from dpcore.data.counting.score_cells import score_cells
from dpcore.data.counting.score_tally import ScoreTally
from dpcore.data.reading.labels import is_known, is_positive
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale, declared_scores
from dpcore.schema.cells import Decimal


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

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", ScoreScale.of(self.scale))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that it reads."""
        return (self.label, self.score)

    def __call__(self, batches: Iterable[Columns]) -> IntArray:
        """Count.

        Returns
        -------
        int array, shape (2 cells + 1,)
            Negatives and positives per default cell, and how many rows were left out (private).
        """
        tally, unlabelled = ScoreTally(), 0
        for batch in batches:
            labels, scores = batch[self.label], self._scores(batch[self.score])
            unlabelled += add_rows(tally, labels, scores, self.positive, self.negative)
        cells = score_cells().fold(tally.levels()).ravel()
        return np.append(cells, unlabelled + tally.unusable)

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
