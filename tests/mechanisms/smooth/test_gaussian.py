"""SmoothGaussian: exact deltas of small neighbours, the law of its draws, its accurate tails."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from dpcore import Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import Deviation, Grouped, Mean, SmoothGaussian, Statistic
from dpcore.mechanisms.smooth.gaussian import log_normal_mass
from dpcore.noise import NoiseSource
from tests.mechanisms._normal_delta import worst_normal_delta
from tests.mechanisms._small_sets import EDGES, measured
from tests.statistical.fit import FALSE_ALARM, continuous_p


@pytest.mark.parametrize("statistic", [Mean(), Deviation()], ids=str)
@pytest.mark.parametrize("epsilon, delta", [(0.1, 1e-6), (1.0, 1e-3), (5.0, 1e-6)])
def test_the_exact_delta_of_all_small_neighbours(
    statistic: Statistic, epsilon: float, delta: float
) -> None:
    mechanism = SmoothGaussian(epsilon=epsilon, delta=delta, statistic=statistic)
    values, factor = measured(statistic, mechanism.beta), mechanism.noise_factor
    pairs = {
        (abs(values[a][0] - values[b][0]), factor * values[a][1], factor * values[b][1])
        for a, b in EDGES
    }
    assert max(worst_normal_delta(*pair, epsilon) for pair in pairs) <= delta


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0])
@pytest.mark.parametrize("delta", [1e-3, 1e-9])
def test_the_calibration_at_its_corners_and_a_fortieth_of_it(epsilon: float, delta: float) -> None:
    mechanism = SmoothGaussian(epsilon=epsilon, delta=delta, statistic=Mean())
    scale = mechanism.noise_factor
    stretched = [scale * np.exp(share * mechanism.beta) for share in np.linspace(0, 1, 9)]
    assert max(worst_normal_delta(1.0, scale, one, epsilon) for one in stretched) <= delta
    assert worst_normal_delta(1.0, scale / 40, stretched[-1] / 40, epsilon) > delta


def test_the_exact_delta_is_that_of_the_densities() -> None:
    z = np.linspace(-60, 60, 1_200_001)
    for shift, scale, other in [(1.0, 1.0, 1.0), (1.0, 1.0, 1.5), (0.5, 2.0, 1.0), (0.0, 1.0, 3.0)]:
        one, two = stats.norm.pdf(z, 0, scale), stats.norm.pdf(z, shift, other)
        numeric = max(
            np.maximum(one - np.exp(0.3) * two, 0).sum(),
            np.maximum(two - np.exp(0.3) * one, 0).sum(),
        ) * (z[1] - z[0])
        assert worst_normal_delta(shift, scale, other, 0.3) == pytest.approx(numeric, abs=1e-6)


@pytest.mark.statistical
@pytest.mark.parametrize("noise", [SeededNoise(5), SystemNoise()], ids=["seeded", "system"])
def test_draws_follow_the_law_and_no_other_scale(noise: NoiseSource) -> None:
    mechanism = SmoothGaussian(epsilon=400, delta=0.01, statistic=Mean(), n_columns=400)
    values = Grouped(np.tile(np.linspace(-1, 1, 400)[:, np.newaxis], (1, 400)), np.zeros(400, int))
    drawn = np.concatenate([mechanism.draw(values, noise).ravel() for _ in range(5)])
    centres, scales = mechanism.centres_and_scales(values)
    assert np.abs(drawn).max() < 0.9
    for factor, fits in [(1.0, True), (0.7, False), (1.3, False)]:
        law = stats.halfnorm(scale=factor * scales[0, 0])
        p = continuous_p(np.abs(drawn - centres[0, 0]), law.cdf)
        assert (p > FALSE_ALARM) is fits


def test_masses_in_the_tails() -> None:
    left = np.array([-np.inf, -40.0, -1.0, 3.0, 30.0, 5.0])
    right = np.array([-39.0, -39.9, 1.0, 3.00001, np.inf, 5.5])
    exact = [
        stats.norm.logcdf(-39),
        stats.norm.logcdf(-39.9)
        + np.log1p(-np.exp(stats.norm.logcdf(-40) - stats.norm.logcdf(-39.9))),
        np.log(stats.norm.cdf(1) - stats.norm.cdf(-1)),
        stats.norm.logpdf(3.000005) + np.log(0.00001),
        stats.norm.logsf(30),
        np.log(stats.norm.sf(5) - stats.norm.sf(5.5)),
    ]
    np.testing.assert_allclose(log_normal_mass(left, right), exact, rtol=1e-6)


def test_public_facts() -> None:
    mechanism = SmoothGaussian(epsilon="0.5", delta="1e-6", statistic=Mean())
    assert mechanism.loss == Loss("0.5", "1e-6")
    assert SmoothGaussian(epsilon=50, delta=1e-6, statistic=Mean()).step == 1.0
    replace = SmoothGaussian(
        epsilon="0.5", delta="1e-6", statistic=Mean(), neighbors=Neighbors.REPLACE
    )
    assert replace.step_delta < mechanism.step_delta / 2
    for bad in (0, -1e-3, 0.9):
        with pytest.raises(InvalidArgument, match="^delta must be"):
            SmoothGaussian(epsilon=1, delta=bad, statistic=Mean())
