"""The printed calibration breaks its promise, by the counterexample of its label."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dpcore import Ledger, Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument, NotPrivate
from dpcore.mechanisms import (
    Deviation,
    Mean,
    PublishedSmoothCauchy,
    SmoothCauchy,
    SmoothGaussian,
    TrimmedMean,
)
from dpcore.mechanisms.smooth import Grouped, Statistic
from dpcore.mechanisms.smooth.cauchy import (
    cauchy_loss,
    cauchy_rate,
    log_cauchy_mass,
    log_normal_mass,
)
from dpcore.noise import NoiseSource
from dpcore.release import release
from tests.mechanisms._normal_delta import worst_normal_delta
from tests.mechanisms._small_sets import EDGES, measured
from tests.statistical.fit import FALSE_ALARM, continuous_p


@pytest.mark.spanning
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


@pytest.mark.few(1)
@pytest.mark.statistical
@pytest.mark.parametrize("noise", [SeededNoise(5), SystemNoise()], ids=["seeded", "system"])
def test_gaussian_draws_follow_the_law_and_no_other_scale(noise: NoiseSource) -> None:
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


scales = st.floats(0.05, 20)


def numerical_loss(shift: float, scale: float, other: float) -> float:
    """The largest absolute log-ratio of the two densities on a fine grid of both."""
    probe = np.tan(np.linspace(-1.57079, 1.57079, 400_001))
    points = np.concatenate([probe * scale, shift + probe * other])
    # The densities are the scale over pi times these.
    here, there = scale**2 + points**2, other**2 + (points - shift) ** 2
    ratio = there / here
    return float(np.abs(np.log(np.array([ratio.min(), ratio.max()]) * scale / other)).max())


@given(st.floats(-30, 30), scales, scales)
def test_loss_is_the_largest_log_ratio(shift: float, scale: float, other: float) -> None:
    assert cauchy_loss(shift, scale, other) == pytest.approx(
        numerical_loss(shift, scale, other), rel=1e-3, abs=1e-4
    )


@given(scales, scales)
def test_loss_of_equal_medians_is_the_log_ratio_of_scales(scale: float, other: float) -> None:
    assert cauchy_loss(0.0, scale, other) == pytest.approx(abs(math.log(scale / other)), abs=1e-12)


def worst(alpha: float, beta: float) -> float:
    """The largest loss over neighbours: medians one sensitivity apart, scales within e^beta."""
    factors = np.exp(np.linspace(0.0, beta, 200))
    return max(cauchy_loss(1.0, 1.0 / alpha, factor / alpha) for factor in factors)


@given(st.floats(0.001, 8), st.floats(0, 0.99))
def test_rate_is_the_largest_that_keeps_epsilon(epsilon: float, share: float) -> None:
    beta = share * epsilon
    alpha = cauchy_rate(epsilon, beta)
    assert worst(alpha, beta) == pytest.approx(epsilon, rel=1e-6)
    assert worst(1.05 * alpha, beta) > epsilon


def test_rate_is_far_above_the_textbook_constant() -> None:
    # Nissim et al.: scale 2 (gamma + 1) S / epsilon with gamma = 2.
    assert 6 / 1.0 * cauchy_rate(1.0, 1.0 / 6) > 5.5


def test_rate_of_a_tiny_epsilon_does_not_cancel() -> None:
    assert cauchy_rate(1e-9, 0.5e-9) == pytest.approx(math.sqrt(0.75) * 1e-9, rel=1e-6)


@pytest.mark.parametrize("epsilon, beta", [(1.0, 1.0), (1.0, 2.0), (1.0, -0.1), (0.0, 0.0)])
def test_no_scale_is_enough_when_beta_reaches_epsilon(epsilon: float, beta: float) -> None:
    with pytest.raises(InvalidArgument):
        cauchy_rate(epsilon, beta)


STATISTICS = [Mean(), TrimmedMean(1), Deviation()]


@pytest.mark.spanning
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


@pytest.mark.few(1)
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


def records(*values: float) -> Grouped:
    return Grouped(np.array(values)[:, np.newaxis], np.zeros(len(values), dtype=np.int64))


def loss(kind: type[SmoothCauchy]) -> float:
    mechanism = kind(epsilon=0.1, statistic=Deviation())
    five, six = records(*[-1.0] * 5), records(*[-1.0] * 5, 1.0)
    (f, s), (g, t) = (mechanism.centres_and_scales(one) for one in (five, six))
    return cauchy_loss(float(abs(f - g)[0, 0]), float(s[0, 0]), float(t[0, 0]))


def test_the_counterexample_of_the_label() -> None:
    assert loss(PublishedSmoothCauchy) == pytest.approx(0.117, abs=0.0005)
    assert "0.117" in PublishedSmoothCauchy.guarantee.reason
    assert loss(SmoothCauchy) < 0.1


@pytest.mark.parametrize("epsilon, factor", [(0.001, 1.22), (2.0, 1.02)])
def test_the_worst_case_of_the_formula(epsilon: float, factor: float) -> None:
    """Scales a factor e^epsilon apart, statistics one sensitivity apart."""
    scale = PublishedSmoothCauchy(epsilon=epsilon, statistic=Deviation()).noise_factor
    assert cauchy_loss(1.0, scale, scale * math.exp(epsilon)) / epsilon == pytest.approx(
        factor, abs=0.01
    )


def test_no_scale_would_help_with_that_beta() -> None:
    assert cauchy_rate(1.0, 0.999999) < 0.01


def test_it_is_refused_with_real_noise() -> None:
    mechanism = PublishedSmoothCauchy(epsilon=1, statistic=Deviation())
    with pytest.raises(NotPrivate):
        release(mechanism, records(0.5), label="", ledger=Ledger(), noise=SystemNoise())
