"""System noise cannot be repeated and holds no state."""

from __future__ import annotations

import numpy as np

from dpcore import SystemNoise


def test_two_sources_differ() -> None:
    assert not np.array_equal(SystemNoise().uniform(8), SystemNoise().uniform(8))


def test_a_rational_scale_is_accepted() -> None:
    from fractions import Fraction

    assert SystemNoise().discrete_laplace(Fraction(10, 3), 4).shape == (4,)
