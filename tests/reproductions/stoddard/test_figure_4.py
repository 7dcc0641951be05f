"""Figure 4 follows its numbers."""

from __future__ import annotations

from tests.reproductions._verdicts import measured, verdicts

NAME = "stoddard-figure-4"


def test_the_verdict_follows_the_numbers() -> None:
    def claimed(row) -> float:
        return 0.5 if row.role == "exact" else 0.5 + 0.2 * row.x - 0.02

    def other(row) -> float:
        return 0.5 if row.role == "exact" else 0.9 - 0.2 * row.x

    def barely(row) -> float:
        return 0.5 if row.role == "exact" else 0.6 + 0.05 * row.x

    assert verdicts(NAME, claimed) == [True, True]
    assert verdicts(NAME, barely) == [True, False]
    assert verdicts(NAME, other) == [False, False]


def test_every_workflow_is_measured_at_every_budget() -> None:
    rows = measured(NAME, folds=1, epsilons=("1", "0.1"), data=("sms",))
    assert rows.places("SMS") == (1.0, 0.1)
    assert len(rows) == 2 * len(rows.methods())
