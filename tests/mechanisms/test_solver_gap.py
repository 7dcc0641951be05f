"""The gap's noise covers twice the distance that the solver may leave, and stays tiny."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.mechanisms.solver_gap import SolverGap


@pytest.mark.parametrize("regularization", [0.01, 1.0, 250.0])
def test_reach_covers_two_runs_at_the_tolerance(regularization: float) -> None:
    gap = SolverGap(epsilon=Fraction(1, 1000), regularization=regularization)
    size = 9
    apart = 2 * gap.tolerance / regularization
    assert gap.reach(size) >= np.sqrt(size) * apart


def test_output_lies_on_a_grid_near_the_solution() -> None:
    gap = SolverGap(epsilon=Fraction(1, 1000), regularization=4.0)
    solution = np.array([0.3, -20.0, 5.5])
    hidden = gap.hide(solution, SeededNoise(0))
    np.testing.assert_allclose(hidden, solution, atol=50 * gap.reach(3) * 1000)
    cells = hidden / 2.0**-60
    np.testing.assert_array_equal(cells, np.rint(cells))


def test_noise_scale_is_that_of_the_reach() -> None:
    gap = SolverGap(epsilon=Fraction(1, 2), regularization=1.0)
    size = 20_000
    spread = np.abs(gap.hide(np.zeros(size), SeededNoise(1))).mean()
    assert spread == pytest.approx(2 * gap.reach(size), rel=0.05)


def test_huge_weights_are_clamped_not_wrapped() -> None:
    gap = SolverGap(epsilon=Fraction(1), regularization=1.0)
    hidden = gap.hide(np.array([1e20, -1e20]), SeededNoise(0))
    assert hidden[0] > 0 > hidden[1]
