"""Figures 2 and 3 follow their numbers."""

from __future__ import annotations

import pytest

from tests.reproductions._verdicts import by_method, measured, verdicts

NAME = "barczewski-figure-2"
P1, P2 = "tree, p = 1", "tree, p = 2"


def test_the_verdict_follows_the_numbers() -> None:
    def claimed(row) -> float:
        if "lambda to the right" in row.panel:
            return 0.5 if row.x < 100 else 0.99
        return 1.5 if row.x < 0.2 else 0.5 + 0.09 * row.x

    def worse(row) -> float:
        return claimed(row) + 0.2

    # Both cannot hold: an effect that grows to zero, and none at the smallest epsilons.
    assert verdicts(NAME, by_method({P1: worse, P2: claimed})) == [True, True, True, False]
    assert verdicts(NAME, by_method({P1: 0.4, P2: 0.5})) == [False, True, False, False]
    rising = by_method({P2: lambda row: 1 - 0.5 / (1 + row.x)})
    assert verdicts(NAME, rising)[3]
    assert not verdicts(NAME, by_method({P2: 1.5}))[1]


def test_smoothing_helps_most_at_small_epsilon() -> None:
    rows = measured(NAME, draws=1, points=1024, epsilons=("0.05", "5"), rates=(3.0,))
    small, large = rows.curve("lambda 3, epsilon to the right", P2)
    assert small < large
    assert large == pytest.approx(1, abs=0.5)
