"""SmoothCauchy: the exact loss of small neighbours, the law of its draws, its accurate tails."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dpcore import Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.mechanisms import (
    Deviation,
    Grouped,
    Mean,
    Median,
    SmoothCauchy,
    Statistic,
    TrimmedMean,
    Variance,
    cauchy_loss,
)
from dpcore.mechanisms.smooth_cauchy import log_cauchy_mass
from dpcore.noise import NoiseSource
from tests.mechanisms._small_sets import EDGES, measured
from tests.statistical.fit import FALSE_ALARM, continuous_p

STATISTICS = [Mean(), TrimmedMean(1), Median(), Variance(), Deviation()]


@pytest.mark.parametrize("statistic", STATISTICS, ids=str)
@pytest.mark.parametrize("epsilon", [0.05, 0.5, 2.0])
def test_the_hyperbolic_distance_of_all_small_neighbours(
    statistic: Statistic, epsilon: float
) -> None:
    mechanism = SmoothCauchy(epsilon=epsilon, statistic=statistic)
    values, factor = measured(statistic, mechanism.beta), mechanism.noise_factor
    losses = [
        cauchy_loss(abs(values[a][0] - values[b][0]), factor * values[a][1], factor * values[b][1])
        for a, b in EDGES
    ]
    assert max(losses) <= epsilon
    assert max(losses) > 0.3 * epsilon


def test_the_distance_is_the_numerical_loss_of_the_drawn_cells() -> None:
    """The released cells are post-processing: their log-ratios stay below the distance."""
    mechanism = SmoothCauchy(epsilon=1, statistic=Mean())
    edges = np.concatenate([[-np.inf], np.linspace(-1, 1, 2**12 - 1), [np.inf]])
    (f, s), (g, t) = (
        mechanism.statistic.measure(x, mechanism.beta)
        for x in (np.array([-65536] * 5), np.array([-65536] * 5 + [65536]))
    )
    laws = [
        log_cauchy_mass((edges[:-1] - centre) / scale, (edges[1:] - centre) / scale)
        for centre, scale in ((f, s * mechanism.noise_factor), (g, t * mechanism.noise_factor))
    ]
    distance = cauchy_loss(abs(f - g), s * mechanism.noise_factor, t * mechanism.noise_factor)
    worst = float(np.abs(laws[0] - laws[1]).max())
    assert worst <= distance <= 1
    assert worst > 0.98 * distance
    for law in laws:
        assert np.exp(law).sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.statistical
@pytest.mark.parametrize("noise", [SeededNoise(5), SystemNoise()], ids=["seeded", "system"])
def test_draws_follow_the_law_and_no_other_scale(noise: NoiseSource) -> None:
    mechanism = SmoothCauchy(epsilon=400, statistic=Mean(), n_columns=400)
    values = Grouped(np.tile(np.linspace(-1, 1, 100)[:, np.newaxis], (1, 400)), np.zeros(100, int))
    drawn = np.concatenate([mechanism.draw(values, noise).ravel() for _ in range(5)])
    centres, scales = mechanism.centres_and_scales(values)
    # Inside the bounds only: beyond them everything lies in the outermost cells.
    sizes = np.abs(drawn - centres[0, 0])
    sizes = sizes[sizes < 0.9]
    for factor, fits in [(1.0, True), (0.7, False), (1.3, False)]:
        law = stats.halfcauchy(scale=factor * scales[0, 0])
        p = continuous_p(sizes, lambda x, law=law: law.cdf(x) / law.cdf(0.9))
        assert (p > FALSE_ALARM) is fits


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_mass_of_an_interval(left: float, width: float) -> None:
    one = log_cauchy_mass(np.array([left]), np.array([left + width]))[0]
    exact = math.atan2((left + width) - left, 1 + left * (left + width)) / math.pi
    assert one == pytest.approx(math.log(exact))
    ends = [
        log_cauchy_mass(np.array([a]), np.array([b]))[0]
        for a, b in [(-np.inf, left), (left, np.inf)]
    ]
    assert np.exp(ends).sum() == pytest.approx(1)


def test_groups_are_free_columns_are_not_and_replacing_is_two_steps() -> None:
    one = SmoothCauchy(epsilon=1, statistic=Mean())
    assert SmoothCauchy(epsilon=1, statistic=Mean(), n_groups=9).step == one.step
    assert SmoothCauchy(epsilon=1, statistic=Mean(), n_columns=4).step == pytest.approx(
        0.25, abs=1e-4
    )
    replace = SmoothCauchy(epsilon=1, statistic=Mean(), neighbors=Neighbors.REPLACE)
    assert replace.step == pytest.approx(0.5, abs=1e-4)
    assert one.loss == Loss(1)
    assert one.step < 1
