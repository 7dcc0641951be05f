"""The noisy threshold behind a selection, which only a simulation may know."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpcore.mechanisms import PublishedSparseVector, SparseVector, TracedSparseVector
from dpcore.noise import NoiseSource
from dpcore.privacy import Loss
from dpcore.release import open_gate
from dpcore.selection.methods.sparse_vector import cutoff_of
from dpcore.selection.problem import SelectionProblem

__all__ = ["has_noisy_threshold", "noisy_threshold"]

_VARIANTS = {
    **{f"sparse-vector-{variant}": variant for variant in range(1, 7)},
    "threshold-testing-published": 5,
    "noisycut-published": 6,
}
_STANDARD = ("sparse-vector", "sparse-vector-retraversal")


def has_noisy_threshold(method: str) -> bool:
    """Whether a selector compares scores with a threshold that has noise.

    Examples
    --------
    >>> has_noisy_threshold("noisycut-published"), has_noisy_threshold("noisy-scores")
    (True, False)
    """
    return method in _VARIANTS or method in _STANDARD


def noisy_threshold(
    method: str,
    problem: SelectionProblem,
    *,
    epsilon: Fraction,
    parameters: Mapping[str, Any],
    noise: NoiseSource,
) -> float | None:
    """What the scores were compared with first, by a method of the sparse vector family.

    Parameters
    ----------
    method : str
        A name from `dpcore.selection.selectors`.
    problem : SelectionProblem
    epsilon : Fraction
    parameters : mapping
        Of the method.
    noise : NoiseSource
        Simulated, and in the state in which the selection found it.

    Returns
    -------
    float or None
        None for methods without a noisy threshold, and where there is no score.

    Raises
    ------
    NotPrivate
        With real noise.

    Examples
    --------
    >>> import numpy as np
    >>> from dpcore import Neighbors, SeededNoise
    >>> problem = SelectionProblem(
    ...     scores=np.array([5.0, 9.0]),
    ...     sensitivity=1.0,
    ...     l1_sensitivity=2.0,
    ...     monotone=True,
    ...     whole=True,
    ...     neighbors=Neighbors.ADD_REMOVE,
    ...     threshold=7.0,
    ... )
    >>> found = noisy_threshold(
    ...     "sparse-vector", problem, epsilon=Fraction(50), parameters={}, noise=SeededNoise(0)
    ... )
    >>> round(found, 1)
    7.0
    """
    mechanism = _mechanism(method, problem, epsilon, parameters)
    if mechanism is None or not problem.scores.size:
        return None
    traced = TracedSparseVector(mechanism=mechanism, most=1)
    gate = open_gate(traced.loss, neighbors=problem.neighbors, noise=noise)
    trace = gate.release(traced, problem.scores, label="a trace")
    return trace.queries[0].noisy_threshold


def _mechanism(
    method: str, problem: SelectionProblem, epsilon: Fraction, parameters: Mapping[str, Any]
) -> SparseVector | PublishedSparseVector | None:
    if not has_noisy_threshold(method):
        return None
    cutoff = cutoff_of(problem, int(parameters.get("cutoff", 1)))
    facts: dict[str, Any] = {
        "threshold": problem.threshold,
        "sensitivity": problem.sensitivity,
        "monotone": problem.monotone,
        "whole": problem.whole,
        "neighbors": problem.neighbors,
    }
    if method in _STANDARD:
        told = {name: parameters[name] for name in ("ratio", "boost") if name in parameters}
        retraverse = method == "sparse-vector-retraversal"
        return SparseVector(epsilon=epsilon, k=cutoff, retraverse=retraverse, **told, **facts)

    def at(loss: Loss) -> PublishedSparseVector:
        variant = _VARIANTS[method]
        return PublishedSparseVector(variant=variant, epsilon=loss.epsilon, cutoff=cutoff, **facts)

    # As the selector does: the published epsilon that makes the true loss the one asked for.
    return at(Loss(epsilon) / at(Loss(epsilon)).true_factor)
