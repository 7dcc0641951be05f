"""Laplace mechanism on its grid: the widened sensitivity really covers the rounding."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from dpcore import Loss, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import Laplace

vectors = hnp.arrays(np.float64, st.integers(1, 8), elements=st.floats(-1e4, 1e4))


def rounded(mechanism: Laplace, values: np.ndarray) -> list[Fraction]:
    cell = mechanism.cell(values.size)
    return [Fraction(c) for c in np.rint(values / cell).tolist()]


@given(vectors, st.floats(1e-3, 1e3), st.fractions(Fraction(1, 100), 10), st.integers(0, 2**32))
def test_privacy_loss_on_the_grid_is_within_epsilon(
    values: np.ndarray, sensitivity: float, epsilon: Fraction, seed: int
) -> None:
    """For any two vectors at L1 distance at most the sensitivity, the exact joint loss of discrete
    Laplace noise (their distance in cells over the scale in cells) is at most epsilon."""
    mechanism = Laplace(epsilon=epsilon, l1_sensitivity=sensitivity)
    direction = np.random.default_rng(seed).laplace(size=values.size)
    neighbor = values + direction * (0.999999 * sensitivity / np.abs(direction).sum())
    pairs = zip(rounded(mechanism, values), rounded(mechanism, neighbor), strict=True)
    distance = sum(abs(a - b) for a, b in pairs)
    assert distance / mechanism.cell_scale(values.size) <= epsilon


def test_without_the_widening_rounding_would_break_the_bound() -> None:
    """The test above can fail: rounding alone moves these vectors further than the sensitivity."""
    mechanism = Laplace(epsilon=1)
    cell = mechanism.cell(4)
    low = np.full(4, 0.49) * cell
    high = low + np.array([1.0, 0, 0, 0]) + np.array([-0.06, 0.02, 0.02, 0.02]) * cell
    assert np.abs(high - low).sum() <= 1.0 + 1e-12
    pairs = zip(rounded(mechanism, low), rounded(mechanism, high), strict=True)
    distance = sum(abs(a - b) for a, b in pairs)
    assert distance > Fraction(1) / Fraction(cell)
    assert distance / mechanism.cell_scale(4) <= 1


@given(st.floats(1e-6, 1e6), st.integers(1, 10_000))
def test_the_grid_costs_one_part_in_a_million(sensitivity: float, size: int) -> None:
    mechanism = Laplace(epsilon=1, l1_sensitivity=sensitivity)
    scale = float(mechanism.cell_scale(size)) * mechanism.cell(size)
    assert mechanism.scale <= scale <= mechanism.scale * (1 + 2e-6)


def test_outputs_are_whole_cells() -> None:
    mechanism = Laplace(epsilon=1)
    noisy = mechanism.draw(np.array([0.1, -3.7]), SeededNoise(4))
    cells = noisy / mechanism.cell(2)
    np.testing.assert_array_equal(cells, np.rint(cells))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_values_must_be_finite(bad: float) -> None:
    with pytest.raises(InvalidArgument, match="finite"):
        Laplace(epsilon=1).draw(np.array([bad]), SeededNoise(0))


def test_huge_values_are_clamped_not_wrapped() -> None:
    noisy = Laplace(epsilon=1).draw(np.array([1e300, -1e300]), SeededNoise(0))
    assert noisy[0] > 0 > noisy[1]


def test_loss() -> None:
    assert Laplace(epsilon="0.3").loss == Loss("0.3")
    with pytest.raises(InvalidArgument, match="l1_sensitivity"):
        Laplace(epsilon=1, l1_sensitivity=0.0)
