"""Geometric mechanism: calibration, loss, inputs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import Geometric
from dpcore.noise import NoiseSource


def log_mass(z: np.ndarray, scale: float) -> np.ndarray:
    return -np.abs(z) / scale


@given(st.fractions(Fraction(1, 100), 10), st.integers(1, 5))
def test_loss_is_epsilon_and_tight(epsilon: Fraction, sensitivity: int) -> None:
    """The worst log-ratio over outputs, on inputs as far apart as allowed, is epsilon exactly."""
    mechanism = Geometric(epsilon=epsilon, l1_sensitivity=sensitivity)
    outputs = np.arange(-50, 51)
    scale = float(mechanism.scale)
    ratio = log_mass(outputs, scale) - log_mass(outputs - sensitivity, scale)
    assert np.abs(ratio).max() == pytest.approx(float(epsilon))
    assert mechanism.loss == Loss(epsilon)


def test_noise_keeps_shape_and_type() -> None:
    noisy = Geometric(epsilon=1).draw(np.zeros((3, 4), dtype=np.int32), SeededNoise(0))
    assert noisy.shape == (3, 4)
    assert noisy.dtype == np.int64


def test_the_input_is_not_altered() -> None:
    counts = np.arange(5)
    Geometric(epsilon=0.1).draw(counts, SeededNoise(0))
    np.testing.assert_array_equal(counts, np.arange(5))


def test_real_numbers_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="array of integers"):
        Geometric(epsilon=1).draw(np.zeros(3), SeededNoise(0))  # type: ignore[arg-type]


@pytest.mark.parametrize("epsilon", [0, -1, "0"])
def test_epsilon_must_be_positive(epsilon: object) -> None:
    with pytest.raises(InvalidArgument, match="epsilon"):
        Geometric(epsilon=epsilon)  # type: ignore[arg-type]


def test_sensitivity_must_be_a_count() -> None:
    with pytest.raises(InvalidArgument, match="l1_sensitivity"):
        Geometric(epsilon=1, l1_sensitivity=0)


def test_default_neighbors() -> None:
    assert Geometric(epsilon=1).neighbors is Neighbors.ADD_REMOVE


@pytest.mark.parametrize("noise", [SeededNoise(0), SystemNoise()])
def test_an_epsilon_too_small_to_draw_is_refused(noise: NoiseSource) -> None:
    with pytest.raises(InvalidArgument, match="larger epsilon"):
        Geometric(epsilon="1e-20").draw(np.zeros(1, dtype=np.int64), noise)


def test_huge_counts_are_clamped_not_wrapped() -> None:
    largest = np.iinfo(np.int64).max
    noisy = Geometric(epsilon="1e-12").draw(np.array([largest, -largest]), SeededNoise(0))
    assert noisy[0] > 0 > noisy[1]
