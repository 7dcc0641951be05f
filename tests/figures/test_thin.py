"""Thinned lines stay within their tolerance of every original point."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument
from dpcore.figures import thin
from dpcore.figures.thin import LOWEST, coarse, rises, steps, visible

shares = arrays(np.float64, st.integers(1, 60), elements=st.floats(0, 1)).map(np.sort)


def at(line: tuple[np.ndarray, np.ndarray], score: float) -> tuple[float, float]:
    """Lowest and highest point of a drawn line at one score."""
    x, y = line
    inside = y[x == score]
    if inside.size:
        return float(inside.min()), float(inside.max())
    value = float(np.interp(score, x, y))
    return value, value


@given(shares, st.floats(0.001, 0.999))
def test_steps_hold_a_value_until_the_next_grid_point(values: np.ndarray, score: float) -> None:
    grid = np.arange(1, values.size + 1) / values.size
    index = np.searchsorted(grid, score, side="right") - 1
    expected = values[index] if index >= 0 else 0.0
    low, high = at(steps(grid, values), score)
    assert low - 1e-12 <= expected <= high + 1e-12


@given(shares, st.floats(0.001, 0.999))
def test_rises_hold_a_value_from_the_grid_point_before(values: np.ndarray, score: float) -> None:
    grid = np.arange(1, values.size + 1) / values.size
    low, high = at(rises(grid, values), score)
    assert low - 1e-12 <= values[np.searchsorted(grid, score)] <= high + 1e-12


def test_both_begin_at_score_zero_and_end_at_the_last_grid_point() -> None:
    grid, values = np.array([0.25, 1.0]), np.array([0.3, 0.9])
    for x, y in (steps(grid, values), rises(grid, values)):
        assert (x[0], x[-1], y[-1]) == (0.0, 1.0, 0.9)


@pytest.mark.parametrize("logarithmic", [False, True])
def test_a_coarse_line_stays_within_two_pixels(logarithmic: bool) -> None:
    grid = np.geomspace(LOWEST, 1, 4096) if logarithmic else np.arange(1, 4097) / 4096
    position = 1 - np.log10(grid) / np.log10(LOWEST) if logarithmic else grid
    values = position**2
    x, y = coarse(*steps(grid, values), logarithmic, 220)
    assert x.size <= 220
    drawn = 1 - np.log10(x) / np.log10(LOWEST) if logarithmic else x
    # Both line and screen are monotone: compare heights at the same places, 500 pixels high.
    assert np.abs(np.interp(position, drawn, y) - values).max() < 4 / 500
    assert (x[0], y[0], y[-1]) == (LOWEST if logarithmic else 0.0, 0.0, 1.0)


@given(shares, st.integers(2, 40))
def test_a_coarse_line_keeps_its_ends_and_its_order(values: np.ndarray, most: int) -> None:
    grid = np.arange(1, values.size + 1) / values.size
    x, y = steps(grid, values)
    kept_x, kept_y = coarse(x, y, False, most)
    assert kept_x.size <= max(most, 2)
    assert (kept_x[0], kept_y[0]) == (x[0], y[0])
    assert np.all(np.diff(kept_x) >= 0)
    assert np.all(np.diff(kept_y) >= 0)
    if most >= x.size:
        assert np.array_equal(np.interp(grid, kept_x, kept_y), np.interp(grid, x, y))


def test_flat_runs_cost_no_points() -> None:
    grid = np.arange(1, 1001) / 1000
    x, _ = coarse(*steps(grid, (grid > 0.5).astype(float)), False, 220)
    assert x.size == 4


@pytest.mark.parametrize("logarithmic", [False, True])
def test_an_exact_line_is_thinned_but_not_moved(logarithmic: bool) -> None:
    x = np.linspace(0, 1, 65537)
    kept_x, kept_y = visible(x, x**1.5, logarithmic)
    assert kept_x.size <= 220
    assert kept_x[-1] == pytest.approx(1)
    probe = np.geomspace(LOWEST, 1, 50)
    assert np.allclose(np.interp(probe, kept_x, kept_y), probe**1.5, atol=0.003)


numbers = st.lists(st.floats(0, 1), min_size=2, max_size=80)


def farthest(x: FloatArray, y: FloatArray, kept_x: FloatArray, kept_y: FloatArray) -> float:
    """Largest distance of a point from the kept line, by brute force over all its segments."""
    points = np.stack([x, y], axis=-1)
    line = np.stack([kept_x, kept_y], axis=-1)
    nearest = np.full(len(points), np.inf)
    for start, end in pairwise(line):
        along = end - start
        length = along @ along
        share = np.clip((points - start) @ along / length, 0, 1) if length else np.zeros(len(x))
        gap = np.linalg.norm(points - start - share[:, None] * along, axis=1)
        nearest = np.minimum(nearest, gap)
    return float(nearest.max())


@given(numbers, numbers, st.sampled_from([1e-4, 1 / 2000, 0.01]))
def test_no_point_of_a_monotone_curve_is_farther_than_the_tolerance(
    across: list[float], up: list[float], tolerance: float
) -> None:
    n = min(len(across), len(up))
    x, y = np.sort(across[:n]), np.sort(up[:n])
    kept = thin(x, y, tolerance=tolerance)
    assert farthest(x, y, *kept) <= tolerance * (1 + 1e-9)


@given(numbers, numbers)
def test_both_ends_stay_and_nothing_is_invented(across: list[float], up: list[float]) -> None:
    n = min(len(across), len(up))
    x, y = np.sort(across[:n]), np.sort(up[:n])
    kept_x, kept_y = thin(x, y)
    assert (kept_x[0], kept_y[0], kept_x[-1], kept_y[-1]) == (x[0], y[0], x[-1], y[-1])
    assert set(zip(kept_x, kept_y, strict=True)) <= set(zip(x, y, strict=True))


def test_a_staircase_of_a_hundred_thousand_steps_fits_on_a_screen() -> None:
    rng = np.random.default_rng(0)
    up = rng.random(100_000) < np.linspace(0.9, 0.1, 100_000)
    x = np.concatenate([[0], np.cumsum(~up)]) / (~up).sum()
    y = np.concatenate([[0], np.cumsum(up)]) / up.sum()
    kept_x, kept_y = thin(x, y)
    assert kept_x.size <= 500
    # The original is checked on a sample, because brute force over it all takes a while.
    some = rng.integers(0, x.size, 2000)
    assert farthest(x[some], y[some], kept_x, kept_y) <= 1 / 2000


def test_a_line_that_never_rests_is_cut_to_the_limit() -> None:
    x = np.linspace(0, 1, 5001)
    y = np.arange(5001) % 2.0
    kept_x, _ = thin(x, y, max_points=100)
    assert kept_x.size <= 100


@pytest.mark.parametrize("n", [0, 1, 2])
def test_short_lines_come_back_whole(n: int) -> None:
    x, y = thin(np.arange(n), np.arange(n))
    assert (x.size, y.size) == (n, n)


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises((InvalidArgument, ValueError)):
        thin([0, 1], [0, 1, 2])
    with pytest.raises(InvalidArgument, match="^max_points must be"):
        thin([0, 1], [0, 1], max_points=1)


def test_a_table_of_points_is_no_line() -> None:
    with pytest.raises(InvalidArgument, match="^x must be a vector as long as y"):
        thin(np.zeros((2, 3)), np.zeros((2, 3)))
