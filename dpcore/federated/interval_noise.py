"""The stored noise of a federation: one number for each dyadic interval of cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.federated.session import Plan
from dpcore.mechanisms import Mechanism
from dpcore.noise import NoiseSource, SeededNoise
from dpcore.privacy import Ledger
from dpcore.privacy.ledger import OneProcess
from dpcore.release import release


@dataclass(frozen=True, eq=False)
class IntervalNoise(OneProcess):
    """Noise drawn once, kept secret by its owner, and added to every count that is evaluated.

    The paper's eta: because an interval's noise stays the same however often it is asked for, all
    evaluations together cost what was charged once.

    Parameters
    ----------
    numbers : int array, shape (classes, intervals)
        Intervals of one cell first, then those of two, and so on.
    """

    numbers: IntArray

    _called: ClassVar[str] = "the noise of a federation"

    @classmethod
    def drawn(
        cls, plan: Plan, mechanism: Mechanism[IntArray, IntArray], noise: NoiseSource, owner: str
    ) -> IntervalNoise:
        """Charge an account of the owner, and draw.

        Privacy
            The charge is for what the noise will hide: every count evaluated with it.
        """
        zeros = np.zeros((plan.classes, plan.intervals), dtype=np.int64)
        ledger = Ledger(plan.loss, plan.neighbors)
        drawn = release(
            mechanism, zeros, label=f"interval noise of {owner}", ledger=ledger, noise=noise
        )
        return cls(drawn.value)

    @classmethod
    def none(cls, plan: Plan) -> IntervalNoise:
        """No noise at all: for simulations of exact counts."""
        return cls(np.zeros((plan.classes, plan.intervals), dtype=np.int64))

    def at(self, points: IntArray, plan: Plan) -> IntArray:
        """Noise of the counts up to each cell, shape (classes, points)."""
        self._require_own_process()
        noise = self.numbers[:, intervals_of(points, plan.depth)]
        return np.asarray(noise.sum(axis=2), dtype=np.int64)


def intervals_of(points: IntArray, depth: int) -> IntArray:
    """Indices of the intervals that hold each cell, shape (points, depth + 1).

    Examples
    --------
    >>> intervals_of(np.array([0, 3]), 2).tolist()
    [[0, 4, 6], [3, 5, 6]]
    """
    levels = np.arange(depth + 1)
    starts = (2 << depth) - (2 << (depth - levels))
    return np.asarray(starts + (points[:, np.newaxis] >> levels), dtype=np.int64)


def shared_intervals(points: IntArray, depth: int) -> FloatArray:
    """How many intervals two cells have in common, shape (points, points).

    Times the variance of one interval's noise, this is the covariance of the counts' noise.

    Examples
    --------
    >>> shared_intervals(np.array([0, 1, 3]), 2).tolist()
    [[3.0, 2.0, 1.0], [2.0, 3.0, 1.0], [1.0, 1.0, 3.0]]
    """
    mine = intervals_of(points, depth)
    return np.asarray((mine[:, np.newaxis] == mine).sum(axis=2), dtype=np.float64)


def child_noise(noise: NoiseSource, owner: str) -> NoiseSource:
    """A source of one's own for each role: the system's is that anyway, a seed is divided."""
    return noise.child(owner) if isinstance(noise, SeededNoise) else noise
