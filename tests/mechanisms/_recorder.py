"""A noise source that draws zeros and remembers what it was asked for."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray


class Recorder:
    """Stands in for a NoiseSource: a mechanism's output is then its exact query."""

    simulated = True

    def __init__(self) -> None:
        self.scales: list[NDArray[np.object_]] = []

    def discrete_laplace(self, scale: float | Fraction, size: int) -> NDArray[np.int64]:
        """Zeros, with their scale on record."""
        self.scales.append(np.full(size, Fraction(scale), dtype=object))
        return np.zeros(size, dtype=np.int64)


def query(mechanism, counts):
    """The exact integers that a mechanism adds noise to, and the scale of each one's noise."""
    recorder = Recorder()
    released = mechanism.draw(counts, recorder)
    return np.concatenate([np.ravel(part) for part in flat(released)]), np.concatenate(
        recorder.scales
    )


def flat(released):
    """All arrays in nested tuples, in order."""
    if isinstance(released, np.ndarray):
        return [released]
    return [array for part in released for array in flat(part)]


def worst_loss(mechanism, cells):
    """The largest privacy loss over all neighbours with these cells, exactly: a Fraction.

    Independent discrete Laplace noise of scales b_j loses at most, and for some output exactly,
    the sum of |change of integer j| / b_j. The query is linear, so the change from adding a record
    to a cell does not depend on the other records, and that from moving one is a difference.
    """
    alone = []
    for cell in range(cells):
        counts = np.zeros(cells, dtype=np.int64)
        counts[cell] = 1
        answer, scales = query(mechanism, counts)
        alone.append(answer)
    changes = mechanism.neighbors.pick(
        add_remove=alone,
        replace=[one - other for one in alone for other in alone],
    )
    return max(sum(abs(int(d)) / b for d, b in zip(c, scales, strict=True)) for c in changes)
