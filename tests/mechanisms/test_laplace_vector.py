"""LaplaceVector: arguments, scaling, density, variance. Its law is tested in tests/statistical."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.laplace_vector import LaplaceVector


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
