"""The two statistics and the published one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import logit

from dpcore import Loss, SeededNoise
from dpcore.evaluation import calibration_methods
from dpcore.evaluation.calibration.measurement import Groups, Sums
from dpcore.evaluation.calibration.statistics import (
    hosmer_lemeshow,
    naive_p_value,
    noise_draws,
    null_p_values,
    score_moments,
    statistics,
    trend,
)
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


RUNS = 200

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


counts = st.lists(
    st.tuples(st.integers(-50, 500), st.integers(-50, 500), st.floats(-50, 50)),
    min_size=1,
    max_size=20,
)


@given(counts, st.sampled_from([1e-3, 1.0, 50.0]))
def test_statistics_are_finite_and_never_negative(
    rows: list[tuple[int, int, float]], scale: float
) -> None:
    one = measured(*(list(column) for column in zip(*rows, strict=True)), scale=scale)  # type: ignore[arg-type]
    found = statistics(one, one.sums)
    assert np.isfinite(found).all()
    assert min(found) >= 0.0


@given(counts)
def test_moments_are_those_of_scores_in_the_group(rows: list[tuple[int, int, float]]) -> None:
    one = measured(*(list(column) for column in zip(*rows, strict=True)))  # type: ignore[arg-type]
    scores = score_moments(one, one.sums)
    lower, upper = one.groups.edges[:-1], one.groups.edges[1:]
    assert ((lower < scores.mean) & (scores.mean < upper)).all()
    assert (scores.square > scores.mean**2).all()
    assert (scores.square < scores.mean).all()
    assert (scores.size >= 1.0).all()


def test_without_noise_the_trend_is_the_score_test_by_matrices() -> None:
    rng = np.random.default_rng(1)
    groups = Groups(np.array([0.0, 0.1, 0.35, 0.7, 1.0]), np.arange(5))
    rest, variance = rng.normal(0, 3, 4), rng.uniform(5, 20, 4)
    total = variance + rng.uniform(0, 9, 4)
    design = np.stack([np.ones(4), logit(groups.middle)])
    score = design @ (variance / total * rest)
    information = (design * variance**2 / total) @ design.T
    expected = score @ np.linalg.solve(information, score)
    assert trend(rest, variance, total, groups) == pytest.approx(expected)


def test_a_single_group_has_a_shift_and_no_slope() -> None:
    groups = Groups(np.array([0.0, 1.0]), np.arange(2))
    assert trend(np.array([4.0]), np.array([2.0]), np.array([2.0]), groups) == 8.0


def test_many_draws_are_computed_at_once() -> None:
    one = measured([5, 20, 40], [60, 30, 8], [1.0, -2.0, 0.5], scale=3.0)
    stacked = Sums(*(np.stack([values, values + 7]) for values in one.sums))
    both = statistics(one, stacked)
    for row in range(2):
        alone = statistics(one, Sums(*(values[row] for values in stacked)))
        np.testing.assert_allclose([part[row] for part in both], alone)


@pytest.mark.parametrize("factor, fits", [(1.0, True), (0.7, False), (1.3, False)])
def test_trend_has_two_degrees_of_freedom(factor: float, fits: bool) -> None:
    rng = np.random.default_rng(5)
    groups = Groups(np.array([0.0, 0.05, 0.2, 0.6, 1.0]), np.arange(5))
    variance = np.array([30.0, 60.0, 50.0, 20.0])
    total = variance + np.array([2.0, 5.0, 9.0, 20.0])
    drawn = trend(rng.normal(size=(20_000, 4)) * np.sqrt(total), variance, total, groups)
    p_value = stats.kstest(factor * drawn, stats.chi2(2).cdf).pvalue
    assert bool(p_value > 1e-7) is fits


def test_the_published_statistic() -> None:
    observed = np.array([[3.0, 8.0], [7.0, 2.0]])
    expected = np.array([[2.0, 9.0], [8.0, 1.0]])
    assert hosmer_lemeshow(observed, expected) == pytest.approx(1 / 2 + 1 / 9 + 1 / 8 + 1)


def test_the_published_statistic_may_be_negative_and_is_always_finite() -> None:
    observed = np.array([[3.0, 0.0], [7.0, 0.0]])
    assert hosmer_lemeshow(observed, np.array([[-0.5, 1.0], [9.0, 1.0]])) < 0.0
    assert np.isfinite(hosmer_lemeshow(observed, np.zeros((2, 2))))


def test_the_naive_p_value_is_chi_square_of_groups_minus_two() -> None:
    assert naive_p_value(15.507, 10) == pytest.approx(0.05, abs=1e-4)
    assert naive_p_value(-3.0, 10) == 1.0
    assert naive_p_value(3.841, 2) == pytest.approx(0.05, abs=1e-4)
