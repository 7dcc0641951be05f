"""Lines of distribution functions: as steps, and no finer than a screen."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray
from dpcore.figures.thin import thin

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
    ends = np.concatenate([[0.0], grid])
    return np.repeat(ends, 2)[1:-1], np.repeat(values, 2)


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
    if not logarithmic:
        return position, y
    return LOWEST ** (1.0 - position), y


def _position(score: FloatArray, logarithmic: bool) -> FloatArray:
    """Where a score lies on an axis of length one."""
    if not logarithmic:
        return score
    return np.asarray(1.0 - np.log10(np.maximum(score, LOWEST)) / np.log10(LOWEST))


def coarse(
    x: FloatArray, y: FloatArray, logarithmic: bool, most: int
) -> tuple[FloatArray, FloatArray]:
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
        across = np.diff(_position(x[kept], logarithmic))
        along = np.concatenate([[0.0], np.cumsum(np.hypot(across, np.diff(y[kept])))])
        mark = np.floor(along / max(along[-1], 1e-9) * (most - 1))
        kept = kept[np.concatenate([[True], np.diff(mark) > 0])]
    return (np.maximum(x[kept], LOWEST) if logarithmic else x[kept]), y[kept]
