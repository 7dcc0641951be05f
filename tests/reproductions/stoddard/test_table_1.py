"""Table 1 follows its numbers."""

from __future__ import annotations

from reproductions import experiment, recorded
from tests.reproductions._verdicts import by_method, measured, verdicts

NAME = "stoddard-table-1"
LAPLACE, FIXED, MEDIANS = "laplace-published", "fixed-space", "recursive-medians-published"


def falling(factor: float):
    return lambda row: factor / row.x


def test_the_printed_table_bears_out_what_it_says() -> None:
    result = recorded(experiment(NAME))
    assert result is not None
    printed = {row[:4]: row.value for row in result.rows if row.role == "paper"}

    def change(row):
        return printed.get((row.panel, f"{row.method}, the paper", "paper", row.x), row.value)

    assert verdicts(NAME, change) == [True, True, True, True]


def test_the_verdict_follows_the_numbers() -> None:
    claimed = {LAPLACE: falling(0.1), FIXED: falling(0.05), MEDIANS: falling(0.01)}
    assert verdicts(NAME, by_method(claimed)) == [True, True, True, True]
    nine = by_method({**claimed, MEDIANS: falling(0.1 / 9)})
    assert verdicts(NAME, nine) == [True, True, False, True]
    other = by_method({LAPLACE: 0.01, FIXED: 0.05, MEDIANS: lambda row: row.x})
    assert verdicts(NAME, other) == [False, False, False, False]


def test_paper_rerun_and_ours_stand_in_one_table() -> None:
    rows = measured(NAME, runs=1)
    assert rows.value("SMS", f"{LAPLACE}, the paper", 0.1) == 0.442
    assert rows.value("Twitter", f"{MEDIANS}, the paper", 0.5) == 0.063
    assert rows.methods("ours") == ("quantile-bins",)
    assert rows.methods("broken") == (LAPLACE, MEDIANS)
