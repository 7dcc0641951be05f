"""The classifier sees widths, and a little in many numbers."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit.statistics import coordinates, exact_matches, histograms, logistic, most_different
from tests.audit._statistics_samples import RNG, separation, shifted, spread, wider


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


def test_columns_have_names() -> None:
    found = coordinates(shifted(1), shifted(0), ("a", "b", "the third?"))
    assert found[0].words == "the third"
    assert coordinates(spread(1), spread(0))[0].words.startswith("number ")


def test_exact_matches_of_outputs_that_repeat() -> None:
    def pairs(side: int) -> np.ndarray:
        """Each number is fair on either side; together they agree or differ."""
        first = RNG.integers(0, 2, 800)
        return np.column_stack([first, first if side else 1 - first]).astype(float)

    assert separation(exact_matches, pairs) == 1.0
    assert exact_matches(shifted(1), shifted(0)) == []


@pytest.mark.parametrize("fit", [coordinates, histograms, logistic])
def test_a_shift_of_one_number(fit: object) -> None:
    assert separation(fit, shifted) > 0.65


@pytest.mark.parametrize("fit", [histograms, logistic])
def test_another_width(fit: object) -> None:
    assert separation(fit, wider) > 0.65


@pytest.mark.parametrize("fit", [histograms, logistic])
def test_a_little_in_many_numbers(fit: object) -> None:
    assert separation(fit, spread) > separation(coordinates, spread) + 0.1
