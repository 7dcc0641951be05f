"""Counts of scores per class on a fixed public grid: all that an evaluator needs to know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.schema.cells import cell_text, level_codes, level_key

CELLS = 2**16
CLIP = 20.0
# Rows per pass: a few arrays of this length stay in the processor's cache.
_CHUNK = 2**15


@dataclass(frozen=True, eq=False)
class ScoreHistogram:
    """Integer counts of scores per class, on cells of equal width in logit.

    Parameters
    ----------
    positives, negatives : int array, shape (cells,)
        Number of records of each class whose score lies in the cell; lowest scores first.
    edges : float array, shape (cells + 1,)
        Edges of the cells on the probability scale, from 0 to 1, public and independent of data.

    Notes
    -----
    Scores are clipped to logits of +-20, so 0 and 1 fall into the end cells. The default cell is
    0.0006 wide in logit: no curve drawn on a screen can show it.

    Sensitivity
        L1 over both count vectors: add-remove 1, because a record has one class and one score;
        replace 2, because the record may leave one cell and enter another.

    Examples
    --------
    >>> scores = ScoreHistogram.from_arrays([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> scores.n_positive, scores.n_negative, scores.auc()
    (2, 2, 0.75)
    """

    positives: IntArray
    negatives: IntArray
    edges: FloatArray

    def __post_init__(self) -> None:
        cells = self.edges.size - 1
        for name in ("positives", "negatives"):
            counts = np.asarray(getattr(self, name), dtype=np.int64)
            if counts.shape != (cells,) or (counts < 0).any():
                raise InvalidArgument(name, counts.shape, f"{cells} counts of zero or more")
            object.__setattr__(self, name, _frozen(counts))
        object.__setattr__(self, "edges", _frozen(self.edges))

    @classmethod
    def from_arrays(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object = 1,
        cells: int = CELLS,
        clip: float = CLIP,
    ) -> ScoreHistogram:
        """Count scores in one pass.

        Parameters
        ----------
        y_true : array-like, shape (n,)
            Class of each record; whatever equals `pos_label` is positive. Labels are compared as
            schemas compare them, each by itself: 1, 1.0, True and "1" are the same label.
        y_score : array-like, shape (n,)
            Probability of the positive class, in [0, 1].
        pos_label : object, default 1
        cells : int, default 65536
        clip : float, default 20
            Largest absolute logit that is told apart.

        Raises
        ------
        InvalidArgument
            If lengths differ, or a score is not in [0, 1]; the message names the first such row.
        """
        _check.integer_in_range(2, 2**24, cells=cells)
        _check.positive(clip=clip)
        labels, scores = np.asarray(y_true), np.asarray(y_score, dtype=np.float64)
        if scores.ndim != 1 or labels.shape != scores.shape:
            raise InvalidArgument("y_score", scores.shape, f"a vector of y_true's {labels.shape}")
        counts = np.zeros(2 * cells, dtype=np.int64)
        for positive, chunk in _chunks(labels, scores, pos_label):
            index = cell_index(chunk, cells=cells, clip=clip)
            index += positive * np.intp(cells)
            counts += np.bincount(index, minlength=2 * cells)
        return cls(counts[cells:], counts[:cells], grid(cells, clip))

    @classmethod
    def empty(cls, *, cells: int = CELLS, clip: float = CLIP) -> ScoreHistogram:
        """A histogram of no records: the neutral element of `merge`."""
        zeros = np.zeros(cells, dtype=np.int64)
        return cls(zeros, zeros.copy(), grid(cells, clip))

    def merge(self, other: ScoreHistogram) -> ScoreHistogram:
        """Add the counts of two disjoint sets of records on the same grid."""
        if not np.array_equal(self.edges, other.edges):
            raise InvalidArgument("other", f"{other.edges.size - 1} cells", "on the same grid")
        return ScoreHistogram(
            self.positives + other.positives, self.negatives + other.negatives, self.edges
        )

    __add__ = merge

    @cached_property
    def positives_below(self) -> IntArray:
        """Number of positive records below each edge (private), shape (cells + 1,)."""
        return _frozen(np.concatenate([[0], np.cumsum(self.positives)]))

    @cached_property
    def negatives_below(self) -> IntArray:
        """Number of negative records below each edge (private), shape (cells + 1,)."""
        return _frozen(np.concatenate([[0], np.cumsum(self.negatives)]))

    @property
    def n_positive(self) -> int:
        """Number of positive records (private)."""
        return int(self.positives.sum())

    @property
    def n_negative(self) -> int:
        """Number of negative records (private)."""
        return int(self.negatives.sum())

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
        filled = np.flatnonzero(self.positives + self.negatives)[::-1]
        true_positives = np.concatenate([[0.0], np.cumsum(self.positives[filled])])
        false_positives = np.concatenate([[0.0], np.cumsum(self.negatives[filled])])
        thresholds = np.concatenate([[np.inf], self.edges[filled]])
        if not self.n_positive and not self.n_negative:
            chance = np.array([0.0, 1.0])
            return chance, chance.copy(), np.array([np.inf, 0.0])
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
        below = np.cumsum(self.negatives) - self.negatives / 2.0
        return float(self.positives @ below / pairs)


def grid(cells: int, clip: float) -> FloatArray:
    """Public edges of equal width in logit, shape (cells + 1,), with 0 and 1 at the ends."""
    edges = np.asarray(expit(np.linspace(-clip, clip, cells + 1)), dtype=np.float64)
    edges[0], edges[-1] = 0.0, 1.0
    return edges


def cell_index(scores: FloatArray, *, cells: int, clip: float) -> NDArray[np.intp]:
    """Cell of each score on `grid`, shape (n,); scores must lie in [0, 1]."""
    with np.errstate(divide="ignore"):
        position = scores / (1.0 - scores)
        np.log(position, out=position)
    position *= cells / (2.0 * clip)
    position += cells / 2.0
    np.clip(position, 0.0, cells - 1.0, out=position)
    return position.astype(np.intp)


def _chunks(
    labels: NDArray[np.generic], scores: FloatArray, pos_label: object
) -> Iterator[tuple[BoolArray, FloatArray]]:
    for start in range(0, scores.size, _CHUNK):
        chunk = scores[start : start + _CHUNK]
        # Written so that NaN fails; the slow check names the row.
        if not (chunk.min() >= 0.0 and chunk.max() <= 1.0):
            _check.probabilities(y_score=scores)
        yield _is_positive(labels[start : start + _CHUNK], pos_label), chunk


def _is_positive(labels: NDArray[np.generic], pos_label: object) -> BoolArray:
    """Mark the labels that mean the same as `pos_label`, whatever type they are stored in."""
    if labels.dtype.kind not in "biuf":
        return np.equal(level_codes(pd.Series(labels), (cell_text(pos_label),)), 0)
    wanted = level_key(pos_label)
    # Only numbers are in here, and no number equals a text.
    if isinstance(wanted, str):
        return np.zeros(labels.shape, dtype=np.bool_)
    return np.asarray(labels == wanted, dtype=np.bool_)


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()  # the caller's own array stays writable
    view.setflags(write=False)
    return view
