"""The exact Cauchy calibration against numerical privacy losses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dpcore.errors import InvalidArgument
from dpcore.mechanisms import cauchy_loss, cauchy_rate

scales = st.floats(0.05, 20)


def numerical_loss(shift: float, scale: float, other: float) -> float:
    """The largest absolute log-ratio of the two densities on a fine grid of both."""
    probe = np.tan(np.linspace(-1.57079, 1.57079, 400_001))
    points = np.concatenate([probe * scale, shift + probe * other])
    ratio = stats.cauchy.logpdf(points, 0, scale) - stats.cauchy.logpdf(points, shift, other)
    return float(np.abs(ratio).max())


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
