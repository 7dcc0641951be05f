"""A ROC curve as arrays, and how far it is from another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import logit

from dpcore._typing import ArrayLike, FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import InvalidArgument
from dpcore.postprocess.monotone import perhaps_nobody


def roc_area_between(
    fpr_a: ArrayLike, tpr_a: ArrayLike, fpr_b: ArrayLike, tpr_b: ArrayLike
) -> float:
    """Area between two piecewise-linear ROC curves: the integral of |tpr_a - tpr_b| over the fpr.

    Parameters
    ----------
    fpr_a, tpr_a : array-like, shape (points_a,)
        First curve; its fpr runs from 0 to 1 and never falls. Vertical steps are allowed.
    fpr_b, tpr_b : array-like, shape (points_b,)
        Second curve.

    Returns
    -------
    float
        In [0, 1], exact up to rounding: the curves are cut where either bends and where they cross.

    Raises
    ------
    InvalidArgument
        If a curve's fpr does not run from 0 to 1 without falling, or its arrays differ in length.

    Examples
    --------
    The perfect curve and the chance diagonal enclose a triangle:

    >>> roc_area_between([0, 0, 1], [0, 1, 1], [0, 1], [0, 1])
    0.5
    """
    x_a, y_a = _curve("a", fpr_a, tpr_a)
    x_b, y_b = _curve("b", fpr_b, tpr_b)
    knots = np.unique(np.concatenate([x_a, x_b]))
    before_a, after_a = _one_sided(x_a, y_a, knots)
    before_b, after_b = _one_sided(x_b, y_b, knots)
    left = (after_a - after_b)[:-1]
    return float(np.diff(knots) @ _mean_absolute(left, (before_a - before_b)[1:]))


def _curve(name: str, fpr: ArrayLike, tpr: ArrayLike) -> tuple[FloatArray, FloatArray]:
    x, y = np.asarray(fpr, dtype=np.float64), np.asarray(tpr, dtype=np.float64)
    if x.ndim != 1 or x.size < 2 or x.shape != y.shape:
        raise InvalidArgument(f"tpr_{name}", y.shape, f"a vector as long as fpr_{name} {x.shape}")
    # Written so that NaN fails too.
    if not (x[0] == 0.0 and x[-1] == 1.0 and (np.diff(x) >= 0.0).all()):
        raise InvalidArgument(f"fpr_{name}", "another order", "from 0 to 1 without falling")
    return x, y


def _one_sided(x: FloatArray, y: FloatArray, knots: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Limits of a curve from the left and from the right at sorted knots, shape (knots,) each."""
    first = np.searchsorted(x, knots, side="left")
    last = np.searchsorted(x, knots, side="right") - 1
    # At a knot of this curve first <= last, and the two differ where the curve jumps; between its
    # knots last + 1 == first, and both limits are the line through the two.
    bends = first <= last
    width = np.where(bends, 1.0, x[first] - x[last])
    between = y[last] + (y[first] - y[last]) * (knots - x[last]) / width
    return np.where(bends, y[first], between), np.where(bends, y[last], between)


def _mean_absolute(left: FloatArray, right: FloatArray) -> FloatArray:
    """Mean of |d| over intervals on which d is linear, given d at both ends."""
    sizes = np.abs(left) + np.abs(right)
    crossing = left * right < 0.0
    crossed = (left**2 + right**2) / np.where(crossing, 2.0 * sizes, 1.0)
    return np.asarray(np.where(crossing, crossed, sizes / 2.0), dtype=np.float64)


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
    # Ascending already, so equal neighbours are all there is to remove.
    inner = np.clip(nearest_edges(edges, thresholds), 1, edges.size - 2)
    return inner[np.diff(inner, prepend=0) > 0]


def nearest_edges(edges: FloatArray, places: FloatArray) -> IntArray:
    """Indices of the edges nearest to each place, those at both ends among them."""
    after = np.clip(np.searchsorted(edges, places), 1, edges.size - 1)
    return np.asarray(after - (places - edges[after - 1] < edges[after] - places), dtype=np.int64)


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


def counts_between(scores: ScoreHistogram, cuts: IntArray) -> IntArray:
    """Numbers of negatives and of positives between inner edges (private), shape (2, cuts + 1)."""
    ends = np.concatenate([[0], cuts, [scores.edges.size - 1]])
    return np.diff(np.stack([scores.negatives_below[ends], scores.positives_below[ends]]))


def spread_out(edges: FloatArray) -> FloatArray:
    """Public coordinates of edges that spread out both the middle of [0, 1] and its ends."""
    # As bytes, which can be a cache's key.
    return _spread_out(edges.tobytes())


@lru_cache(maxsize=8)
def _spread_out(edges: bytes) -> FloatArray:
    score = np.frombuffer(edges)
    spread = 0.5 + np.arctan(logit(score) / 3.0) / np.pi
    return np.asarray(0.8 * score + 0.2 * spread, dtype=np.float64)


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

    @property
    def of_one_class(self) -> bool:
        """Whether the noise leaves it possible that one of the classes is empty."""
        noisy = self.negatives.sum(), self.positives.sum()
        spreads = np.array([self.negative_scale, self.positive_scale]) * self.negatives.size**0.5
        return any(map(perhaps_nobody, noisy, spreads))
