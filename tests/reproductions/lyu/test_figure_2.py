"""The table of the seven algorithms follows its numbers."""

from __future__ import annotations

import math

from tests.reproductions._verdicts import by_method, measured, verdicts

NAME = "lyu-figure-2"


def test_the_exact_losses_bear_the_paper_out() -> None:
    assert verdicts(NAME) == [True, True, True]


def test_the_verdict_follows_the_numbers() -> None:
    assert verdicts(NAME, by_method({"Alg. 2": 1.1})) == [False, True, True]
    assert verdicts(NAME, by_method({"Alg. 4": 1.0})) == [True, False, True]
    assert verdicts(NAME, by_method({"Alg. 6": 1.0})) == [True, True, False]


def test_algorithm_5_has_no_finite_loss() -> None:
    rows = measured(NAME, cutoff=1, sizes=(1, 10, 100, 1000))
    assert all(math.isinf(row.value) for row in rows if row.method == "Alg. 5")
    assert rows.value("general scores", "the paper on Alg. 4", 1.0) == 7 / 4
