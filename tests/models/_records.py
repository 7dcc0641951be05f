"""A small mixed domain, every record of it, and a gate that shows what a method releases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from dpcore import Neighbors, SeededNoise
from dpcore._typing import IntArray
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.mechanisms.smooth import Grouped
from dpcore.models.training import Training
from dpcore.release import Gate
from dpcore.schema import Block, Feature, FeatureSpace

SPACE = FeatureSpace(
    (
        Feature("age", "numeric", "age", (-1.0, 3.0)),
        Feature("job=a", "indicator", "job"),
        Feature("job=b", "indicator", "job"),
        Feature("smoker", "indicator", "smoker"),
        Feature("text:0", "indicator", "text"),
        Feature("text:1", "indicator", "text"),
        Feature("text:2", "indicator", "text"),
    ),
    (
        Block("age", "numeric", 0, 1, 1),
        Block("job", "one-hot", 1, 3, 1),
        Block("smoker", "one-hot", 3, 4, 1),
        Block("text", "bag", 4, 7, 2),
    ),
)
WITHOUT_TEXT = SPACE.take([0, 1, 2, 3])

# Values that break promises on purpose: out of bounds, missing, two levels at once, three words.
_AGES = (-1.0, 0.7, 3.0, 1e9, np.nan)
_JOBS = ((0, 0), (1, 0), (1, 1))
_TEXTS = ((0, 0, 0), (1, 1, 0), (1, 1, 1))

Record = tuple[tuple[float, ...], int]


def all_records(n_classes: int) -> list[Record]:
    """Every record of the domain with every label, the undeclared (-1) among them."""
    rows = [
        (age, *job, smoker, *text)
        for age, job, smoker, text in product(_AGES, _JOBS, (0, 1), _TEXTS)
    ]
    # A fixed third of them keeps the exhaustive tests quick; every value occurs with every label.
    return [(row, label) for row in rows[::3] + rows[1::7] for label in (-1, *range(n_classes))]


def training(records: list[Record], n_classes: int, space: FeatureSpace = SPACE) -> Training:
    """What an estimator would hand to a method."""
    width = len(space.features)
    matrix = np.array([row[:width] for row, _ in records], dtype=np.float64)
    matrix = matrix.reshape(len(records), width)
    labels = np.array([label for _, label in records], dtype=np.int64)
    return Training.of(BoundedRows.of(matrix, space), labels, n_classes)


@dataclass
class ReplayGate:
    """Stands in for `Gate`: adds no noise, and can answer as it did for another data set.

    With the `answers` of a first run, a second run on a neighbour takes the same branches, and what
    the two `released` shows how far one record moves it. Class sizes are answered as
    `records` each, so that a few records lead down the branches of many.
    """

    neighbors: Neighbors
    answers: dict[str, Any] | None = None
    records: int = 0
    simulated: bool = True
    noise_off: bool = False
    released: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    said: dict[str, Any] = field(default_factory=dict)

    terms = Gate.terms

    def release(self, mechanism: Any, value: Any, *, label: str) -> Any:
        """Remember the mechanism and its private argument; answer exactly, or as before."""
        self.released[label] = (mechanism, value)
        said = self._fresh(mechanism, value, label) if self.answers is None else self.answers[label]
        self.said[label] = said
        return said

    def _fresh(self, mechanism: Any, value: Any, label: str) -> Any:
        if label.startswith("class sizes") and self.records:
            return np.full_like(value, self.records)
        if isinstance(value, np.ndarray):
            return value.copy()
        if isinstance(value, Grouped):
            return np.zeros((mechanism.n_groups, mechanism.n_columns))
        rows, _ = value  # an objective: weights of a size that the mechanism knows
        vectors = getattr(mechanism, "n_vectors", None)
        shape = (rows.shape[1],) if vectors is None else (vectors, rows.shape[1])
        return np.linspace(-1, 1, int(np.prod(shape))).reshape(shape)


class Shifted(SeededNoise):
    """Noise that makes any number of records of few."""

    shift = 0

    def discrete_laplace(self, scale: float | Fraction, size: int) -> IntArray:
        return super().discrete_laplace(scale, size) + self.shift


def numbers(many: int, levels: int = 0) -> FeatureSpace:
    """Numbers that may be missing, and a column of levels."""
    features = [Feature(f"x{i}", "numeric", f"x{i}", (-1.0, 1.0), True) for i in range(many)]
    blocks = [Block(f"x{i}", "numeric", i, i + 1, 1) for i in range(many)]
    features += [Feature(f"zip={i}", "indicator", "zip") for i in range(levels)]
    if levels:
        blocks.append(Block("zip", "one-hot", many, many + levels, 1))
    return FeatureSpace(tuple(features), tuple(blocks))


def released_by_neighbours(
    run: Callable[[Training, Any], Any], neighbors: Neighbors
) -> list[dict[str, tuple[Any, Any]]]:
    """What a method releases without a record of two numbers and with it, or in another class.

    It is at an end of every number's bounds, where it moves sums most.
    """
    space = FeatureSpace(tuple(Feature(x, "numeric", x, (0.0, 10.0)) for x in "ab"))
    record, seen = (10.0, 0.0), []
    for records in (neighbors.pick(add_remove=[], replace=[(record, 0)]), [(record, 1)]):
        gate = ReplayGate(neighbors)
        run(training(records, 2, space), gate)
        seen.append(gate.released)
    return seen
