"""Races: forks one process for each order, and lets them all loose at once."""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from typing import Any

from dpcore import LedgerStore, Loss
from dpcore.desk import Assumed, Request, release, simulated_predictions
from dpcore.errors import BudgetExceeded
from dpcore.studies.workflow import DataSource, Epsilons, Evaluation, Workflow
from tests.store._children import answer_orders, race


def spend(store: LedgerStore, data: str, request: str, loss: str) -> str:
    try:
        return "charged" if store.spend(data, request, "race", Loss(loss)) else "known"
    except BudgetExceeded:
        return "refused"


def publish(store: LedgerStore, seed: int, epsilon: str, confidence: float) -> dict[str, Any]:
    data = simulated_predictions(Assumed(n=200, seed=seed))
    object.__setattr__(data, "digest", f"race {seed}")
    study = Workflow(
        data=DataSource(predictions="scores.csv", positive="1"),
        epsilon=Epsilons(evaluation=epsilon),
        evaluation=Evaluation(method="laplace", confidence=confidence),
    )
    try:
        found = release(Request(what="roc", study=study), data, store)
    except BudgetExceeded:
        return {"refused": True}
    return {"pid": os.getpid(), "replayed": found.replayed, "text": json.dumps(found.document)}


def act(store: LedgerStore, order: Any) -> list[Any]:
    kind, calls = order
    return [{"spend": spend, "publish": publish}[kind](store, *call) for call in calls]


if __name__ == "__main__":
    ledger = LedgerStore(sys.argv[1])
    answer_orders(lambda orders: race(partial(act, ledger), orders))
