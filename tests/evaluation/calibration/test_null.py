"""The simulated null: what it knows, and that it has the law of a calibrated release."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from dpcore import Loss, SeededNoise
from dpcore.evaluation import calibration_methods
from dpcore.evaluation.calibration.null import noise_draws, null_p_values
from dpcore.noise.seeded import monte_carlo
from dpcore.registry import Method
from dpcore.release import open_gate
from tests.evaluation.calibration._records import measured, scored
from tests.statistical.fit import FALSE_ALARM, continuous_p, discrete_laplace_p


def test_the_same_release_has_the_same_p_values() -> None:
    once, again = (null_p_values(measured([5, 30], [60, 20])) for _ in range(2))
    assert once == again


def test_p_values_are_never_zero() -> None:
    _, p_values = null_p_values(measured([500, 0], [0, 500]), draws=99)
    assert p_values == (0.01, 0.01)


def test_a_perfect_fit_is_not_rejected() -> None:
    _, p_values = null_p_values(measured([25, 75], [75, 25], scale=0.01))
    assert min(p_values) > 0.9


@pytest.mark.parametrize("factor, fits", [(1.0, True), (0.7, False), (1.3, False)])
def test_noise_has_the_law_of_the_release(factor: float, fits: bool) -> None:
    one = measured([5, 5], [5, 5], scale=3.0)
    noise = noise_draws(one, monte_carlo(1), 10_000)
    for drawn in (noise.positives, noise.negatives):
        assert (discrete_laplace_p(drawn.ravel(), 3.0 * factor) > FALSE_ALARM) is fits
    law = stats.laplace(scale=0.75 * factor).cdf
    assert (continuous_p(noise.offsets.ravel(), law) > FALSE_ALARM) is fits


def test_noise_of_several_terms_is_their_sum() -> None:
    one = measured([5, 5], [5, 5])
    two = replace(one, offset_scales=np.array([[3.0, 3.0], [4.0, 4.0]]))
    drawn = noise_draws(two, monte_carlo(1), 50_000).offsets
    assert drawn.var() == pytest.approx(2 * 9.0 + 2 * 16.0, rel=0.03)


def test_more_noise_makes_the_same_deviation_less_surprising() -> None:
    p_values = [
        null_p_values(measured([40, 75], [60, 25], scale=scale))[1].trend
        for scale in (0.1, 10.0, 100.0)
    ]
    assert p_values[0] < p_values[1] < p_values[2]
    assert p_values[0] < 0.01
    assert p_values[2] > 0.3


RUNS = 400
FEWEST, MOST = stats.binom.ppf([5e-7, 1 - 5e-7], RUNS, 0.05)


@pytest.mark.few(1)
@pytest.mark.parametrize("method", list(calibration_methods().values()), ids=lambda one: one.name)
def test_level_is_kept_and_a_wrong_scale_loses_it(method: Method) -> None:
    loss, parameters = Loss("0.3"), method.check({})
    rejected = np.zeros((2, 2))
    for run in range(RUNS):
        gate = open_gate(loss, neighbors="replace", noise=SeededNoise(run))
        one = method.run(
            scored(1_000, run), loss=loss, gate=gate, groups=6, edges="quantile", **parameters
        )
        understated = replace(
            one, count_scale=one.count_scale * 0.7, offset_scales=one.offset_scales * 0.7
        )
        for row, stated in enumerate((one, understated)):
            _, p_values = null_p_values(stated, draws=199)
            rejected[row] += np.array(p_values) <= 0.05
    assert ((rejected[0] >= FEWEST) & (rejected[0] <= MOST)).all(), rejected
    assert (rejected[1] > MOST).all(), rejected
