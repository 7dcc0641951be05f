"""Exact worst cases: tight for what is PROVEN, beyond every claim for what is BROKEN."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from dpcore.selection.exact import counterexample
from dpcore.selection.exact.laws import Asked, Comparisons, log_probability

# In units of the published epsilon: algorithm, cut-off, general scores, monotone scores.
TRUE_LOSSES = [
    (1, 1, 1.0, 0.75),
    (1, 7, 1.0, 0.75),
    (2, 1, 1.0, 0.75),
    (2, 7, 1.0, 0.75),
    (4, 3, 4.75, 2.5),
    (4, 10, 15.25, 7.75),
    (7, 1, 1.0, 1.0),
    (7, 7, 1.0, 1.0),
]


@pytest.mark.parametrize("epsilon", [0.1, 1])
@pytest.mark.parametrize("algorithm, cutoff, general, monotone", TRUE_LOSSES)
def test_proven_losses_are_tight(
    algorithm: int, cutoff: int, general: float, monotone: float, epsilon: float
) -> None:
    for together, factor in ((False, general), (True, monotone)):
        worst = counterexample(algorithm, epsilon=epsilon, cutoff=cutoff, monotone=together)
        assert worst.loss <= epsilon * factor + 1e-7
        assert worst.loss > 0.99 * epsilon * factor
        assert worst.loss <= worst.comparisons.declared + 1e-7


@pytest.mark.parametrize("ratio", ["1:3", "1:c", "1:c^(2/3)"])
@pytest.mark.parametrize("monotone", [True, False])
def test_every_ratio_is_tight(ratio: str, monotone: bool) -> None:
    worst = counterexample(7, epsilon=1, cutoff=9, ratio=ratio, monotone=monotone)
    assert 0.99 < worst.loss <= 1 + 1e-7


def test_threshold_testing() -> None:
    """Scores (1, 2) against (2, 2), threshold 2, noise of scale 1: .316 against 0."""
    found = counterexample(5, epsilon=2, monotone=True)
    assert exp(found.log_here) == pytest.approx((1 - exp(-1)) / 2, rel=1e-12)
    assert exp(found.log_here) == pytest.approx(0.316, abs=5e-4)
    assert exp(found.log_there) == 0.0
    assert found.loss == np.inf


@pytest.mark.parametrize(
    "size, monotone, loss", [(20, False, 17.1), (80, False, 70.7), (80, True, 39.0)]
)
def test_noisycut(size: int, monotone: bool, loss: float) -> None:
    found = counterexample(6, epsilon=1, size=size, monotone=monotone)
    assert found.loss == pytest.approx(loss, abs=0.05)


@pytest.mark.parametrize("algorithm", [3, 6])
@pytest.mark.parametrize("monotone", [True, False])
def test_broken_losses_grow_without_end(algorithm: int, monotone: bool) -> None:
    losses = [
        counterexample(algorithm, epsilon=1, size=size, monotone=monotone).loss
        for size in (10, 100, 1000)
    ]
    assert losses[1] > 4 * losses[0] > 4
    assert losses[2] > 8 * losses[1]


@pytest.mark.parametrize("monotone, loss", [(False, 1.5), (True, 1.0)])
def test_successes_of_algorithm_3_alone(monotone: bool, loss: float) -> None:
    """Without the numbers: 3/2 of the published epsilon, once if scores are monotone."""
    found = Comparisons.of(3, epsilon=1, cutoff=2, monotone=monotone)
    low, fall = -20 * found.query_scale, 0.0 if monotone else 1.0
    here = log_probability(found, [Asked(0, False, 10**6), Asked(low, True, 2)])
    there = log_probability(found, [Asked(1, False, 10**6), Asked(low - fall, True, 2)])
    assert 0.99 * loss < here - there <= loss + 1e-7
