"""Exact losses of noise on the minimiser of a logistic loss."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize

from dpcore._typing import FloatArray
from dpcore.audit.exact.law import ExactLaw
from dpcore.audit.pair import Pair
from dpcore.mechanisms.regression.perturbation import OutputPerturbation

__all__ = ["EXACT"]


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


def _loss(mechanism: OutputPerturbation, pair: Pair) -> float:
    """A shift of noise with density exp(-rate |b|) costs rate times its length, and no less."""
    moved = _minimiser(mechanism, pair.here) - _minimiser(mechanism, pair.there)
    return mechanism.rate * float(np.linalg.norm(moved))


EXACT = ExactLaw(mechanisms=(OutputPerturbation,), loss=_loss)
