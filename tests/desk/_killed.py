"""Kills: forks a process that releases and dies by SIGKILL at a given step; says what is left."""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

from dpcore import LedgerStore, Loss
from dpcore.desk import Assumed, Request, release, simulated_predictions
from dpcore.errors import ReleaseVoid
from dpcore.study import DataSource, Epsilons, Evaluation, Workflow
from tests.store._children import answer_orders, killed

REQUEST = Request(
    what="roc",
    study=Workflow(
        data=DataSource(predictions="scores.csv", positive="1"),
        epsilon=Epsilons(evaluation="0.4"),
        evaluation=Evaluation(method="laplace"),
    ),
)


def crash(order: tuple[str, int]) -> dict[str, Any]:
    """Release, killed at a step; then come back as a new process would, and go on."""
    step, seed = order
    data = simulated_predictions(Assumed(n=200, seed=seed))
    object.__setattr__(data, "digest", f"{step} {seed}")
    store = LedgerStore(sys.argv[1])
    store.open_budget(data.digest, Loss(1))

    def die(reached: str) -> None:
        if reached == step:
            os.kill(os.getpid(), signal.SIGKILL)

    found: dict[str, Any] = {
        "killed": killed(lambda: _release(data, LedgerStore(sys.argv[1], on_step=die)))
    }
    found["spent"] = str(store.account(data.digest).spent)
    found["holds"] = store.verify().holds
    try:
        after = release(REQUEST, data, store)
        found["after"] = "replayed" if after.replayed else "drawn"
    except ReleaseVoid as error:
        found["after"], found["words"] = "void", str(error)
        after = release(REQUEST, data, store, again=True)
    found["total"] = str(store.account(data.digest).spent)
    found["results"] = len(store.results(data.digest))
    found["same"] = json.dumps(release(REQUEST, data, store).document) == json.dumps(after.document)
    found["holds"] = found["holds"] and store.verify().holds
    return found


def _release(data: Any, store: LedgerStore) -> None:
    release(REQUEST, data, store)


if __name__ == "__main__":
    answer_orders(crash)
