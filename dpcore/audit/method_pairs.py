"""Neighbouring data sets for registered methods: labelled scores, rows of features, records."""

import math
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

import numpy as np
import pandas as pd

from dpcore._typing import FloatArray
from dpcore.audit.target import Pair
from dpcore.data.counting import ScoreHistogram
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.data.counting.score_counter import rows_by_group
from dpcore.errors import MissingResource
from dpcore.models.training import Training
from dpcore.privacy import Neighbors
from dpcore.schema import Categorical, Design, FeatureSpace, Label, Numeric, Schema, Text, encode

_CELLS = 256
_LABELS = (0, 0, 0, 1, 1)
_SCORES = (0.05, 0.2, 0.6, 0.4, 0.9)


def _histogram(labels: tuple[Any, ...], scores: tuple[Any, ...]) -> ScoreHistogram:
    return ScoreHistogram.from_arrays(labels, scores, cells=_CELLS)


def score_pairs(neighbors: Neighbors) -> Iterator[Pair]:
    """A handful of scores, and one more or another at the far end of either class.

    Few records, so that one of them counts.

    Examples
    --------
    >>> next(score_pairs(Neighbors.ADD_REMOVE)).words
    'one positive of score 0.99 more'
    """
    for label, score in ((1, 0.99), (0, 0.01)):
        word = "positive" if label else "negative"
        there = _histogram((*_LABELS, label), (*_SCORES, score))
        if neighbors is Neighbors.ADD_REMOVE:
            here, words = _histogram(_LABELS, _SCORES), f"one {word} of score {score} more"
        else:
            other = "negative" if label else "positive"
            here = _histogram((*_LABELS, 1 - label), (*_SCORES, 1 - score))
            words = f"one {word} of score {score} instead of a {other} of {1 - score:.2g}"
        yield Pair(here, there, words, neighbors)


def odd_score_pairs(neighbors: Neighbors) -> tuple[Pair, ...]:
    """The same scores, and one record more, or another, that is not stored as they are.

    Under replace it has a class and a score, since else it would be no record of the histogram.

    Examples
    --------
    >>> [pair.words for pair in odd_score_pairs(Neighbors.REPLACE)]
    ['one record whose label and score are texts']
    """
    here, words = _histogram(_LABELS, _SCORES), "one record whose label and score are texts"
    odd: dict[str, tuple[Any, Any]] = {words: ("1.0", " 9.9e-1")}
    if neighbors is Neighbors.ADD_REMOVE:
        odd |= {
            "one record without a score": (1, None),
            "one record of an undeclared class, with an infinite score": ("perhaps", math.inf),
        }
    else:
        here = _histogram((*_LABELS, 0), (*_SCORES, 0.01))
    return tuple(
        Pair(here, _histogram((*_LABELS, label), (*_SCORES, score)), words, neighbors)
        for words, (label, score) in odd.items()
    )


# Of these records: class, group, and a score for each of three classes. The first score is also
# that of one model, the second that of another.
_OF_MANY = (
    (0, "a", (0.6, 0.2, 0.2)),
    (0, "b", (0.4, 0.4, 0.1)),
    (1, "a", (0.3, 0.6, 0.1)),
    (2, "b", (0.1, 0.2, 0.7)),
)
_MORE_OF_MANY, _INSTEAD_OF_MANY = (1, "a", (0.01, 0.99, 0.01)), (0, "b", (0.99, 0.01, 0.99))
_ODD_OF_MANY = {
    "one record whose label, group and scores are texts": ("1.0", " a", ("1e-2", " 9.9e-1", "0")),
    "one record without a score and of no group": (1, None, (None, 0.5, math.inf)),
}
Many = tuple[Any, Any, tuple[Any, Any, Any]]


def _counted(records: tuple[Many, ...], model: int, positive: int = 1) -> ScoreHistogram:
    labels = np.array([one[0] for one in records], dtype=object)
    scores = np.array([one[2][model] for one in records], dtype=object)
    return ScoreHistogram.from_arrays(labels, scores, cells=_CELLS, pos_label=positive)


def _in_groups(records: tuple[Many, ...]) -> tuple[ScoreHistogram, ...]:
    cells = np.array([one[1] for one in records], dtype=object)
    return tuple(
        _counted(tuple(one for one, is_in in zip(records, here, strict=True) if is_in), 0)
        for here in rows_by_group(cells, levels=("a",))
    )


