"""Smooth sensitivities of variance and deviation: pruning changes nothing; see also brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.mechanisms import Deviation, Variance, smooth_spread
from dpcore.mechanisms.smooth_bounds import UNIT, furthest_from_mean, smallest_sizes
from dpcore.mechanisms.variance_subsets import OrderedCells


def all_edits(values: np.ndarray, beta: float) -> float:
    """The maximum over every k, each with the exact least variance."""
    cells, size = OrderedCells(values), values.size
    best = 0.0
    for k in range(size + 1):
        kept = size - k - 1
        least = cells.least_squares(kept) / ((size + 1 + k) * UNIT**2) if kept > 0 else 0.0
        change = smooth_spread._deviation_change(
            1.0 / (smallest_sizes(size, size)[k : k + 1] + 1),
            np.array([least]),
            furthest_from_mean(values, size)[k : k + 1],
        )
        best = max(best, float(np.exp(-beta * k) * change[0]))
    return best


@given(st.lists(st.integers(-UNIT, UNIT), max_size=40), st.sampled_from([0.001, 0.05, 1.0]))
def test_skipped_edits_could_not_have_held_the_maximum(values: list[int], beta: float) -> None:
    ordered = np.sort(np.array(values, dtype=np.int64))
    assert Deviation().measure(ordered, beta)[1] == pytest.approx(all_edits(ordered, beta))


@pytest.mark.parametrize("beta", [0.002, 0.1])
def test_smooth_where_the_cheap_bound_takes_over(
    beta: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smooth_spread, "_EXACT_EDITS", 3)
    rng = np.random.default_rng(0)
    for size in range(30):
        ordered = np.sort(rng.integers(-UNIT, UNIT, size))
        for extra in rng.integers(-UNIT, UNIT, 5):
            grown = np.sort(np.append(ordered, extra))
            for statistic in (Variance(), Deviation()):
                one, other = (statistic.measure(values, beta)[1] for values in (ordered, grown))
                assert abs(np.log(one / other)) <= beta * (1 + 1e-9)


def test_all_alike_is_the_most_sensitive() -> None:
    alike = np.full(100, -UNIT)
    apart = np.sort(np.where(np.arange(100) % 2, UNIT, -UNIT))
    assert Deviation().measure(alike, 1.0)[1] == pytest.approx(2 / np.sqrt(100), rel=0.02)
    assert Deviation().measure(apart, 1.0)[1] < 0.02
