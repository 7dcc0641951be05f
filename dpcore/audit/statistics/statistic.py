"""A number per output."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpcore._typing import FloatArray, IntArray

__all__ = ["Statistic", "most_different"]


@dataclass(frozen=True, eq=False)
class Statistic:
    """A function of outputs and what to call it.

    Parameters
    ----------
    words : str
        As the subject of a sentence, for example ``"number 3 of the output"``.
    score : callable
        Of outputs, shape (runs, numbers): one number each, shape (runs,).
    """

    words: str
    score: Callable[[FloatArray], FloatArray]


def most_different(here: FloatArray, there: FloatArray, most: int, bins: int = 32) -> IntArray:
    """The columns whose distributions differ most, the most different first.

    By the largest difference of the two empirical distribution functions at common quantiles.
    """
    rows = min(here.shape[0], there.shape[0], 4000)
    gaps = np.zeros(here.shape[1])
    for column in range(here.shape[1]):
        ours, theirs = np.sort(here[:rows, column]), np.sort(there[:rows, column])
        if ours[0] == ours[-1] == theirs[0] == theirs[-1]:
            continue
        at = np.unique(np.concatenate([ours, theirs])[:: max(2 * rows // bins, 1)])
        below = [np.searchsorted(side, at, side="right") for side in (ours, theirs)]
        gaps[column] = np.abs(below[0] - below[1]).max()
    order = np.argsort(-gaps, kind="stable")[:most]
    return order[gaps[order] > 0]
