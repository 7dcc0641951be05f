"""The reusable holdout follows its numbers."""

from __future__ import annotations

from tests.reproductions._verdicts import measured, verdicts

NAME = "zumel-stepwise"
NAIVE, LARGER, BLOG = "Naive reuse", "Naive, ten times the test set", "The blog's variant"


def numbers(optimism: dict[str, float], found: dict[str, float], fresh: float):
    def change(row) -> float:
        if row.panel == "test less fresh accuracy":
            return optimism.get(row.method, row.value)
        if row.panel == "signal variables found":
            return found.get(row.method, row.value)
        return fresh if row.panel == "fresh accuracy, best so far" else row.value

    return change


def test_the_verdict_follows_the_numbers() -> None:
    told = numbers({NAIVE: 0.06, LARGER: 0.01, BLOG: 0.0}, {NAIVE: 1, BLOG: 10}, 0.61)
    assert verdicts(NAME, told) == [True] * 5
    other = numbers({NAIVE: 0.01, LARGER: 0.01, BLOG: 0.1}, {NAIVE: 4, BLOG: 5}, 0.55)
    assert verdicts(NAME, other) == [False] * 5


def test_found_variables_do_not_become_fewer() -> None:
    rows = measured(NAME, draws=1, steps=(1, 5, 10, 25), fresh_rows=500)
    for method in rows.methods():
        found = rows.curve("signal variables found", method)
        assert found == sorted(found)
        assert found[-1] <= 10
