"""Seeded noise rescales smoothly when epsilon moves."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument


def test_another_scale_keeps_the_randomness() -> None:
    narrow = SeededNoise(11).discrete_laplace(1000.0, 500)
    wide = SeededNoise(11).discrete_laplace(3000.0, 500)
    np.testing.assert_allclose(wide, 3 * narrow, atol=4)
    assert np.abs(narrow).max() > 3000


def test_it_shows_the_seed() -> None:
    assert repr(SeededNoise(11)) == "SeededNoise(11)"


def test_tiny_scale_gives_zero() -> None:
    assert not SeededNoise(1).discrete_laplace(1e-3, 1000).any()


@pytest.mark.parametrize("seed", [-1, 1.5, "a"])
def test_bad_seed_is_named(seed: object) -> None:
    with pytest.raises(InvalidArgument, match="^seed must be"):
        SeededNoise(seed)  # type: ignore[arg-type]
