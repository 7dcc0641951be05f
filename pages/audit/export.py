"""Files of an audit."""

from __future__ import annotations

import json
import math

from dpcore.audit import limit_roc
from dpcore.publications.publication import csv_text
from pages.audit.run import Run


def as_csv(run: Run) -> str:
    """The attacker's curve with its limit, and the bound as it grew."""
    found = run.attack.result
    rows: list[tuple[object, ...]] = []
    if found is not None:
        limit = limit_roc(found.roc.fpr, found.declared).tolist()
        curve = zip(found.roc.fpr.tolist(), found.roc.tpr.tolist(), limit, strict=True)
        rows = [("attacker", *point) for point in curve]
        rows += [("bound", look.trials, look.epsilon_lower, "") for look in found.looks]
    return csv_text(("what", "x", "y", "limit"), rows)


def as_json(run: Run) -> str:
    """Everything that was found, stamped as a simulation."""
    found = run.attack.result
    result = None if found is None else json.loads(found.to_json())
    infinite = run.exact is not None and math.isinf(run.exact)
    document = {
        "simulation": True,
        "audit": result,
        "exact_on_this_pair": "infinite" if infinite else run.exact,
        "seed": run.choice.seed,
    }
    return json.dumps(document, indent=2, sort_keys=True)
