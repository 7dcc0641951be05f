"""Simulated outcomes of every kind."""

from __future__ import annotations

import json
from typing import Any

from dpcore.desk import Released, Request
from dpcore.publications import Found
from dpcore.study import NoiseChoice, WorkflowResult
from tests.desk._made import SCHEMA, of_table, table


def outcome_of(what: str, total: object = 50, **fields: Any) -> tuple[Request, WorkflowResult]:
    """A request with little noise, and what it gave."""
    request = of_table(what, **fields).with_total(str(total))
    return request, request.carry_out(table(3000), noise=NoiseChoice(5))


def published(what: str, **fields: Any) -> tuple[Request, WorkflowResult, dict[str, Any]]:
    """The same, with its result as it would be stored."""
    request, outcome = outcome_of(what, **fields)
    return request, outcome, json.loads(json.dumps(request.kind.result(outcome)))


def found_of(request: Request, result: dict[str, Any]) -> Found:
    """What the desk shows of a stored result."""
    document = {"request": request.public(), "schema": SCHEMA.to_toml(), "result": result}
    return Released(request_id="", document=document, entries=()).found
