"""Medians and their smooth sensitivity against the definition, over every small data set."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from dpcore.mechanisms.median_sensitivity import medians_with_sensitivity

CELLS, BETA = 4, 0.4
# Unequal widths, so that no symmetry hides an error.
POSITIONS = np.array([0.0, 1.0, 1.5, 4.0, 9.0])
ALL = np.array([0, CELLS])
DATA = [
    records
    for size in range(7)
    for records in itertools.combinations_with_replacement(range(CELLS), size)
]


def below(records: tuple[int, ...], cells: int = CELLS) -> np.ndarray:
    counts = np.bincount(np.array(records, dtype=int), minlength=cells)
    return np.concatenate([[0], np.cumsum(counts)])


def measured(records: tuple[int, ...]) -> tuple[float, float]:
    median, sensitivity = medians_with_sensitivity(below(records), POSITIONS, ALL, BETA)
    return float(median[0]), float(sensitivity[0])


MEASURED = {records: measured(records) for records in DATA}


def by_definition(values: list[float], low: float, high: float, beta: float) -> tuple[float, float]:
    """Median, and max over k of e^(-beta (k-1)) times the range of G(v) >= -k .. k."""

    def least(count: int) -> float:
        if -len(values) >= count:
            return low
        for v in sorted(values):
            if sum(x <= v for x in values) - sum(x > v for x in values) >= count:
                return v
        return high

    widths = [math.exp(-beta * (k - 1)) * (least(k) - least(-k)) for k in range(1, len(values) + 2)]
    return least(0), max(widths)


def test_it_is_what_the_docstring_defines() -> None:
    middles = (POSITIONS[1:] + POSITIONS[:-1]) / 2
    for records in DATA:
        expected = by_definition([middles[cell] for cell in records], 0.0, 9.0, BETA)
        assert MEASURED[records] == pytest.approx(expected)


def test_smooth_upper_bound_over_all_neighbours() -> None:
    """S covers every change of the median, and itself changes by at most e^beta."""
    largest_change = largest_growth = 0.0
    for records in [data for data in DATA if len(data) < 6]:
        median, sensitivity = MEASURED[records]
        for cell in range(CELLS):
            other, other_sensitivity = MEASURED[tuple(sorted((*records, cell)))]
            assert abs(median - other) <= min(sensitivity, other_sensitivity) + 1e-12
            growth = abs(math.log(sensitivity / other_sensitivity))
            assert growth <= BETA + 1e-12
            largest_change = max(largest_change, abs(median - other) / sensitivity)
            largest_growth = max(largest_growth, growth)
    # Neither bound is slack: half of the sensitivity or of beta would fail here.
    assert largest_change > 0.5
    assert largest_growth > 0.9 * BETA


def test_it_is_not_far_above_the_least_smooth_bound() -> None:
    """The least beta-smooth bound is max over D' of e^(-beta d(D, D')) times the local sensitivity
    at D'; for at most two records, whose likely D' are all listed, it is at least half of S."""
    for records in [data for data in DATA if len(data) <= 2]:
        best = 0.0
        for other in DATA:
            if len(other) == 6:
                continue
            distance = int(np.abs(np.diff(below(records)) - np.diff(below(other))).sum())
            steps = [MEASURED[tuple(sorted((*other, cell)))][0] for cell in range(CELLS)]
            local = max(abs(MEASURED[other][0] - step) for step in steps)
            best = max(best, math.exp(-BETA * distance) * local)
        assert MEASURED[records][1] <= 2.0 * best + 1e-12


def test_intervals_are_handled_apart() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        counts = rng.integers(0, 4, 9) * rng.integers(0, 2, 9)
        positions = np.sort(rng.integers(0, 60, 10)).astype(float)
        cuts = np.array([0, 3, 4, 9])
        total = np.concatenate([[0], np.cumsum(counts)])
        medians, sensitivity = medians_with_sensitivity(total, positions, cuts, 0.3)
        for i, (start, stop) in enumerate(itertools.pairwise(cuts)):
            alone = medians_with_sensitivity(
                total[start : stop + 1] - total[start],
                positions[start : stop + 1],
                np.array([0, stop - start]),
                0.3,
            )
            assert (medians[i], sensitivity[i]) == pytest.approx((alone[0][0], alone[1][0]))


def test_no_records_means_the_whole_interval() -> None:
    median, sensitivity = MEASURED[()]
    assert (median, sensitivity) == (0.0, 9.0)


def test_many_records_on_one_score_are_insensitive() -> None:
    counts = np.array([0, 10_000, 0, 0])
    total = np.concatenate([[0], np.cumsum(counts)])
    _, sensitivity = medians_with_sensitivity(total, POSITIONS, ALL, 0.01)
    assert sensitivity[0] < 1e-20
