"""Does what a training method releases keep within the sensitivity that it declares?"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse

from dpcore import Loss, Neighbors
from dpcore.mechanisms import BlockObjective, ObjectivePerturbation
from dpcore.mechanisms.row_parts import split_columns
from dpcore.registry import Method
from dpcore.schema import FeatureSpace
from tests.models._records import Record, ReplayGate, all_records, training


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

    Mechanisms with an L1 sensitivity: the L1 change of the value over it. Objectives: how far a row
    leaves the set that the mechanism was told of (1 is on the edge).
    """
    parameters = method.check({})
    first = ReplayGate(neighbors, records=records)
    method.run(training(base, n_classes, space), loss=loss, gate=first, **parameters)
    runs = []
    for record in all_records(n_classes):
        gate = ReplayGate(neighbors, answers=first.said)
        data = training([*base, record], n_classes, space)
        method.run(data, loss=loss, gate=gate, **parameters)
        runs.append(gate.released)
    return {label: _worst(label, first.released, runs, neighbors) for label in first.released}


def _worst(label: str, base: Any, runs: list[Any], neighbors: Neighbors) -> float:
    mechanism = base[label][0]
    if isinstance(mechanism, BlockObjective | ObjectivePerturbation):
        return max(_outside(mechanism, run[label][1][0]) for run in runs)
    grown = np.array([np.ravel(run[label][1]).astype(float) for run in runs])
    if neighbors is Neighbors.ADD_REMOVE:
        change = np.abs(grown - np.ravel(base[label][1])).sum(axis=1).max()
    else:
        distinct = np.unique(grown, axis=0)
        change = max(np.abs(distinct - one).sum(axis=1).max() for one in distinct)
    return float(change / mechanism.l1_sensitivity)


def _outside(mechanism: BlockObjective | ObjectivePerturbation, rows: Any) -> float:
    dense = rows.toarray() if issparse(rows) else rows
    if isinstance(mechanism, ObjectivePerturbation):
        return float(np.linalg.norm(dense, axis=1).max(initial=0.0))
    worst = 0.0
    for row in dense:
        for part, piece in zip(mechanism.parts, split_columns(row, mechanism.parts), strict=True):
            norm = np.abs(piece).max() if part.kind == "box" else np.abs(piece).sum() / part.most
            worst = max(worst, float(norm))
    return worst
