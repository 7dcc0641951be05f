"""ROC curves as rows: read off at evenly spaced false positive rates or as they are, compared."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpcore._typing import FloatArray
from dpcore.evaluation import roc_area_between
from reproductions.rows import Role, Row, Rows


def curve_rows(
    panel: str, method: str, role: Role, fpr: FloatArray, tpr: FloatArray, *, points: int
) -> Iterator[Row]:
    """A row for each point of a curve that is drawn.

    Parameters
    ----------
    panel, method, role
        Of the rows, see `Row`.
    fpr, tpr : float arrays, shape (thresholds,)
    points
        Evenly spaced false positive rates from 0 to 1.

    Examples
    --------
    >>> ends = np.array([0.0, 1.0])
    >>> [row.value for row in curve_rows("SMS", "chance", "exact", ends, ends, points=3)]
    [0.0, 0.5, 1.0]
    """
    at = np.linspace(0.0, 1.0, points)
    yield from line_rows(panel, method, role, at, np.interp(at, fpr, tpr))


def line_rows(
    panel: str, method: str, role: Role, fpr: FloatArray, tpr: FloatArray
) -> Iterator[Row]:
    """A row for each point of a line, which may turn back and cross itself.

    Examples
    --------
    >>> [row.x for row in line_rows("SMS", "noisy", "published", np.array([0.2, 0.1]), np.ones(2))]
    [0.2, 0.1]
    """
    for x, y in zip(fpr.tolist(), tpr.tolist(), strict=True):
        yield Row(panel, method, role, round(x, 4), round(y, 4))


def drawn_area(rows: Rows, panel: str, method: str, truth: str) -> float:
    """Area between two curves of a panel, as they are drawn.

    Parameters
    ----------
    panel, method, truth
        Names of the panel and of its two curves.

    Examples
    --------
    >>> ends = np.array([0.0, 1.0])
    >>> drawn = [
    ...     *curve_rows("SMS", "true", "exact", ends, ends, points=3),
    ...     *curve_rows("SMS", "best", "ours", ends, np.ones(2), points=3),
    ... ]
    >>> drawn_area(Rows(tuple(drawn)), "SMS", "best", "true")
    0.5
    """
    return roc_area_between(*_points(rows, panel, method), *_points(rows, panel, truth))


def drawn_distance(rows: Rows, panel: str, method: str, truth: str) -> float:
    """Mean distance of a line's points from the nearest points of another line.

    An area is not defined for a line that crosses itself; this is.

    Parameters
    ----------
    panel, method, truth
        Names of the panel, of the line and of the other one.

    Examples
    --------
    >>> ends = np.array([0.0, 1.0])
    >>> drawn = [
    ...     *curve_rows("SMS", "true", "exact", ends, np.zeros(2), points=3),
    ...     *line_rows("SMS", "noisy", "published", np.array([0.6, 0.4]), np.array([0.1, 0.3])),
    ... ]
    >>> drawn_distance(Rows(tuple(drawn)), "SMS", "noisy", "true")
    0.2
    """
    line, other = (np.stack(_points(rows, panel, name), axis=1) for name in (method, truth))
    starts, steps = other[:-1], np.diff(other, axis=0)
    lengths = np.maximum((steps**2).sum(axis=1), np.finfo(np.float64).tiny)
    along = ((line[:, None] - starts) * steps).sum(axis=2) / lengths
    nearest = starts + np.clip(along, 0.0, 1.0)[:, :, None] * steps
    return float(np.linalg.norm(line[:, None] - nearest, axis=2).min(axis=1).mean())


def _points(rows: Rows, panel: str, method: str) -> tuple[FloatArray, FloatArray]:
    found = [(row.x, row.value) for row in rows if row.panel == panel and row.method == method]
    x, y = np.array(found, dtype=np.float64).T
    return x, y
