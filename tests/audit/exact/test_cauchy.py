"""Cauchy densities, and the calibration to a smooth sensitivity."""

from __future__ import annotations

import pytest

from dpcore.audit.exact.cauchy import density_loss, worst_smooth_loss
from dpcore.mechanisms import (
    cauchy_loss,
    cauchy_rate,
)


def test_cauchy_densities_and_the_hyperbolic_distance() -> None:
    for shift, scale, other in [(1, 1, 1), (0.2, 1, 3), (2, 0.5, 0.4)]:
        assert density_loss(shift, scale, other) == pytest.approx(
            cauchy_loss(shift, scale, other), abs=1e-6
        )
    # A tenth less noise than the exact rate gives is too little.
    assert worst_smooth_loss(0.5, cauchy_rate(1, 0.5)) <= 1 + 1e-9
    assert worst_smooth_loss(0.5, 1.1 * cauchy_rate(1, 0.5)) > 1.05
