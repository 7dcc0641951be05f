"""Training methods: records in a feature space in, a model out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import datetime
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from dpcore._typing import FloatArray
from dpcore.audit.kinds.kind import EPSILON, gate_target
from dpcore.audit.pair import Pair
from dpcore.audit.target import Target
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import InvalidArgument, MissingResource
from dpcore.models.training import Training
from dpcore.privacy import Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate
from dpcore.schema import (
    Categorical,
    Design,
    FeatureSpace,
    Label,
    Numeric,
    Schema,
    Text,
    encode,
)

__all__ = ["odd_record_pairs", "record_pairs", "training_target"]

_AGE, _JOB = Numeric("age", (-1.0, 1.0)), Categorical("job", ("a", "b"))
_NOTE, _CLASS = Text("note", vocabulary=("12", "50", "free"), max_words=2), Label("ill", ("n", "y"))
# Tried in this order: a method that takes one kind of column only gets that.
_SCHEMAS = (
    Schema((_AGE, _JOB, _NOTE, _CLASS)),
    Schema((_AGE, _CLASS)),
    Schema((_NOTE, _CLASS)),
)
_SPACES = tuple(map(FeatureSpace.of, _SCHEMAS))
_MIXED = _SPACES[0]
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


# As many records as show in the noise, should another one change how they are read.
_ALIKE = 50
_PLAIN: dict[str, Any] = {"age": "0.5", "job": "a", "note": "12.50", "ill": "n"}
_ODD: dict[str, dict[str, Any]] = {
    "one record more, a text where others have a number": {"age": "old", "note": "free"},
    "one record more, with nothing in its cells": {"age": None, "job": None, "note": None},
    "one record more, whose cells are no texts": {
        "age": math.inf,
        "job": 7,
        "note": datetime(2020, 1, 31, 10, 11, 12),
    },
    "one record more, of an undeclared class": {"note": "free", "ill": "perhaps"},
}


def odd_record_pairs(
    space: FeatureSpace,
    neighbors: Neighbors,
    read: Callable[[pd.DataFrame, Schema], Design] = encode,
) -> tuple[Pair, ...]:
    """Plain records, and one more, or another, that is not what its columns are declared to be.

    Parameters
    ----------
    space : FeatureSpace
        One of those that methods accept.
    neighbors : Neighbors
    read : callable, optional
        What encodes a table; to see whether the audit catches a reader of whole columns.

    Examples
    --------
    >>> [pair.words for pair in odd_record_pairs(_MIXED, Neighbors.ADD_REMOVE)][0]
    'one record more, a text where others have a number'
    """
    schema = _SCHEMAS[_SPACES.index(space)]

    def training(*records: Mapping[str, Any]) -> Training:
        rows = [*[_PLAIN] * _ALIKE, *records]
        table = {name: pd.Series([row[name] for row in rows], dtype=object) for name in _PLAIN}
        design = read(pd.DataFrame(table), schema)
        assert design.y is not None
        return Training.of(BoundedRows.of(design.matrix, space), design.y, 2)

    here = training(*[_PLAIN] * neighbors.pick(add_remove=0, replace=1))
    return tuple(
        Pair(here=here, there=training(_PLAIN | odd), words=words, neighbors=neighbors)
        for words, odd in _ODD.items()
    )


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


def odd_training_pairs(method: Method, neighbors: Neighbors) -> tuple[Pair, ...]:
    """Neighbours of which one record is odd, in the space that the method accepts."""
    return odd_record_pairs(space_of(method), neighbors)


def training_pairs(method: Method, neighbors: Neighbors) -> tuple[Pair, ...]:
    """Neighbours in the space that the method accepts."""
    return record_pairs(space_of(method), neighbors)
