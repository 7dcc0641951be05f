"""Does what a training method releases keep within the sensitivity that it declares?"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from dpcore import Loss, Neighbors
from dpcore.mechanisms import (
    BlockObjective,
    KNormHistograms,
    ObjectivePerturbation,
    SmoothGaussian,
    SmoothNoise,
)
from dpcore.mechanisms.regression.perturbation import OutputPerturbation
from dpcore.mechanisms.smooth.cauchy import cauchy_loss
from dpcore.models.training import Training
from dpcore.registry import Method
from dpcore.schema import FeatureSpace
from tests.mechanisms._normal_delta import worst_normal_delta
from tests.models._records import Record, ReplayGate, all_records, training


@lru_cache(maxsize=4096)
def _read(records: tuple[Record, ...], n_classes: int, space: FeatureSpace) -> Training:
    """Every method is tried on the same records, which are read once."""
    return training([*records], n_classes, space)


def moved(
    method: Method,
    loss: Loss,
    neighbors: Neighbors,
    n_classes: int,
    space: FeatureSpace,
    base: list[Record],
    records: int,
) -> dict[str, float]:
    """Largest change over sensitivity, per release, over all neighbours of a base.

    The gate answers as if there were `records` records, which decides the branches taken.

    Mechanisms with an L1 sensitivity: the L1 change of the value over it. Joint histograms: the
    norm of the change over that of one record (infinite outside the space of the noise).
    Objectives: how far a row leaves the set that the mechanism was told of (1 is on the edge).
    Smooth noise: the exact loss over epsilon, or the exact delta over the one declared.
    """
    # So few records would all be trimmed away.
    takes_trim = any(parameter.name == "trim" for parameter in method.parameters)
    parameters = method.check({"trim": 0} if takes_trim else {})
    parameters.pop("delta", None)  # part of the loss
    first = ReplayGate(neighbors, records=records)
    method.run(_read((*base,), n_classes, space), loss=loss, gate=first, **parameters)
    runs = []
    width = len(space.features)
    # Without their text many are the same.
    for record in dict.fromkeys((row[:width], label) for row, label in all_records(n_classes)):
        gate = ReplayGate(neighbors, answers=first.said)
        data = _read((*base, record), n_classes, space)
        method.run(data, loss=loss, gate=gate, **parameters)
        runs.append(gate.released)
    return {label: _worst(label, first.released, runs, neighbors) for label in first.released}


def _worst(label: str, base: Any, runs: list[Any], neighbors: Neighbors) -> float:
    mechanism = base[label][0]
    if isinstance(mechanism, BlockObjective | ObjectivePerturbation | OutputPerturbation):
        return max(outside(mechanism, run[label][1][0]) for run in runs)
    if isinstance(mechanism, SmoothNoise):
        return _smooth_loss(base[label], [run[label][1] for run in runs], neighbors)
    if isinstance(mechanism, KNormHistograms):
        return _joint_norm(mechanism, base[label][1], [run[label][1] for run in runs], neighbors)
    grown = np.array([np.ravel(run[label][1]).astype(float) for run in runs])
    if neighbors is Neighbors.ADD_REMOVE:
        change = np.abs(grown - np.ravel(base[label][1])).sum(axis=1).max()
    else:
        distinct = np.unique(grown, axis=0)
        change = max(np.abs(distinct - one).sum(axis=1).max() for one in distinct)
    return float(change / mechanism.l1_sensitivity)


def _joint_norm(
    mechanism: KNormHistograms, value: Any, grown: list[Any], neighbors: Neighbors
) -> float:
    """Norm of what one record does, summed over the classes, over the 1 or 2 that noise is for."""
    distinct = np.unique(np.array(grown), axis=0)
    others = value[np.newaxis] if neighbors is Neighbors.ADD_REMOVE else distinct
    changes = (distinct[:, np.newaxis] - others).reshape(-1, *value.shape)
    blocks = np.split(changes, np.cumsum(mechanism.sizes)[:-1], axis=2)
    sums = np.array([block.sum(axis=2) for block in blocks])
    if (sums != sums[0]).any():
        return np.inf
    norms = np.max([np.abs(block).sum(axis=2) for block in blocks], axis=0).sum(axis=1)
    return float(norms.max()) / neighbors.pick(add_remove=1, replace=2)


def _smooth_loss(base: Any, grown: list[Any], neighbors: Neighbors) -> float:
    mechanism, value = base
    laws = {_law(mechanism, one) for one in grown}
    others = {_law(mechanism, value)} if neighbors is Neighbors.ADD_REMOVE else laws
    return max(_spent(mechanism, one, other) for one in laws for other in others)


def _law(mechanism: SmoothNoise, value: Any) -> tuple[tuple[float, float], ...]:
    centres, scales = mechanism.centres_and_scales(value)
    return tuple(zip(centres.ravel().tolist(), scales.ravel().tolist(), strict=True))


def _spent(mechanism: SmoothNoise, one: Any, other: Any) -> float:
    moved = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    if not moved:
        return 0.0
    pairs = [(abs(a[0] - b[0]), a[1], b[1]) for a, b in moved]
    epsilon = float(mechanism.loss.epsilon)
    if isinstance(mechanism, SmoothGaussian):
        share = epsilon / len(moved)
        total = sum(worst_normal_delta(*pair, share) for pair in pairs)
        return total * np.exp(epsilon) / float(mechanism.loss.delta)
    return sum(cauchy_loss(*pair) for pair in pairs) / epsilon


def outside(
    mechanism: BlockObjective | ObjectivePerturbation | OutputPerturbation, rows: Any
) -> float:
    dense = rows if isinstance(rows, np.ndarray) else rows.toarray()
    if not isinstance(mechanism, BlockObjective):
        return float(np.linalg.norm(dense, axis=1).max(initial=0.0))
    worst, ends = 0.0, np.cumsum([part.width for part in mechanism.parts])
    for row in dense:
        for part, piece in zip(mechanism.parts, np.split(row, ends[:-1]), strict=True):
            most = part.most if part.kind == "ones" else 1
            norm = np.abs(piece).max() if part.kind == "box" else np.abs(piece).sum() / most
            length = piece @ piece / part.squared_length
            worst = max(worst, float(norm), float(length))
    return worst
