"""A ROC curve as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore._typing import FloatArray, IntArray


def nearest_cuts(edges: FloatArray, thresholds: FloatArray) -> IntArray:
    """Indices of the inner edges nearest to ascending thresholds, each edge once.

    Parameters
    ----------
    edges : float array, shape (cells + 1,)
    thresholds : float array, shape (points,)
        Ascending.

    Examples
    --------
    >>> nearest_cuts(np.array([0.0, 0.2, 0.5, 1.0]), np.array([0.1, 0.3, 0.45])).tolist()
    [1, 2]
    """
    after = np.clip(np.searchsorted(edges, thresholds), 1, edges.size - 1)
    nearest = after - (thresholds - edges[after - 1] < edges[after] - thresholds)
    # Ascending already, so equal neighbours are all there is to remove.
    inner = np.clip(nearest, 1, edges.size - 2)
    return inner[np.diff(inner, prepend=0) > 0]


def uniform_cuts(edges: FloatArray, cells: int) -> IntArray:
    """Indices of the edges nearest to 1/cells, 2/cells, ..., none for a single cell."""
    return nearest_cuts(edges, np.arange(1, cells) / cells)


def coarse_cuts(edges: FloatArray, most: int = 2**13) -> IntArray:
    """Indices of at most ``most + 1`` edges at even steps, the first and the last among them.

    Examples
    --------
    >>> coarse_cuts(np.linspace(0, 1, 101), most=4).tolist()
    [0, 25, 50, 75, 100]
    """
    cells = edges.size - 1
    return np.linspace(0, cells, min(cells, most) + 1).round().astype(np.int64)


@dataclass(frozen=True, eq=False)
class RocCurve:
    """A monotone curve from (0, 0) to (1, 1).

    Parameters
    ----------
    fpr, tpr : float arrays, shape (points,)
        Rates at falling thresholds, both non-decreasing.
    thresholds : float array, shape (points,)
        A record counts as positive if its score is at least the threshold; the first is infinite
        and the last is zero.
    bins : Bins, optional
        What the method released, for bands; None if it has no band.

    Examples
    --------
    >>> RocCurve.from_below(np.array([0.5]), np.array([0.0]), np.array([0.7])).tpr.tolist()
    [0.0, 1.0, 1.0]
    """

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray
    bins: Bins | None = None

    @classmethod
    def from_below(cls, negatives: FloatArray, positives: FloatArray, cuts: FloatArray) -> RocCurve:
        """Build a curve from the shares of each class below ascending thresholds.

        Parameters
        ----------
        negatives, positives : float arrays, shape (cuts,)
            Shares in [0, 1], non-decreasing; the ends are added here.
        cuts : float array, shape (cuts,)
            Thresholds, ascending.
        """
        fpr = np.concatenate([[0.0], 1.0 - negatives[::-1], [1.0]])
        tpr = np.concatenate([[0.0], 1.0 - positives[::-1], [1.0]])
        return cls(fpr, tpr, np.concatenate([[np.inf], cuts[::-1], [0.0]]))

    @property
    def auc(self) -> float:
        """Area under the curve."""
        return float(np.trapezoid(self.tpr, self.fpr))

    def thinned(self, points: int = 2001) -> RocCurve:
        """The same curve with at most that many points, none of it moved by more than 2/points.

        A curve with bins is short already and stays as it is.
        """
        if self.fpr.size <= points or self.bins is not None:
            return self
        path = self.fpr + self.tpr
        kept = np.searchsorted(path, np.linspace(0.0, 2.0, points - 1))
        kept = np.unique(np.append(np.minimum(kept, path.size - 1), path.size - 1))
        return RocCurve(self.fpr[kept], self.tpr[kept], self.thresholds[kept])


@dataclass(frozen=True, eq=False)
class Bins:
    """Noisy counts of both classes between public thresholds, and how noisy they are.

    Parameters
    ----------
    negatives, positives : int arrays, shape (cells,)
        Noisy counts, highest scores first.
    negative_scale, positive_scale
        Scale of the discrete Laplace noise of each class.
    knots : int array, shape (cells + 1,)
        Which point of the curve is the end of each cell, from 0 to the last point.
    """

    negatives: IntArray
    positives: IntArray
    negative_scale: float
    positive_scale: float
    knots: IntArray
