"""A logistic classifier that tells outputs on two data sets apart."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from dpcore._typing import FloatArray
from dpcore.audit.statistics.statistic import Statistic, most_different

__all__ = ["logistic"]

_MOST, _ROWS, _STEPS, _RIDGE = 24, 10_000, 8, 1.0


def logistic(here: FloatArray, there: FloatArray) -> list[Statistic]:
    """The linear score of a logistic regression on squeezed numbers and their distances.

    Every number enters as tanh of its distance from the median in units of its spread, and as the
    logarithm of that distance: noise with heavy tails does not upset the fit, and a change of
    spread shows.

    Parameters
    ----------
    here, there : float arrays, shape (runs, numbers)
        Training outputs on either data set.

    Examples
    --------
    >>> rng = np.linspace(0, 1, 200)[:, np.newaxis]
    >>> score = logistic(rng + 0.5, rng)[0].score
    >>> bool(score(np.array([[1.3]]))[0] > score(np.array([[0.2]]))[0])
    True
    """
    columns = most_different(here, there, _MOST)
    if not columns.size:
        return []
    half = min(_ROWS, here.shape[0], there.shape[0])
    both = np.concatenate([here[:half], there[:half]])
    low, middle, high = np.quantile(both[:, columns], [0.1, 0.5, 0.9], axis=0)
    largest = np.maximum(np.abs(both[:, columns]).max(axis=0), 1.0)
    spread = np.where(high > low, high - low, largest)

    def features(outputs: FloatArray) -> FloatArray:
        away = (outputs[:, columns] - middle) / spread
        ones = np.ones((outputs.shape[0], 1))
        return np.hstack([np.tanh(2.0 * away), np.log1p(np.abs(away)), ones])

    weights = _fitted(features(both), np.repeat([1.0, 0.0], half))
    return [Statistic("the score of a classifier", lambda outputs: features(outputs) @ weights)]


def _fitted(rows: FloatArray, labels: FloatArray) -> FloatArray:
    """Weights by a few ridge-stabilised Newton steps, shape (features,)."""
    weights = np.zeros(rows.shape[1])
    ridge = _RIDGE * np.eye(rows.shape[1])
    for _ in range(_STEPS):
        chance = expit(np.clip(rows @ weights, -30.0, 30.0))
        curvature = rows.T @ (rows * (chance * (1.0 - chance))[:, np.newaxis]) + ridge
        gradient = rows.T @ (labels - chance) - _RIDGE * weights
        weights = weights + np.linalg.solve(curvature, gradient)
    return np.asarray(weights, dtype=np.float64)
