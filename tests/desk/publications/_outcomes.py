"""Simulated outcomes of every kind."""

from __future__ import annotations

import json
from typing import Any

from dpcore.desk import Request
from dpcore.desk.outcome import Outcome
from dpcore.desk.pipeline import carry_out, prepare
from dpcore.study import NoiseChoice
from tests.desk._made import of_table, table


def outcome_of(what: str, total: object = 50, **fields: Any) -> tuple[Request, Outcome]:
    """A request with little noise, and what it gave."""
    request = of_table(what, **fields).with_total(str(total))
    data, noise = table(3000), NoiseChoice(5)
    return request, carry_out(request, data, prepare(request, data, noise=noise), noise=noise)


def published(what: str, **fields: Any) -> tuple[Request, Outcome, dict[str, Any]]:
    """The same, with its result as it would be stored."""
    request, outcome = outcome_of(what, **fields)
    return request, outcome, json.loads(json.dumps(request.kind.result(outcome)))
