"""Figure 7 follows its numbers."""

from __future__ import annotations

from tests.reproductions._verdicts import by_method, measured, verdicts

NAME = "stoddard-figure-7"
LAPLACE, FIXED, MEDIANS = "laplace-published", "fixed-space", "recursive-medians-published"


def test_the_verdict_follows_the_numbers() -> None:
    assert verdicts(NAME, by_method({LAPLACE: 3, FIXED: 2, MEDIANS: 1})) == [True, True]
    assert verdicts(NAME, by_method({LAPLACE: 1, FIXED: 2, MEDIANS: 3})) == [False, False]
    assert verdicts(NAME, by_method({LAPLACE: 3, FIXED: 1, MEDIANS: 2})) == [True, False]


def test_there_is_a_panel_for_each_size() -> None:
    rows = measured(NAME, runs=1, epsilons=("1",), sizes=((1.0, 10), (0.25, 8)))
    assert len(rows.panels) == 4
    assert "SMS, alpha 0.25, k 8" in rows.panels
