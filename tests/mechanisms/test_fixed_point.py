"""The grid of scores: exact for whole scores, and never a larger step than declared."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.mechanisms.fixed_point import LARGEST_CELL, FixedPoint

SENSITIVITIES = st.floats(1e-6, 1e6)


@given(SENSITIVITIES, st.floats(-1e6, 1e6), st.floats(-1, 1))
def test_a_rounded_score_moves_by_at_most_the_steps(
    sensitivity: float, score: float, share: float
) -> None:
    grid = FixedPoint(sensitivity=sensitivity)
    here, there = grid.of(np.array([score, score + share * sensitivity * (1 - 1e-9)]))
    assert abs(int(there) - int(here)) <= grid.steps


@given(st.integers(1, 10**7), st.integers(-(10**6), 10**6))
def test_whole_scores_are_exact(sensitivity: int, score: int) -> None:
    grid = FixedPoint(sensitivity=sensitivity, whole=True)
    assert grid.of(np.array([float(score)]))[0] * grid.cell == score
    assert grid.steps * grid.cell == sensitivity


@given(SENSITIVITIES, st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=5))
def test_order_is_kept(sensitivity: float, scores: list[float]) -> None:
    cells = FixedPoint(sensitivity=sensitivity).of(np.sort(scores))
    assert (np.diff(cells) >= 0).all()


def test_far_scores_are_clamped() -> None:
    cells = FixedPoint(sensitivity=1).of(np.array([1e300, -1e300]))
    assert cells.tolist() == [LARGEST_CELL, -LARGEST_CELL]


@pytest.mark.parametrize("scores", [[0.5], [np.nan], [[1.0]]])
def test_other_scores_are_refused(scores: object) -> None:
    with pytest.raises(InvalidArgument, match="^scores must be"):
        FixedPoint(sensitivity=1, whole=True).of(np.array(scores))
