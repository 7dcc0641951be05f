"""The simulated law of the largest error."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.evaluation.ecdf.methods import ecdf_methods
from dpcore.evaluation.ecdf.noise_law import simulated_reach
from dpcore.privacy import Ledger
from dpcore.release import Gate

POINTS = 40


def reach(confidence, neighbors=Neighbors.REPLACE, method="flat"):
    found = simulated_reach(
        ecdf_methods()[method],
        {},
        points=POINTS,
        neighbors=neighbors,
        confidence=np.array([confidence]),
    )
    return found[0]


def largest(error, curve):
    return np.abs(error - curve * error[-1]).max()


@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize("epsilon", ["0.1", "1", "20"])
@pytest.mark.parametrize("curve", ["early", "late", "even"])
def test_noise_exceeds_the_reach_as_rarely_as_it_says(neighbors, epsilon, curve):
    shares = {
        "early": np.ones(POINTS),
        "late": np.r_[np.zeros(POINTS - 1), 1.0],
        "even": np.arange(1, POINTS + 1) / POINTS,
    }[curve]
    method, noise = ecdf_methods()["tree"], SeededNoise(11)
    nothing = np.zeros(POINTS, dtype=np.int64)
    if neighbors is Neighbors.REPLACE:
        shares = np.zeros(POINTS)  # sums are divided by the public total
    found = []
    for _ in range(700):
        gate = Gate(Ledger(neighbors=neighbors), noise)
        error = method.run(nothing, loss=Loss(epsilon), gate=gate)
        found.append(largest(error, shares) * float(epsilon))
    limit = reach(0.9, neighbors, "tree")
    # Seven hundred cases at 90 % have a standard deviation of 1.1 %.
    assert np.mean(np.array(found) <= limit) > 0.86
    assert np.mean(np.array(found) <= 0.6 * limit) < 0.86 or epsilon == "20"


def test_a_higher_confidence_reaches_farther():
    assert reach(0.5) < reach(0.9) < reach(0.99)


def test_the_same_question_has_the_same_answer():
    assert reach(0.9) == reach(0.9)


def test_an_independent_computation_agrees():
    """The flat method under replace is a bridge of Laplace steps of scale two."""
    steps = np.random.default_rng(0).laplace(scale=2.0, size=(20_000, POINTS))
    sums = np.cumsum(steps, axis=1)
    bridge = sums - sums[:, -1:] * np.arange(1, POINTS + 1) / POINTS
    expected = np.quantile(np.abs(bridge).max(axis=1), 0.9)
    assert reach(0.9) == pytest.approx(expected, rel=0.05)


def test_several_levels_are_the_same_as_one_at_a_time():
    levels = np.array([0.5, 0.9])
    found = simulated_reach(
        ecdf_methods()["flat"], {}, points=POINTS, neighbors=Neighbors.REPLACE, confidence=levels
    )
    assert found.tolist() == [reach(0.5), reach(0.9)]
