"""GammaCube: arguments, scaling, density, variance. Its law is tested in tests/statistical."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.gamma_cube import GammaCube


def test_another_rate_rescales_the_same_draw() -> None:
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
def test_bad_arguments_are_named(arguments: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument, match="rate|dimension"):
        GammaCube(**arguments)  # type: ignore[arg-type]
