"""A gate that lets a test see what a method is about to release."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import roc_methods
from dpcore.release import Gate

GRID = np.array([0.0, 0.3, 0.6, 1.0])
RECORDS = list(itertools.product((0, 1), range(GRID.size - 1)))  # (class, cell)


class Spy:
    """Records mechanisms and private values; draws from a seed, unless an answer is scripted."""

    simulated = True

    def __init__(self, neighbors: Neighbors, answers: Mapping[str, Any] | None = None) -> None:
        self.neighbors, self.answers = neighbors, answers or {}
        self.seen: dict[str, tuple[Any, Any]] = {}

    terms = Gate.terms

    def release(self, mechanism: Any, value: Any, *, label: str) -> Any:
        self.seen[label] = mechanism, value
        if label in self.answers:
            return self.answers[label]
        return mechanism.draw(value, SeededNoise(0))


def histogram(data: tuple[tuple[int, int], ...]) -> ScoreHistogram:
    counts = np.zeros((2, GRID.size - 1), dtype=np.int64)
    for label, cell in data:
        counts[label, cell] += 1
    return ScoreHistogram(counts[1], counts[0], GRID)


def released(
    method: str,
    data: tuple[tuple[int, int], ...],
    neighbors: Neighbors,
    *,
    answers: Mapping[str, Any] | None = None,
    **parameters: Any,
) -> dict[str, tuple[Any, Any]]:
    """What a method releases about a data set, by label: (mechanism, private value)."""
    declared = roc_methods()[method]
    spy = Spy(neighbors, answers)
    declared.run(histogram(data), loss=Loss(1), gate=spy, **declared.check(parameters))
    return spy.seen


def changes(
    method: str, label: str, neighbors: Neighbors, *, records: int = 3, **arguments: Any
) -> Iterator[tuple[Any, np.ndarray]]:
    """Mechanism and change of the private value, for every pair of neighbours that small."""
    values = {}
    mechanism = None
    for size in range(records + 1):
        for data in itertools.combinations_with_replacement(RECORDS, size):
            mechanism, values[data] = released(method, data, neighbors, **arguments)[label]
    for data in (data for data in values if len(data) < records):
        larger = [values[tuple(sorted((*data, record)))] for record in RECORDS]
        pairs = neighbors.pick(
            add_remove=[(values[data], other) for other in larger],
            replace=list(itertools.combinations(larger, 2)),
        )
        for one, other in pairs:
            yield mechanism, np.asarray(other) - np.asarray(one)
