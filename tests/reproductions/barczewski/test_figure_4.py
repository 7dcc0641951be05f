"""Figure 4 follows its numbers."""

from __future__ import annotations

from tests.reproductions._verdicts import by_method, measured, verdicts

NAME = "barczewski-figure-4"


def test_the_verdict_follows_the_numbers() -> None:
    assert verdicts(NAME, by_method({"tree: ECDF": 2, "tree: inverse": 1})) == [False]
    level = {"tree: ECDF": 2.0, "tree: inverse": 1.0, "tree, p = 2: inverse": 0.5}
    assert verdicts(NAME, by_method(dict(level))) == [True]


def test_errors_fall_with_epsilon() -> None:
    rows = measured(NAME, draws=2, points=1024, epsilons=("0.05", "2"))
    for method in rows.methods():
        noisy, calm = rows.curve("lambda 3", method)
        assert calm < noisy
