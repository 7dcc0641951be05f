"""What all statistics have in common."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit.statistics import coordinates, exact_matches, histograms, logistic
from dpcore.audit.statistics.statistic import most_different
from tests.audit.statistics._samples import shifted


def test_the_most_different_columns_come_first() -> None:
    assert most_different(shifted(1), shifted(0), 2)[0] == 2
    same = np.ones((50, 3))
    assert most_different(same, same, 3).size == 0
    assert coordinates(same, same) == histograms(same, same) == logistic(same, same) == []


@pytest.mark.parametrize("fit", [coordinates, exact_matches, histograms, logistic])
def test_constants_and_huge_numbers_are_no_trouble(fit: object) -> None:
    here = np.column_stack([np.full(60, 1e300), np.arange(60.0) % 2, np.full(60, -1e18)])
    there = here * np.array([1, 0, 1])
    for statistic in fit(here, there):  # type: ignore[operator]
        assert np.isfinite(statistic.score(here)).all()
