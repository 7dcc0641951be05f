"""Fewer points, the same line: curves and steps are drawn no finer than a screen shows them."""

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, FloatArray, IntArray
from dpcore.errors import InvalidArgument

MAX_POINTS = 2000

# Half a pixel on a figure a thousand pixels wide.
HALF_PIXEL = 1 / 2000


def thin(
    x: ArrayLike, y: ArrayLike, *, tolerance: float = HALF_PIXEL, max_points: int = MAX_POINTS
) -> tuple[FloatArray, FloatArray]:
    """Drop points that the line through the others passes by anyway.

    Parameters
    ----------
    x, y : array-like, shape (n,)
        A line, in units in which the figure is 1 wide and 1 high.
    tolerance : float, default 1/2000
        The farthest that a dropped point may lie from the new line; doubled until the line has at
        most `max_points`.
    max_points : int, default 2000

    Returns
    -------
    x, y : float arrays, shape (m,), m <= min(n, max_points)
        A subset of the points, with both ends.

    Raises
    ------
    InvalidArgument
        If x and y differ in length, or `max_points` is below 2.

    References
    ----------
    D. H. Douglas and T. K. Peucker (1973), Algorithms for the reduction of the number of points
    required to represent a digitized line, Cartographica 10(2). doi:10.3138/FM57-6770-U75U-7727

    Examples
    --------
    >>> x, y = thin([0, 0.25, 0.5, 1], [0, 0.5, 1, 1])
    >>> x.tolist(), y.tolist()
    ([0.0, 0.5, 1.0], [0.0, 1.0, 1.0])
    """
    _check.positive(tolerance=tolerance)
    _check.integer_in_range(2, None, max_points=max_points)
    line = np.stack([np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)], axis=-1)
    if line.ndim != 2:
        raise InvalidArgument("x", line.shape[:-1], "a vector as long as y")
    if len(line) <= 2:
        return line[:, 0], line[:, 1]
    kept = _kept(line, tolerance)
    while kept.size > max_points:
        tolerance *= 2
        kept = _kept(line, tolerance)
    return line[kept, 0], line[kept, 1]


def _kept(line: FloatArray, tolerance: float) -> IntArray:
    """Positions that stay: all open segments are split at their farthest points, round by round."""
    keep = np.zeros(len(line), dtype=np.bool_)
    keep[[0, -1]] = True
    first, last = np.array([0]), np.array([len(line) - 1])
    while first.size:
        # The inner points of every open segment, one segment after the other.
        inner = last - first - 1
        begin = np.cumsum(inner) - inner
        point = np.arange(inner.sum()) + np.repeat(first + 1 - begin, inner)
        along = np.repeat(line[last] - line[first], inner, axis=0)
        distance = _distance(line[point] - np.repeat(line[first], inner, axis=0), along)
        worst = np.maximum.reduceat(distance, begin)
        # Of equally far points the middle one: a zigzag would otherwise be peeled tooth by tooth.
        tied = np.flatnonzero(distance == np.repeat(worst, inner))
        ties = np.searchsorted(tied, [begin, begin + inner])
        middle = point[tied[ties.sum(axis=0) // 2]]
        split = worst > tolerance
        keep[middle[split]] = True
        first = np.concatenate([first[split], middle[split]])
        last = np.concatenate([middle[split], last[split]])
        has_inner = last - first > 1
        first, last = first[has_inner], last[has_inner]
    return np.flatnonzero(keep)


def _distance(offset: FloatArray, along: FloatArray) -> FloatArray:
    """Distance of points from segments, both seen from the segments' starts, shape (n,)."""
    length = np.einsum("ij,ij->i", along, along)
    reach = np.einsum("ij,ij->i", offset, along)
    share = np.clip(reach / np.where(length > 0, length, 1.0), 0.0, 1.0)
    apart = offset - share[:, None] * along
    return np.asarray(np.hypot(apart[:, 0], apart[:, 1]), dtype=np.float64)


# Where a logarithmic axis begins; scores below are drawn at its edge.
LOWEST = 1e-4

# Points of one curve: a figure of two curves, two true ones and eight ends of bands sends 2,000.
ON_CURVE = 220


def steps(grid: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A step function that starts at 0 and takes each value from its grid point on.

    Examples
    --------
    >>> x, y = steps(np.array([0.5, 1.0]), np.array([0.2, 1.0]))
    >>> x.tolist(), y.tolist()
    ([0.0, 0.5, 0.5, 1.0, 1.0], [0.0, 0.0, 0.2, 0.2, 1.0])
    """
    x = np.concatenate([[0.0], np.repeat(grid, 2)])
    y = np.concatenate([[0.0, 0.0], np.repeat(values, 2)[:-1]])
    return x, np.asarray(y, dtype=np.float64)


def rises(grid: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A step function that has each value already from the grid point before.

    Examples
    --------
    >>> x, y = rises(np.array([0.5, 1.0]), np.array([0.2, 1.0]))
    >>> x.tolist(), y.tolist()
    ([0.0, 0.5, 0.5, 1.0], [0.2, 0.2, 1.0, 1.0])
    """
    return np.repeat(np.concatenate([[0.0], grid]), 2)[1:-1], np.repeat(values, 2)


def visible(
    x: FloatArray, y: FloatArray, logarithmic: bool, most: int = ON_CURVE
) -> tuple[FloatArray, FloatArray]:
    """Thin a line of shares over scores as it appears on a linear or a logarithmic axis.

    Worth keeping for the exact curve, which has many points and stays while the noise moves.

    Examples
    --------
    >>> scores = np.linspace(0, 1, 1001)
    >>> [line.size for line in visible(scores, scores, False)]
    [2, 2]
    """
    position, y = thin(_position(x, logarithmic), y, max_points=most)
    return LOWEST ** (1.0 - position) if logarithmic else position, y


def _position(score: FloatArray, logarithmic: bool) -> FloatArray:
    """Where a score lies on an axis of length one."""
    if not logarithmic:
        return score
    return np.asarray(1.0 - np.log10(np.maximum(score, LOWEST)) / np.log10(LOWEST))


def coarse(x: FloatArray, y: FloatArray, log: bool, most: int) -> tuple[FloatArray, FloatArray]:
    """Points at equal distances along a line, in one pass: a slider waits for it.

    A monotone line across the figure is twice its width long, so 220 points are a hundredth of the
    width apart, and a corner between two of them is cut by a pixel or two.

    Examples
    --------
    >>> scores = np.linspace(0, 1, 1001)
    >>> [line.size for line in coarse(scores, scores, False, 5)]
    [5, 5]
    """
    flat = (y[:-2] == y[1:-1]) & (y[1:-1] == y[2:])
    kept = np.flatnonzero(np.concatenate([[True], ~flat, [True]]))
    if kept.size > most:
        across = np.diff(_position(x[kept], log))
        along = np.concatenate([[0.0], np.cumsum(np.hypot(across, np.diff(y[kept])))])
        mark = np.floor(along / max(along[-1], 1e-9) * (most - 1))
        kept = kept[np.concatenate([[True], np.diff(mark) > 0])]
    return (np.maximum(x[kept], LOWEST) if log else x[kept]), y[kept]
