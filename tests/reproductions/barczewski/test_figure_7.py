"""Figure 7 follows its numbers."""

from __future__ import annotations

from tests.reproductions._verdicts import by_method, measured, verdicts

NAME = "barczewski-figure-7"


def test_the_verdict_follows_the_numbers() -> None:
    assert verdicts(NAME, by_method({"p = 1": 2, "p = 2": 1})) == [True]
    assert verdicts(NAME, by_method({"p = 1": 1, "p = 2": 2})) == [False]


def test_times_are_positive() -> None:
    rows = measured(NAME, repeats=1, powers=(4, 6, 8))
    assert all(row.value > 0 for row in rows)
