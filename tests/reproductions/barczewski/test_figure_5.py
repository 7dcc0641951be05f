"""Figure 5 follows its numbers."""

from __future__ import annotations

from tests.reproductions._verdicts import by_method, measured, verdicts

NAME = "barczewski-figure-5"
P1, P2 = "tree, p = 1", "tree, p = 2"


def falling(factor: float):
    return lambda row: factor / row.x


def test_the_verdict_follows_the_numbers() -> None:
    assert verdicts(NAME, by_method({P1: falling(0.1), P2: falling(0.11)})) == [True, True]
    assert verdicts(NAME, by_method({P1: falling(0.1), P2: falling(0.2)})) == [True, False]
    rising = by_method({P1: lambda row: row.x, P2: lambda row: row.x})
    assert verdicts(NAME, rising) == [False, True]


def test_all_methods_at_all_epsilons() -> None:
    rows = measured(NAME, runs=1, epsilons=("0.1", "1"), grid=128)
    assert len(rows) == 8
