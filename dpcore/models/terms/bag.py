"""Weights of the words of a text, each word counted as its share of the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np

from dpcore._typing import FloatArray
from dpcore.aggregates.bounded_rows import BoundedRows
from dpcore.schema.matrix import SparseMatrix

__all__ = ["BagTerm", "shares_of_text"]


@dataclass(frozen=True)
class BagTerm:
    """The mean weight of a text's words, and a weight for how many they are.

    Parameters
    ----------
    start, stop : int
        The words, among the indicators.
    least : int
        A text of fewer words counts as one of so many.
    weights : float array, shape (scores, words)
    length_weights : float array, shape (scores,)
        For the length from 0 to 1, which a text of 2 * least words has (`lengths`).
    """

    kind: ClassVar[str] = "bag"
    start: int
    stop: int
    least: int
    weights: FloatArray
    length_weights: FloatArray

    def scores(self, rows: BoundedRows) -> FloatArray:
        """Contribution to each score of each record, shape (n, scores)."""
        # A sparse product adds the weights row by row, in the order of the columns: no BLAS.
        shares = shares_of_text(self._words(rows), self.least)
        means = np.asarray(cast(Any, shares) @ self.weights.T, dtype=np.float64)
        return means + self.lengths(rows)[:, np.newaxis] * self.length_weights

    def lengths(self, rows: BoundedRows) -> FloatArray:
        """Numbers of words over 2 * least, at most 1, shape (n,)."""
        return np.minimum(np.diff(self._words(rows).indptr) / (2.0 * self.least), 1.0)

    def _words(self, rows: BoundedRows) -> SparseMatrix:
        return rows.indicators[:, self.start : self.stop]

    def to_plain(self) -> dict[str, Any]:
        """The released numbers as JSON types."""
        return {
            "kind": self.kind,
            "start": self.start,
            "stop": self.stop,
            "least": self.least,
            "weights": self.weights.tolist(),
            "length_weights": self.length_weights.tolist(),
        }

    @classmethod
    def from_plain(cls, document: Mapping[str, Any]) -> BagTerm:
        """Read what `to_plain` wrote."""
        return cls(
            document["start"],
            document["stop"],
            document["least"],
            np.array(document["weights"], dtype=np.float64),
            np.array(document["length_weights"], dtype=np.float64),
        )


def shares_of_text(words: SparseMatrix, least: int) -> SparseMatrix:
    """Each word's share of its text, which counts as one of `least` words or more.

    The shares of a text add up to 1 or less, and their squares to 1 / least or less.

    Parameters
    ----------
    words : csr_array, shape (n, words)
        Zeros and ones.
    least : int

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> shares_of_text(csr_array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]), 2).toarray()[0].tolist()
    [0.5, 0.5, 0.0]
    """
    shares = words.copy()
    counts = np.diff(words.indptr)
    shares.data = np.repeat(1.0 / np.maximum(counts, least), counts)
    return shares
