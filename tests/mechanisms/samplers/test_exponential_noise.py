"""Exponential and Laplace noise in cells: their laws at 30 % tolerance, their tails, thinning."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.samplers.exponential_noise import (
    LARGEST_CELL,
    FixedPoint,
    exponential_cells,
    fine_uniform,
    gumbel_cells,
    laplace_cells,
    tail_scale,
    thinned_cells,
)
from dpcore.noise import NoiseSource
from tests.statistical.fit import FALSE_ALARM, chi_square_p

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


SOURCES = [SeededNoise(11), SystemNoise()]

FACTORS = [(1.0, True), (0.7, False), (1.3, False)]

SIZE = 40_000


def cell_masses(draws: np.ndarray, tail: object, low: int, high: int) -> tuple[object, object]:
    edges = np.arange(low, high + 1)
    at_least = tail(edges)  # type: ignore[operator]
    mass = np.concatenate([[1 - at_least[0]], at_least[:-1] - at_least[1:], at_least[-1:]])
    seen = np.bincount(np.clip(draws, low - 1, high) - low + 1, minlength=mass.size)
    return seen, mass


@pytest.mark.statistical
@pytest.mark.parametrize("noise", SOURCES)
def test_gumbel_cells(noise: NoiseSource) -> None:
    draws = gumbel_cells(5.0, SIZE, noise)
    for factor, fits in FACTORS:
        seen, mass = cell_masses(
            draws, lambda t, b=5.0 * factor: 1 - np.exp(-np.exp(-t / b)), -8, 40
        )
        assert bool(chi_square_p(seen, mass) > FALSE_ALARM) is fits, factor


@pytest.mark.statistical
@pytest.mark.parametrize("noise", SOURCES)
def test_exponential_cells(noise: NoiseSource) -> None:
    draws = exponential_cells(5.0, SIZE, noise)
    for factor, fits in FACTORS:
        seen, mass = cell_masses(draws, lambda t, b=5.0 * factor: np.exp(-t / b), 0, 40)
        assert (chi_square_p(seen, mass) > FALSE_ALARM) is fits, factor  # type: ignore[arg-type]


@pytest.mark.statistical
@pytest.mark.parametrize("noise", SOURCES)
def test_laplace_cells(noise: NoiseSource) -> None:
    draws = laplace_cells(5.0, SIZE, noise)

    def tail(t: np.ndarray, b: float) -> np.ndarray:
        half = 0.5 * np.exp(-np.abs(t) / b)
        return np.where(t >= 0, half, 1 - half)

    for factor, fits in FACTORS:
        seen, mass = cell_masses(draws, lambda t, b=5.0 * factor: tail(t, b), -40, 40)
        assert (chi_square_p(seen, mass) > FALSE_ALARM) is fits, factor  # type: ignore[arg-type]


@pytest.mark.statistical
@pytest.mark.parametrize("at_least", [0.0, 3.0, 15.0, 30.0])
def test_thinned_noise_has_the_law_of_the_whole(at_least: float) -> None:
    noise, n = SeededNoise(3), 200_000
    positions, drawn = thinned_cells(5.0, at_least, n, noise)
    assert (np.diff(positions) > 0).all()
    assert positions.size == 0 or 0 <= positions[0] <= positions[-1] < n
    for factor, fits in FACTORS if at_least > 5 else FACTORS[:1]:
        expected = n * np.exp(-at_least / 5.0) * factor
        error = 6 * np.sqrt(expected) + 1e-9
        assert bool(abs(int((drawn >= at_least).sum()) - expected) < error) is fits, factor
    beyond = drawn[drawn >= at_least] - at_least
    seen, mass = cell_masses(beyond.astype(np.int64), lambda t: np.exp(-t / 5.0), 0, 15)
    assert chi_square_p(seen, mass) > FALSE_ALARM  # type: ignore[arg-type]
    halves = int((positions[drawn >= at_least] < n // 2).sum()), beyond.size
    assert abs(halves[0] - halves[1] / 2) < 3 * np.sqrt(halves[1])


def test_little_is_drawn_for_a_high_bar() -> None:
    for at_least in (60.0, 600.0, 1e5):
        positions, _ = thinned_cells(1.0, at_least, 10**6, SeededNoise(0))
        assert positions.size == 0


class LowUniform:
    """A source whose first numbers are the smallest there are."""

    simulated = True

    def __init__(self) -> None:
        self.calls = 0

    def uniform(self, size: int) -> np.ndarray:
        self.calls += 1
        return np.full(size, 2.0**-53 if self.calls < 3 else 0.5)


def test_the_tail_is_never_cut() -> None:
    numbers = fine_uniform(2, LowUniform())  # type: ignore[arg-type]
    assert numbers.tolist() == [2.0**-17] * 2
    assert exponential_cells(10.0, 1, LowUniform())[0] == int(17 * np.log(2) * 10)  # type: ignore[arg-type]


def test_scale_pays_for_rounding() -> None:
    scale = tail_scale(1 << 20, Fraction(1, 3000))
    assert float(1 << 20) / scale + 2.0**-39 <= 1 / 3000
    assert scale == pytest.approx(3000 * 2**20, rel=1e-7)


def test_a_vanishing_share_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="larger epsilon"):
        tail_scale(1, Fraction(1, 2**40))


@pytest.mark.parametrize("share", [Fraction(1, 2**33), Fraction(1, 2**39) + Fraction(1, 10**18)])
def test_noise_that_would_be_cut_off_is_refused(share: Fraction) -> None:
    """Two candidates whose noise ends at 2^61 cells would be told apart by their scores alone."""
    with pytest.raises(InvalidArgument, match="larger epsilon"):
        tail_scale(1 << 20, share)
    widest = tail_scale(1 << 20, Fraction(1, 2**31))
    assert 2.0**51 < widest < LARGEST_CELL / 512
