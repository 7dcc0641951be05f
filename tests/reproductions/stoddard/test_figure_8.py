"""Figure 8 follows its numbers."""

from __future__ import annotations

from tests.reproductions._verdicts import by_method, measured, verdicts

NAME = "stoddard-figure-8"
PUBLISHED = "recursive-medians-published"


def test_the_verdict_follows_the_numbers() -> None:
    def moving(row) -> float:
        return 1 + 0.1 * abs(row.x - (7 if row.panel.endswith("epsilon 1") else 9))

    assert verdicts(NAME, by_method({PUBLISHED: moving})) == [True, True]
    assert verdicts(NAME, by_method({PUBLISHED: lambda row: 3.0**row.x})) == [False, False]


def test_ours_is_a_level() -> None:
    rows = measured(NAME, runs=1, epsilons=("1",), levels=(7, 9))
    for panel in rows.panels:
        first, second = rows.curve(panel, "quantile-bins")
        assert first == second
