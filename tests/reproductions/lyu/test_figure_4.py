"""Figure 4 follows its numbers."""

from __future__ import annotations

from tests.reproductions._verdicts import by_method, measured, verdicts

NAME = "lyu-figure-4"
METHODS = ("SVT-DPBook (Alg. 2)", "SVT-S 1:1", "SVT-S 1:3", "SVT-S 1:c", "SVT-S 1:c^(2/3)")


def test_the_verdict_follows_the_numbers() -> None:
    down = dict(zip(METHODS, (0.9, 0.8, 0.6, 0.4, 0.3), strict=True))
    up = dict(zip(METHODS, (0.3, 0.4, 0.6, 0.8, 0.9), strict=True))
    assert verdicts(NAME, by_method(down)) == [True, True]
    assert verdicts(NAME, by_method(up)) == [False, False]


def test_without_files_there_is_zipf() -> None:
    rows = measured(NAME, runs=1, cuts=(25,), items=2000)
    assert rows.panels == ("Zipf, score error rate", "Zipf, false negative rate")
