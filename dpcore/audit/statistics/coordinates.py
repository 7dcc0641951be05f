"""The numbers of an output one by one: for thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from dpcore._typing import FloatArray
from dpcore.audit.statistics.statistic import Statistic, most_different

__all__ = ["coordinates"]

_MOST = 8


def coordinates(
    here: FloatArray, there: FloatArray, columns: Sequence[str] = ()
) -> list[Statistic]:
    """The numbers that differ most between two samples, each as it is.

    Parameters
    ----------
    here, there : float arrays, shape (runs, numbers)
        Training outputs on either data set.
    columns : sequence of str, optional
        Names of the numbers.

    Examples
    --------
    >>> import numpy as np
    >>> found = coordinates(np.array([[0.0, 1.0], [0.0, 2.0]]), np.array([[0.0, 3.0], [0.0, 4.0]]))
    >>> [statistic.words for statistic in found]
    ['number 2 of the output']
    """
    return [
        Statistic(
            columns[column].rstrip("?")
            if column < len(columns)
            else f"number {column + 1} of the output",
            partial(_take, column),
        )
        for column in most_different(here, there, _MOST).tolist()
    ]


def _take(column: int, outputs: FloatArray) -> FloatArray:
    return outputs[:, column]
