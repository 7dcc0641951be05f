"""Figure 13 follows its numbers."""

from __future__ import annotations

from tests.reproductions._verdicts import by_method, measured, verdicts

NAME = "zafarani-figure-13"


def test_the_verdict_follows_the_numbers() -> None:
    def squared(row) -> float:
        return row.x**2

    slow = by_method({"vaidya": lambda row: row.x, "smooth-published": squared})
    assert verdicts(NAME, slow) == [True, True, False]
    fast = by_method({"vaidya": squared, "smooth-published": lambda row: row.x})
    assert verdicts(NAME, fast) == [False, False, True]


def test_records_are_repeated_if_there_are_not_enough() -> None:
    rows = measured(NAME, repeats=1, records=(500, 1000, 8000))
    assert rows.places(rows.panels[0]) == (500.0, 1000.0, 8000.0)
