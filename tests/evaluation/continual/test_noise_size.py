"""Closed forms and simulated reaches of the noise of running counts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.evaluation.continual.noise_size import noise_deviation, noise_reach
from dpcore.mechanisms import DyadicPrefixes
from dpcore.mechanisms.counts.gaussian_prefixes import concentrated_loss

ADD = Neighbors.ADD_REMOVE


@pytest.mark.parametrize("steps, levels", [(1, 1), (2, 2), (8, 4), (9, 5), (1024, 11)])
@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_deviations_in_closed_form(steps, levels, neighbors):
    moved = neighbors.pick(add_remove=math.ceil(levels / 2), replace=levels)
    laplace = noise_deviation("laplace", Loss("0.01"), neighbors, steps)
    assert laplace**2 == pytest.approx(2 * levels * moved**2 / 0.01**2, rel=1e-3)
    gaussian = noise_deviation("gaussian", Loss(1, "0.00001"), neighbors, steps)
    rho = concentrated_loss(1, 1e-5)
    assert gaussian**2 == pytest.approx(levels * moved / (2 * rho), rel=1e-6)


def test_at_a_large_epsilon_the_discrete_law_counts():
    """Hardly ever anything but zero, where a continuous law would still have 2 / epsilon^2."""
    ratio = math.exp(-10)
    assert noise_deviation("laplace", Loss(10), ADD, 1) ** 2 == pytest.approx(
        2 * ratio / (1 - ratio) ** 2
    )


@pytest.mark.statistical
@pytest.mark.parametrize("confidence", [0.5, 0.9])
def test_the_reach_is_kept_as_often_as_it_says(confidence):
    noise, nothing = SeededNoise(2), np.zeros(64, dtype=np.int64)
    mechanism = DyadicPrefixes(epsilon="0.01")
    reach = noise_reach("laplace", Loss("0.01"), ADD, 64, confidence)
    kept = np.mean([np.abs(mechanism.draw(nothing, noise)).max() <= reach for _ in range(4000)])
    # Ranks of 999 simulated maxima are off by a standard deviation of .016 at most, 4,000 by .008.
    assert abs(kept - confidence) < 0.095
    narrow = np.mean(
        [np.abs(mechanism.draw(nothing, noise)).max() <= 0.7 * reach for _ in range(1000)]
    )
    assert confidence - narrow > 0.095


def test_the_reach_is_beyond_the_deviation():
    for method, loss in (("laplace", Loss(1)), ("gaussian", Loss(1, "0.001"))):
        assert noise_reach(method, loss, ADD, 256, 0.9) > 2 * noise_deviation(
            method, loss, ADD, 256
        )
