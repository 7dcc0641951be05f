"""Training methods: records in a feature space in, a model out."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.aggregates.bounded_rows import BoundedRows
from dpcore.audit.kinds.kind import EPSILON, gate_target
from dpcore.audit.pair import Pair
from dpcore.audit.target import Target
from dpcore.errors import InvalidArgument, MissingResource
from dpcore.models.training import Training
from dpcore.privacy import Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate
from dpcore.schema import Block, Feature, FeatureSpace

__all__ = ["record_pairs", "training_target"]

_NUMERIC = Feature("age", "numeric", "age", (-1.0, 1.0)), Block("age", "numeric", 0, 1, 1)
_ONE_HOT = Feature("job=a", "indicator", "job"), Feature("job=b", "indicator", "job")
_WORDS = tuple(Feature(f"text:{word}", "indicator", "text") for word in range(3))
_TEXT = FeatureSpace(_WORDS, (Block("text", "bag", 0, 3, 2),))
_NUMBER = FeatureSpace((_NUMERIC[0],), (_NUMERIC[1],))
_MIXED = FeatureSpace(
    (_NUMERIC[0], *_ONE_HOT, *_WORDS),
    (_NUMERIC[1], Block("job", "one-hot", 1, 3, 1), Block("text", "bag", 3, 6, 2)),
)
# Tried in this order: a method that takes one kind of column only gets that.
_SPACES = (_MIXED, _NUMBER, _TEXT)
_ROW, _OTHER = (1.0, 1.0, 0.0, 1.0, 1.0, 0.0), (-1.0, 0.0, 1.0, 0.0, 1.0, 1.0)


def _columns(space: FeatureSpace, rows: Any) -> FloatArray:
    """The columns of a space, from rows of the mixed one."""
    names = [feature.name for feature in _MIXED.features]
    wanted = [names.index(feature.name) for feature in space.features]
    return np.array(rows, dtype=np.float64)[:, wanted]


def _training(space: FeatureSpace, rows: Any, classes: Any) -> Training:
    labels = np.array(classes, dtype=np.int64)
    return Training.of(BoundedRows.of(_columns(space, rows), space), labels, 2)


def record_pairs(space: FeatureSpace, neighbors: Neighbors) -> tuple[Pair, ...]:
    """Two records, and one more, or another, with the largest value in every column."""
    rows, classes = [_OTHER, _ROW], [0, 1]
    there = _training(space, [*rows, _ROW], [*classes, 0])
    if neighbors is Neighbors.ADD_REMOVE:
        here, words = _training(space, rows, classes), "one record more, at every upper bound"
    else:
        here = _training(space, [*rows, _OTHER], [*classes, 1])
        words = "one record at every upper bound instead of one at the lower bounds"
    return (Pair(here=here, there=there, words=words, neighbors=neighbors),)


@cache
def space_of(method: Method) -> FeatureSpace:
    """The first feature space that a training method accepts.

    Raises
    ------
    MissingResource
        If it accepts none.
    """
    for space in _SPACES:
        try:
            for neighbors in method.neighbors:
                _target_on(method, neighbors, space)
        except InvalidArgument:
            continue
        return space
    raise MissingResource(
        f"the training method {method.name!r} accepts none of the feature spaces of the audit",
        "add one that it accepts to dpcore/audit/kinds/models.py",
    )


def _target_on(
    method: Method, neighbors: Neighbors, space: FeatureSpace, epsilon: Fraction = EPSILON
) -> Target:
    parameters = method.check({})
    # A delta is part of the budget, not of the method's own parameters.
    budget = Loss(epsilon, parameters.pop("delta", 0))

    def run(training: Any, loss: Loss, gate: Gate) -> Any:
        return method.run(training, loss=loss, gate=gate, **parameters)

    example = record_pairs(space, neighbors)[0].here
    return gate_target(method, neighbors, run, example, budget=budget)


def training_target(method: Method, neighbors: Neighbors, epsilon: Fraction = EPSILON) -> Target:
    """A training method as a target, on records of the space that it accepts."""
    return _target_on(method, neighbors, space_of(method), epsilon)


def training_pairs(method: Method, neighbors: Neighbors) -> tuple[Pair, ...]:
    """Neighbours in the space that the method accepts."""
    return record_pairs(space_of(method), neighbors)
