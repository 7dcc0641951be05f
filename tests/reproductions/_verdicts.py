"""Verdicts on recorded numbers, as they are and as they would be with others."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from reproductions import ROLES, PaperData, Row, Rows, experiment, recorded

Change = Callable[[Row], float]


def verdicts(name: str, change: Change = lambda row: row.value) -> list[bool]:
    """Which trends are seen on the recorded rows, with every value changed."""
    one = experiment(name)
    result = recorded(one)
    assert result is not None
    rows = Rows(tuple(row._replace(value=change(row)) for row in result.rows))
    judgement = one.judge(rows)
    assert judgement.gap.endswith(".")
    assert all(trend.claim.endswith(".") and trend.figure for trend in judgement.trends)
    return [trend.seen for trend in judgement.trends]


def by_method(values: dict[str, Callable[[Row], float] | float]) -> Change:
    """The value of each method, or a function of its row; others stay."""

    def change(row: Row) -> float:
        value = values.get(row.method, row.value)
        return float(value(row) if callable(value) else value)

    return change


def measured(name: str, **settings: Any) -> Rows:
    """Rows of an experiment on what ships with the project, with other settings."""
    one = experiment(name)
    found = tuple(one.measure(replace(one.quick, **settings), PaperData(None)))  # type: ignore[type-var]
    assert found
    assert all(row.role in ROLES and not math.isnan(row.value) for row in found)
    rows = Rows(found)
    one.judge(rows)
    return rows
