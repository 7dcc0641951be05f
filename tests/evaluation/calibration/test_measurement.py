"""What is known of a measurement's noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpcore import SeededNoise
from tests.evaluation.calibration._records import measured


def test_residual_is_observed_minus_expected() -> None:
    one = measured([3, 9], [7, 1], [0.5, -0.5])
    np.testing.assert_allclose(one.residual, [3 - 10 * 0.25 - 0.5, 9 - 10 * 0.75 + 0.5])


@pytest.mark.parametrize("scale", [0.3, 1.0, 20.0])
def test_count_variance_is_that_of_the_discrete_law(scale: float) -> None:
    drawn = SeededNoise(1).discrete_laplace(scale, 400_000)
    assert measured([1], [1], scale=scale).count_variance[0] == pytest.approx(drawn.var(), rel=0.03)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_variances_stay_finite(scale: float) -> None:
    one = measured([1, 0], [0, 1], scale=scale)
    assert np.isfinite(one.residual_variance).all()


def test_residual_variance_adds_up() -> None:
    one = measured([5, 5], [5, 5], scale=2.0)
    noise = SeededNoise(2)
    size = 200_000
    counts = [noise.discrete_laplace(2.0, size) for _ in range(2)]
    offsets = np.random.default_rng(3).laplace(0, 2.0 * 0.25, size)
    for group, middle in enumerate((0.25, 0.75)):
        drawn = counts[0] - middle * (counts[0] + counts[1]) - offsets
        assert one.residual_variance[group] == pytest.approx(drawn.var(), rel=0.03)


def test_size_can_divide() -> None:
    assert measured([-3, 4], [1, 4]).size.tolist() == [1.0, 8.0]


def test_the_seed_is_that_of_the_released_numbers() -> None:
    one = measured([5, 5], [5, 5])
    other = measured([5, 5], [5, 6])
    assert one.seed == measured([5, 5], [5, 5]).seed != other.seed
    assert replace(one, count_scale=np.array([9.0, 9.0])).seed == one.seed
