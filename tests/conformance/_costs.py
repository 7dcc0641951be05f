"""What one release tells two data sets apart by: exactly, or on the path that it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from dpcore.audit import exact_loss
from dpcore.audit.target import Pair
from dpcore.mechanisms import (
    BlockObjective,
    Geometric,
    HaarCounts,
    Laplace,
    ObjectivePerturbation,
    QuantileBins,
    RecursiveQuantiles,
    SmoothNoise,
)
from dpcore.mechanisms.counts.additive import KNormCounts
from dpcore.mechanisms.counts.joint_counts import GroupTotals, PairsAndSizes
from dpcore.mechanisms.counts.k_norm_histograms import KNormHistograms
from dpcore.mechanisms.counts.tree_counts import TentCounts, TreeCounts, haar
from dpcore.mechanisms.regression.perturbation import OutputPerturbation
from dpcore.noise import NoiseSource, SystemNoise
from tests.mechanisms._recorder import query
from tests.models._sensitivity import outside

REGRESSIONS = BlockObjective, ObjectivePerturbation, OutputPerturbation
NORMS = KNormCounts, KNormHistograms, PairsAndSizes
CHOSEN = QuantileBins, RecursiveQuantiles, SmoothNoise


class Choices:
    """Remembers what was chosen with real noise, and makes a second data set choose the same."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[tuple[int, float]] = []
        self._again: Iterator[tuple[int, float]] | None = None
        self.loss = 0.0
        real = SystemNoise.choose

        def choose(noise: SystemNoise, log_weights: np.ndarray) -> int:
            every = float(np.logaddexp.reduce(log_weights))
            if self._again is None:
                chosen = real(noise, log_weights)
                self.made.append((chosen, float(log_weights[chosen]) - every))
                return chosen
            chosen, before = next(self._again)
            self.loss += float(log_weights[chosen]) - every - before
            return chosen

        monkeypatch.setattr(SystemNoise, "choose", choose)

    def drawn_again(self, mechanism: Any, value: Any, made: list[Any], noise: NoiseSource) -> Any:
        """The loss of the same choices from another value, and what it gives."""
        self._again, self.loss = iter(made), 0.0
        try:
            return mechanism.draw(value, noise)
        finally:
            assert next(self._again, None) is None
            self._again = None


def cost(mechanism: Any, here: Any, there: Any) -> float:
    """Largest log-ratio between two values, of mechanisms whose noise says it without a draw.

    Zero for others, which are looked at elsewhere.
    """
    if isinstance(mechanism, Geometric | Laplace):
        moved = float(np.abs(np.subtract(there, here)).sum())
        return moved * float(mechanism.loss.epsilon) / float(mechanism.l1_sensitivity)
    if isinstance(mechanism, HaarCounts):
        moved = float(np.abs(haar(there) - haar(here)).sum())
        return moved / float(mechanism.scale(here.shape[1]))
    if isinstance(mechanism, TreeCounts | TentCounts | GroupTotals):
        (before, scales), (after, _) = (query(mechanism, value) for value in (here, there))
        if isinstance(mechanism, GroupTotals):
            on_counts, on_sums = np.repeat(mechanism.count_scales, 2), mechanism.sum_scales
            both = np.reshape(on_counts, (-1, 2)).T.ravel()
            scales = np.concatenate([both, on_sums])
        moves = zip(after - before, scales, strict=True)
        return float(sum(abs(int(by)) / scale for by, scale in moves))
    if isinstance(mechanism, NORMS):
        return float(exact_loss(mechanism, Pair(here, there, "", mechanism.neighbors)) or 0.0)
    if isinstance(mechanism, REGRESSIONS):
        assert max(outside(mechanism, rows) for rows in (here[0], there[0])) <= 1 + 1e-9
        one, other = map(_records, (here, there))
        differ = ((one - other) + (other - one)).total()
        return float(mechanism.loss.epsilon) * differ / mechanism.neighbors.steps
    return 0.0


def _records(value: Any) -> Counter[tuple[float, ...]]:
    rows = value[0] if isinstance(value[0], np.ndarray) else value[0].toarray()
    return Counter(map(tuple, np.column_stack([rows, value[1]]).tolist()))


def cost_of_choices(
    choices: Choices, mechanism: Any, here: Any, there: Any, made: list[Any], noise: NoiseSource
) -> float:
    """Of those that choose among cells of a grid: on the path that was taken."""
    if not isinstance(mechanism, CHOSEN):
        return 0.0
    found = choices.drawn_again(mechanism, there, made, noise)
    if not isinstance(mechanism, QuantileBins):
        return abs(choices.loss)
    marks = np.concatenate([[0], found.cuts, [mechanism.positions.size - 1]])
    on_counts = [
        float(np.abs(np.diff(after[marks]) - np.diff(before[marks])).sum() / scale)
        for before, after, scale in zip(
            here, there, (mechanism.guide_scale, mechanism.other_scale), strict=True
        )
    ]
    return abs(choices.loss) + sum(on_counts)
