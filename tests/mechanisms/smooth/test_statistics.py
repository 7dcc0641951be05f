"""Smooth sensitivities against brute force: no smaller than the truth, and smooth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.mechanisms import Deviation, Mean, Median, Statistic, TrimmedMean, Variance
from dpcore.mechanisms.smooth.bounds import UNIT
from tests.mechanisms._small_sets import EDGES, SETS, exact_smooth_sensitivity, measured

STATISTICS = [Mean(), TrimmedMean(1), TrimmedMean(2), Median(), Variance(), Deviation()]

every_statistic = pytest.mark.parametrize("statistic", STATISTICS, ids=str)


@pytest.mark.spanning
@every_statistic
@pytest.mark.parametrize("beta", [0.05, 0.5, 2.0])
def test_it_bounds_the_change_and_is_smooth(statistic: Statistic, beta: float) -> None:
    values = measured(statistic, beta)
    for smaller, larger in EDGES:
        (one, small), (other, large) = values[smaller], values[larger]
        assert abs(one - other) <= min(small, large) + 1e-12
        assert abs(np.log(small / large)) <= beta * (1 + 1e-9)


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