# What each decision is given of the records.
_OF_DECISIONS: Mapping[str, Callable[[tuple[Many, ...]], Any]] = {
    "confusion-matrix": lambda records: _counted(records, 0),
    "group-evaluation": _in_groups,
    "macro-auc": lambda records: tuple(_counted(records, one, one) for one in range(3)),
    "model-comparison": lambda records: tuple(_counted(records, one) for one in (0, 1)),
}


def decision_pairs(name: str, neighbors: Neighbors) -> tuple[Pair, ...]:
    """A handful of records with a class, a group and scores, and one more or another.

    Raises
    ------
    MissingResource
        If it is not said what a decision of that name is given.

    Examples
    --------
    >>> [pair.words for pair in decision_pairs("macro-auc", Neighbors.REPLACE)]
    ['one record is of another class and group, at the other end of every score']
    """
    words = neighbors.pick(
        add_remove="one record more, at an end of every score",
        replace="one record is of another class and group, at the other end of every score",
    )
    return _decision_pairs(name, {words: _MORE_OF_MANY}, neighbors)


def odd_decision_pairs(name: str, neighbors: Neighbors) -> tuple[Pair, ...]:
    """The same records, and one more, or another, that is not stored as they are."""
    return _decision_pairs(name, _ODD_OF_MANY, neighbors)


def _decision_pairs(name: str, many: Mapping[str, Many], neighbors: Neighbors) -> tuple[Pair, ...]:
    if name not in _OF_DECISIONS:
        raise MissingResource(
            f"it is not said what the decision {name!r} is given of the audit's records",
            "add it to dpcore/audit/method_pairs.py",
        )
    given = _OF_DECISIONS[name]
    here = _OF_MANY if neighbors is Neighbors.ADD_REMOVE else (*_OF_MANY, _INSTEAD_OF_MANY)
    more = {words: given((*_OF_MANY, there)) for words, there in many.items()}
    return tuple(Pair(given(here), there, words, neighbors) for words, there in more.items())


# The row in which neighbours differ changes the best feature, the best two and those above 1.5.
_FEATURE_ROWS = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0))
_MORE, _INSTEAD = (0, 0, 1, 1), (1, 1, 0, 0)


def feature_pairs(neighbors: Neighbors) -> tuple[Pair, ...]:
    """Three short rows, and one more or another with as many ones as a row may have.

    Examples
    --------
    >>> [pair.words for pair in feature_pairs(Neighbors.ADD_REMOVE)]
    ['one row more, with two features']
    """
    base, labels = np.array(_FEATURE_ROWS, dtype=np.float64), np.array([1, 0, 1])
    there = (np.vstack([base, _MORE]), np.append(labels, 1))
    if neighbors is Neighbors.ADD_REMOVE:
        return (Pair((base, labels), there, "one row more, with two features"),)
    other = (np.vstack([base, _INSTEAD]), np.append(labels, 0))
    words = "one row has two features instead of two others, and the other class"
    return (Pair(other, there, words, neighbors),)


_AGE, _JOB = Numeric("age", (-1.0, 1.0)), Categorical("job", ("a", "b"))
_NOTE, _CLASS = Text("note", vocabulary=("12", "50", "free"), max_words=2), Label("ill", ("n", "y"))
# Tried in this order: a method that takes one kind of column only gets that.
_SCHEMAS = (Schema((_AGE, _JOB, _NOTE, _CLASS)), Schema((_AGE, _CLASS)), Schema((_NOTE, _CLASS)))
SPACES = tuple(map(FeatureSpace.of, _SCHEMAS))
_MIXED = SPACES[0]
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
    return (Pair(here, there, words, neighbors),)


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
    space
        One of those that methods accept.
    read
        What encodes a table; to see whether the audit catches a reader of whole columns.

    Examples
    --------
    >>> [pair.words for pair in odd_record_pairs(_MIXED, Neighbors.ADD_REMOVE)][0]
    'one record more, a text where others have a number'
    """
    schema = _SCHEMAS[SPACES.index(space)]

    def training(*records: Mapping[str, Any]) -> Training:
        rows = [*[_PLAIN] * _ALIKE, *records]
        table = {name: pd.Series([row[name] for row in rows], dtype=object) for name in _PLAIN}
        design = read(pd.DataFrame(table), schema)
        assert design.y is not None
        return Training.of(BoundedRows.of(design.matrix, space), design.y, 2)

    here = training(*[_PLAIN] * neighbors.pick(add_remove=0, replace=1))
    return tuple(Pair(here, training(_PLAIN | odd), said, neighbors) for said, odd in _ODD.items())
