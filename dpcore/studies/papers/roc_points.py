"""ROC curves as rows: read off at evenly spaced false positive rates, and compared there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpcore._typing import FloatArray
from dpcore.evaluation import roc_area_between
from dpcore.studies.papers.rows import Role, Row, Rows

__all__ = ["curve_rows", "drawn_area"]


def curve_rows(
    panel: str, method: str, role: Role, fpr: FloatArray, tpr: FloatArray, *, points: int
) -> Iterator[Row]:
    """A row for each point of a curve that is drawn.

    Parameters
    ----------
    panel, method, role : str
        Of the rows, see `Row`.
    fpr, tpr : float arrays, shape (thresholds,)
    points : int
        Evenly spaced false positive rates from 0 to 1.

    Examples
    --------
    >>> ends = np.array([0.0, 1.0])
    >>> [row.value for row in curve_rows("SMS", "chance", "exact", ends, ends, points=3)]
    [0.0, 0.5, 1.0]
    """
    at = np.linspace(0.0, 1.0, points)
    for x, y in zip(at.tolist(), np.interp(at, fpr, tpr).tolist(), strict=True):
        yield Row(panel, method, role, round(x, 4), round(y, 4))


def drawn_area(rows: Rows, panel: str, method: str, truth: str) -> float:
    """Area between two curves of a panel, as they are drawn.

    Parameters
    ----------
    rows : Rows
    panel, method, truth : str
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
    part = rows.panel(panel)
    at = [float(x) for x in part.places(panel)]
    return roc_area_between(at, part.curve(panel, method), at, part.curve(panel, truth))
