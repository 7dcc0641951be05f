"""Races: forks one process for each order, and lets them all loose at once."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dpcore import LedgerStore, Loss
from dpcore.desk import Assumed, Request, release, simulated_predictions
from dpcore.errors import BudgetExceeded, ReleaseVoid
from dpcore.study import DataSource, Epsilons, Evaluation, Workflow
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
    except ReleaseVoid as error:
        return {"void": str(error)}
    return {"pid": os.getpid(), "replayed": found.replayed, "text": json.dumps(found.document)}


def act(store: LedgerStore, order: Any) -> list[Any]:
    kind, calls = order
    return [{"spend": spend, "publish": publish}[kind](store, *call) for call in calls]


def overlapped(store: LedgerStore, order: dict[str, Any]) -> list[Any]:
    """Others ask in threads of this process while one in another is charged and draws, or dies."""
    read, write = os.pipe()

    def hold(step: str) -> None:
        if step == "charged":
            os.write(write, b"!")
            time.sleep(0.3)
            if order["dies"]:
                os.kill(os.getpid(), signal.SIGKILL)

    if (child := os.fork()) == 0:
        publish(LedgerStore(store.path, on_step=hold), *order["first"])
        os._exit(0)
    os.read(read, 1)
    with ThreadPoolExecutor(len(order["others"])) as pool:
        answers = list(pool.map(lambda call: publish(store, *call), order["others"]))
    os.waitpid(child, 0)
    return answers


def answer(store: LedgerStore, order: Any) -> Any:
    if isinstance(order, dict):
        return overlapped(store, order)
    return race(partial(act, store), order)


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        warm = LedgerStore(Path(folder) / "ledger.sqlite")
        warm.open_budget("race 0", Loss(1))
        # What a release loads is loaded here, once, and not by everybody who is forked.
        publish(warm, 0, "1", 0.9)
    ledger = LedgerStore(sys.argv[1])
    answer_orders(partial(answer, ledger))
