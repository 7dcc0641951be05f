"""Exact losses of perturbed logistic regression.

The minimiser w determines the tilt: it is minus the gradient of the untilted objective at w. So the
density of w is the density of that tilt times the determinant of the second derivatives at w.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize

from dpcore._typing import FloatArray
from dpcore.audit.exact.laws import ExactLaw
from dpcore.audit.pair import Pair
from dpcore.mechanisms import BlockObjective, ObjectivePerturbation
from dpcore.mechanisms.regression.perturbation import OutputPerturbation

__all__ = ["_MINIMISERS", "_OBJECTIVES"]


def _minimiser(mechanism: OutputPerturbation, data: Any) -> FloatArray:
    objective = mechanism.objective(*data)
    found = minimize(
        objective.value_and_gradient,
        np.zeros(data[0].shape[1]),
        jac=True,
        hess=objective.hessian,
        method="trust-exact",
        options={"gtol": 1e-10},
    )
    return np.asarray(found.x, dtype=np.float64)


def _minimisers_loss(mechanism: OutputPerturbation, pair: Pair) -> float:
    """A shift of noise with density exp(-rate |b|) costs rate times its length, and no less."""
    moved = _minimiser(mechanism, pair.here) - _minimiser(mechanism, pair.there)
    return mechanism.rate * float(np.linalg.norm(moved))


_MINIMISERS = ExactLaw(mechanisms=(OutputPerturbation,), loss=_minimisers_loss)


# Where densities are compared: along these directions, so far out.
_DISTANCES = np.concatenate([-np.geomspace(0.05, 60.0, 25), [0.0], np.geomspace(0.05, 60.0, 25)])


def _log_density(mechanism: Any, data: Any, point: FloatArray) -> float:
    rows, targets = data
    objective = mechanism.objective(rows, targets, np.zeros(point.size))
    _, gradient = objective.value_and_gradient(point)
    _, log_determinant = np.linalg.slogdet(objective.hessian(point))
    if isinstance(mechanism, BlockObjective):
        return float(mechanism.log_density(-gradient)) + float(log_determinant)
    return -float(mechanism.rate) * float(np.linalg.norm(gradient)) + float(log_determinant)


def _objectives_loss(mechanism: BlockObjective | ObjectivePerturbation, pair: Pair) -> float:
    """The largest log-ratio at points along the differing rows and the axes."""
    width = pair.here[0].shape[1] * getattr(mechanism, "n_vectors", 1)
    directions = [*np.eye(width), np.ones(width) / np.sqrt(width)]
    points = [distance * direction for direction in directions for distance in _DISTANCES]
    return max(
        abs(_log_density(mechanism, pair.here, point) - _log_density(mechanism, pair.there, point))
        for point in points
    )


_OBJECTIVES = ExactLaw(mechanisms=(BlockObjective, ObjectivePerturbation), loss=_objectives_loss)

EXACT = (
    _MINIMISERS,
    _OBJECTIVES,
)
