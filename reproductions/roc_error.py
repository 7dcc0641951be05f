"""Errors of private ROC curves over repeated noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import private_roc_curve, roc_area_between
from dpcore.noise import SeededNoise
from dpcore.privacy import Number


def median_area(
    scores: ScoreHistogram,
    method: str,
    epsilon: Number,
    *,
    runs: int,
    neighbors: str = "add-remove",
    **parameters: Any,
) -> float:
    """Median area between the private and the true curve of the same scores.

    Parameters
    ----------
    runs
        Draws, from seeds 0, 1, ...
    neighbors : str, default "add-remove"
    **parameters
        Of the method.

    Examples
    --------
    >>> scores = ScoreHistogram.from_arrays([0, 1] * 500, [0.2, 0.8] * 500)
    >>> median_area(scores, "quantile-bins", 10, runs=3) < 0.01
    True
    """
    fpr, tpr, _ = scores.roc()
    areas = []
    for seed in range(runs):
        curve = private_roc_curve(
            scores,
            epsilon=epsilon,
            method=method,
            neighbors=neighbors,
            noise=SeededNoise(seed),
            **parameters,
        )
        areas.append(roc_area_between(curve.fpr, curve.tpr, fpr, tpr))
    return float(np.median(areas))
