"""Figure 5 follows its numbers."""

from __future__ import annotations

from tests.reproductions._verdicts import by_method, measured, verdicts

NAME = "lyu-figure-5"
PLAIN, EM = "SVT-S 1:c^(2/3)", "EM"
RAISED = tuple(f"SVT-ReTr {boost}D" for boost in range(1, 6))


def test_the_verdict_follows_the_numbers() -> None:
    raised = {name: 0.8 - 0.1 * place for place, name in enumerate(RAISED)}
    assert verdicts(NAME, by_method({PLAIN: 0.9, EM: 0.2, **raised})) == [True, True, True]
    worse = {name: 0.1 + 0.1 * place for place, name in enumerate(RAISED)}
    assert verdicts(NAME, by_method({PLAIN: 0.1, EM: 0.9, **worse})) == [False, False, False]
    # Slightly better is not clearly better, and slightly worse is no worse.
    near = {name: 0.69 - 0.001 * place for place, name in enumerate(RAISED)}
    assert verdicts(NAME, by_method({PLAIN: 0.705, EM: 0.7, **near})) == [False, True, True]


def test_every_method_selects() -> None:
    rows = measured(NAME, runs=1, cuts=(25,), items=2000)
    assert set(rows.methods("ours")) == {"one-shot", "best"}
    assert all(0 <= row.value <= 1 for row in rows)
