"""Thinned lines stay within their tolerance of every original point."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument
from dpcore.figures import thin

steps = st.lists(st.floats(0, 1), min_size=2, max_size=80)


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


@given(steps, steps, st.sampled_from([1e-4, 1 / 2000, 0.01]))
def test_no_point_of_a_monotone_curve_is_farther_than_the_tolerance(
    across: list[float], up: list[float], tolerance: float
) -> None:
    n = min(len(across), len(up))
    x, y = np.sort(across[:n]), np.sort(up[:n])
    kept = thin(x, y, tolerance=tolerance)
    assert farthest(x, y, *kept) <= tolerance * (1 + 1e-9)


@given(steps, steps)
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
