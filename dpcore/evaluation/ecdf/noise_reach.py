"""How far the noise of a method reaches: from the table, or else by simulation."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.evaluation.ecdf.noise_law import simulated_reach
from dpcore.evaluation.ecdf.reach_table import tabulated_reach
from dpcore.privacy import Neighbors
from dpcore.registry import Method

__all__ = ["noise_reach"]


def noise_reach(
    method: Method,
    parameters: dict[str, Any],
    *,
    points: int,
    neighbors: Neighbors,
    confidence: float,
) -> float:
    """Largest error over all grid points that the noise stays below, in counts times epsilon.

    Parameters
    ----------
    method : Method
    parameters : dict
        Checked parameters of the method.
    points : int
    neighbors : Neighbors
    confidence : float

    Returns
    -------
    float
        See `simulated_reach` for its meaning. Longer grids than the table's and methods that it
        lacks are simulated, once in each process.
    """
    known = tabulated_reach(
        method.name, parameters, points=points, neighbors=neighbors, confidence=confidence
    )
    if known is not None:
        return known
    reach = simulated_reach(
        method,
        parameters,
        points=points,
        neighbors=neighbors,
        confidence=np.array([confidence]),
    )
    return float(reach[0])
