"""GammaSphere: arguments, scaling, density. Its law is tested in tests/statistical."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.samplers.norm_noise import GammaCube, GammaSphere, LaplaceVector, erlang


def test_it_is_positive_and_repeatable() -> None:
    assert erlang(3, SeededNoise(1)) == erlang(3, SeededNoise(1)) > 0


def test_mean_is_the_shape() -> None:
    noise = SeededNoise(2)
    draws = [erlang(4, noise) for _ in range(20_000)]
    # The standard error is 2 / sqrt(20000), so 0.1 is seven of them.
    assert abs(np.mean(draws) - 4.0) < 0.1


def test_another_rate_rescales_the_same_draw() -> None:
    one = LaplaceVector(rate=1.0, dimension=5).sample(SeededNoise(3))
    four = LaplaceVector(rate=4.0, dimension=5).sample(SeededNoise(3))
    np.testing.assert_allclose(one, 4.0 * four)


def test_log_density_falls_with_the_sum() -> None:
    assert LaplaceVector(rate=2.0, dimension=2).log_density(np.array([3.0, -4.0])) == -14.0


def test_variance() -> None:
    draws = LaplaceVector(rate=0.5, dimension=20_000).sample(SeededNoise(5))
    expected = LaplaceVector(rate=0.5, dimension=1).variance
    assert np.mean(draws**2) == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("arguments", [{"rate": 0.0, "dimension": 1}, {"rate": 1, "dimension": 0}])
def test_bad_arguments_are_named(arguments: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument, match="rate|dimension"):
        LaplaceVector(**arguments)  # type: ignore[arg-type]


def test_gamma_cube_another_rate_rescales_the_same_draw() -> None:
    one = GammaCube(rate=1.0, dimension=5).sample(SeededNoise(3))
    four = GammaCube(rate=4.0, dimension=5).sample(SeededNoise(3))
    np.testing.assert_allclose(one, 4.0 * four)


def test_log_density_falls_with_the_largest_entry() -> None:
    assert GammaCube(rate=2.0, dimension=2).log_density(np.array([3.0, -4.0])) == -8.0


def test_variance_is_the_expected_squared_length() -> None:
    law, noise = GammaCube(rate=0.5, dimension=3), SeededNoise(5)
    squares = [float((law.sample(noise) ** 2).sum()) for _ in range(20_000)]
    assert np.mean(squares) == pytest.approx(law.variance, rel=0.1)


def test_in_one_dimension_it_is_laplace() -> None:
    assert GammaCube(rate=0.5, dimension=1).variance == pytest.approx(2 / 0.5**2)


@pytest.mark.parametrize("arguments", [{"rate": -1.0, "dimension": 1}, {"rate": 1, "dimension": 0}])
def test_gamma_cube_bad_arguments_are_named(arguments: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument, match="rate|dimension"):
        GammaCube(**arguments)  # type: ignore[arg-type]


def test_gamma_sphere_another_rate_rescales_the_same_draw() -> None:
    one = GammaSphere(rate=1.0, dimension=5).sample(SeededNoise(3))
    four = GammaSphere(rate=4.0, dimension=5).sample(SeededNoise(3))
    np.testing.assert_allclose(one, 4.0 * four)


def test_log_density_falls_with_the_euclidean_length() -> None:
    law = GammaSphere(rate=2.0, dimension=2)
    assert law.log_density(np.array([3.0, 4.0])) == pytest.approx(-10.0)


@pytest.mark.parametrize("arguments", [{"rate": 0.0, "dimension": 1}, {"rate": 1, "dimension": 0}])
def test_gamma_sphere_bad_arguments_are_named(arguments: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument, match="rate|dimension"):
        GammaSphere(**arguments)  # type: ignore[arg-type]
