"""Smooth sensitivities against brute force: no smaller than the truth, and smooth."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.mechanisms import Deviation, Mean, TrimmedMean
from dpcore.mechanisms.smooth import UNIT, Statistic, furthest_from_mean, smallest_sizes, statistics
from dpcore.mechanisms.smooth.statistics import Median, OrderedCells, Variance, squared_deviations
from tests.mechanisms._small_sets import EDGES, SETS, exact_smooth_sensitivity, measured

cells = st.lists(st.integers(-(2**16), 2**16), min_size=1, max_size=8).map(sorted)


def squares(values: tuple[int, ...]) -> float:
    return float(((np.array(values) - np.mean(values)) ** 2).sum())


@given(cells)
def test_least_over_all_subsets(values: list[int]) -> None:
    ordered = OrderedCells(np.array(values, dtype=np.int64))
    for size in range(1, len(values) + 1):
        every = [squares(subset) for subset in combinations(values, size)]
        assert ordered.least_squares(size) == pytest.approx(min(every), abs=1e-3)


@given(cells)
def test_pairs_bound_the_least_from_below(values: list[int]) -> None:
    ordered = OrderedCells(np.array(values, dtype=np.int64))
    bound = ordered.squares_without_pairs(len(values))
    assert bound.shape == (len(values) + 1,)
    for removed in range(len(values)):
        assert bound[removed] <= ordered.least_squares(len(values) - removed) + 1e-6


@given(cells, st.integers(-(2**16), 2**16))
def test_pairs_do_not_widen_with_one_more_edit(values: list[int], extra: int) -> None:
    own = OrderedCells(np.array(values, dtype=np.int64)).squares_without_pairs(len(values))
    more = OrderedCells(np.array(sorted([*values, extra]), dtype=np.int64))
    grown = more.squares_without_pairs(len(values) + 1)
    assert (grown[1:] <= own).all()
    assert (own[1:] <= grown[:-2]).all()


@pytest.mark.parametrize("removed", [0, 1, 511, 512, 513, 900])
def test_least_of_many_values_is_that_of_the_best_window(removed: int) -> None:
    """Sums of few removals are kept and those of many are not: both sides of the border."""
    values = np.sort(np.random.default_rng(3).integers(-UNIT, UNIT, 1000))
    windows = np.lib.stride_tricks.sliding_window_view(values, values.size - removed)
    ordered = OrderedCells(values)
    ordered.least_squares(values.size)
    found = ordered.least_squares(values.size - removed)
    assert found == pytest.approx((windows.var(axis=1) * windows.shape[1]).min(), rel=1e-9)


def test_nothing_cancels_far_from_zero() -> None:
    values = np.full(10**6, 2**16)
    values[0] = 2**16 - 1
    exact = (10**6 - 1) / 10**6
    assert OrderedCells(values).least_squares(10**6) == pytest.approx(exact, rel=1e-12)


def test_squared_deviations_of_equal_numbers_are_zero() -> None:
    assert squared_deviations(np.array([-21]), np.array([147]), 3).tolist() == [0.0]


def all_edits(values: np.ndarray, beta: float) -> float:
    """The maximum over every k, each with the exact least variance."""
    cells, size = OrderedCells(values), values.size
    best = 0.0
    for k in range(size + 1):
        kept = size - k - 1
        least = cells.least_squares(kept) / ((size + 1 + k) * UNIT**2) if kept > 0 else 0.0
        change = statistics._deviation_change(
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
    monkeypatch.setattr(statistics, "_EXACT_EDITS", 3)
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


STATISTICS = [Mean(), TrimmedMean(1), TrimmedMean(2), Median(), Variance(), Deviation()]

every_statistic = pytest.mark.parametrize("statistic", STATISTICS, ids=str)


@pytest.mark.few(3)
@every_statistic
@pytest.mark.parametrize("beta", [0.05, 0.5, 2.0])
def test_it_bounds_the_change_and_is_smooth(statistic: Statistic, beta: float) -> None:
    values = measured(statistic, beta)
    for smaller, larger in EDGES:
        (one, small), (other, large) = values[smaller], values[larger]
        assert abs(one - other) <= min(small, large) + 1e-12
        assert abs(np.log(small / large)) <= beta * (1 + 1e-9)


@pytest.mark.spanning
@every_statistic
@pytest.mark.parametrize("beta", [0.05, 0.5])
def test_it_is_no_less_than_the_smooth_sensitivity_and_not_much_more(
    statistic: Statistic, beta: float
) -> None:
    truth, values = exact_smooth_sensitivity(statistic, beta), measured(statistic, beta)
    ratios = np.array([values[one][1] / truth[one] for one in SETS if 0 < len(one) <= 4])
    assert ratios.min() > 1 - 1e-9
    assert np.median(ratios) < 2.5


def test_the_median_is_exact() -> None:
    truth, values = exact_smooth_sensitivity(Median(), 0.5), measured(Median(), 0.5)
    for one in SETS:
        if len(one) <= 3:
            assert values[one][1] == pytest.approx(truth[one])


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=60))
def test_the_statistics_are_what_they_are_called(numbers: list[float]) -> None:
    ordered = np.sort(np.rint(np.array(numbers) * UNIT)).astype(np.int64)
    exact = ordered / UNIT
    found = {type(one).__name__: one.measure(ordered, 0.1)[0] for one in STATISTICS[1:]}
    assert Mean().measure(ordered, 0.1)[0] == pytest.approx(exact.mean())
    assert found["Variance"] == pytest.approx(exact.var(), abs=1e-12)
    assert found["Deviation"] == pytest.approx(exact.std(), abs=1e-7)
    assert found["Median"] == exact[(exact.size + 1) // 2 - 1]
    inside = exact[2:-2]
    assert found["TrimmedMean"] == pytest.approx(inside.mean() if inside.size else 0.0)


@pytest.mark.parametrize("statistic, sharp", [(Mean(), 1.0), (Deviation(), 1 / 3)])
def test_many_records_are_as_sensitive_as_their_formula(statistic: Statistic, sharp: float) -> None:
    """Uniform on [-1, 1]: 1 / n for the mean, (1 - 1/3) / (2 sd n) for the deviation."""
    n = 50_000
    ordered = np.rint(np.linspace(-1, 1, n) * UNIT).astype(np.int64)
    value, sensitivity = statistic.measure(ordered, 0.05)
    factor = value if isinstance(statistic, Deviation) else 1.0
    assert sensitivity * n * factor == pytest.approx(sharp, rel=0.02)


def test_trimming_makes_the_mean_robust() -> None:
    ordered = np.zeros(1001, dtype=np.int64)
    ordered[:3], ordered[-3:] = -UNIT, UNIT
    assert TrimmedMean(100).measure(ordered, 0.5)[1] < 1e-9
    assert Mean().measure(ordered, 0.5)[1] > 1e-3


def test_trim_is_checked() -> None:
    with pytest.raises(InvalidArgument, match="^trim must be"):
        TrimmedMean(-1)
