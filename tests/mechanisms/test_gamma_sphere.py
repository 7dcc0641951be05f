"""GammaSphere: arguments, scaling, density. Its law is tested in tests/statistical."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.gamma_sphere import GammaSphere


def test_another_rate_rescales_the_same_draw() -> None:
    one = GammaSphere(rate=1.0, dimension=5).sample(SeededNoise(3))
    four = GammaSphere(rate=4.0, dimension=5).sample(SeededNoise(3))
    np.testing.assert_allclose(one, 4.0 * four)


def test_log_density_falls_with_the_euclidean_length() -> None:
    law = GammaSphere(rate=2.0, dimension=2)
    assert law.log_density(np.array([3.0, 4.0])) == pytest.approx(-10.0)


@pytest.mark.parametrize("arguments", [{"rate": 0.0, "dimension": 1}, {"rate": 1, "dimension": 0}])
def test_bad_arguments_are_named(arguments: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument, match="rate|dimension"):
        GammaSphere(**arguments)  # type: ignore[arg-type]
