"""The whole release command, ended at its n-th system call or short of room on the disk from then.

Runs with the library of `tests/store/_saboteur.c` loaded; see there.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from dpcore import LedgerStore, Loss
from dpcore.cli import main
from dpcore.desk import canonical_digest
from dpcore.store import backup, restore
from tests.store._children import answer_orders

ROWS = b"label,score\n" + b"1,0.9\n0,0.2\n" * 40
STUDY = {"data": {"predictions": "scores.csv", "positive": "1"}, "epsilon": {"evaluation": "0.4"}}
FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()


def prepared() -> None:
    """A file, a request, a ledger with a budget of 1; and one release, so that all is loaded."""
    (FOLDER / "scores.csv").write_bytes(ROWS)
    (FOLDER / "request.json").write_text(json.dumps({"what": "roc", "study": STUDY}))
    os.environ["DPCORE_STATE"] = str(FOLDER / "state")
    LedgerStore(FOLDER / "ledger.sqlite").open_budget(canonical_digest(ROWS), Loss(1))
    shutil.copytree(FOLDER / "state", FOLDER / "state before")
    assert sabotaged({"name": "warm", "at": 0, "full": False})["first"]["code"] == 0
    run(FOLDER / "warm again", FOLDER / "warm" / "ledger.sqlite")


def run(out: Path, ledger: Path, *more: str) -> int:
    files = ["--data", str(FOLDER / "scores.csv"), "--store", str(ledger), "--out", str(out)]
    return main(["release", str(FOLDER / "request.json"), *files, *more])


def forked(folder: Path, *more: str, at: int = -1, full: bool = False) -> dict[str, Any]:
    """The command in a process of its own; armed if it is to be ended."""
    library, told = ctypes.CDLL(None), folder / "told"
    child = os.fork()
    if child == 0:
        # What it prints goes to handles that the library lets alone.
        handle = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(handle, 1)
        os.dup2(handle, 2)
        if at >= 0:
            library.saboteur_arm(ctypes.c_long(at), ctypes.c_int(full))
        code = run(folder / "out", folder / "ledger.sqlite", *more)
        sys.stdout.flush()
        sys.stderr.flush()
        if at >= 0:
            (folder / "calls").write_text(str(library.saboteur_calls()))
        os._exit(code)
    status = os.waitpid(child, 0)[1]
    return {
        "killed": os.WIFSIGNALED(status),
        "code": None if os.WIFSIGNALED(status) else os.waitstatus_to_exitcode(status),
        "words": told.read_text(),
        "published": (folder / "out" / "release.json").exists(),
        **state(folder),
    }


def state(folder: Path) -> dict[str, Any]:
    """What the ledger says."""
    store, digest = LedgerStore(folder / "ledger.sqlite"), canonical_digest(ROWS)
    return {
        "spent": str(store.account(digest).spent.epsilon),
        "results": len(store.results(digest)),
        "holds": store.verify().holds,
    }


def sabotaged(order: dict[str, Any]) -> dict[str, Any]:
    """Release, be ended, and come back; releasing again for a new charge where that is asked."""
    folder = FOLDER / order["name"]
    folder.mkdir()
    shutil.copyfile(FOLDER / "ledger.sqlite", folder / "ledger.sqlite")
    shutil.copytree(FOLDER / "state before", folder / "state")
    os.environ["DPCORE_STATE"] = str(folder / "state")
    found = {"first": forked(folder, at=order["at"], full=order["full"])}
    found["after"] = forked(folder)
    if found["after"]["code"] != 0:
        found["again"] = forked(folder, "--again")
    calls = folder / "calls"
    found["calls"] = int(calls.read_text()) if order["at"] == 0 else 0
    if order["name"] != "warm":
        shutil.rmtree(folder)
    return found


def restored(order: dict[str, Any]) -> dict[str, Any]:
    """Restore a copy of two rows over a ledger of three, be ended, look, and restore again."""
    folder = FOLDER / order["name"]
    folder.mkdir()
    os.environ["DPCORE_STATE"] = str(folder / "state")
    ledger, copy, digest = folder / "ledger.sqlite", folder / "copy", canonical_digest(ROWS)
    store = LedgerStore(ledger)
    store.open_budget(digest, Loss(1))
    store.spend(digest, "first", "curve", Loss("0.1"))
    backup(ledger, copy)
    store.spend(digest, "second", "curve", Loss("0.2"))
    head = store.verify().head
    library, calls = ctypes.CDLL(None), folder / "calls"
    if (child := os.fork()) == 0:
        library.saboteur_arm(ctypes.c_long(order["at"]), ctypes.c_int(0))
        restore(copy, ledger)
        calls.write_text(str(library.saboteur_calls()))
        os._exit(0)
    found: dict[str, Any] = {"killed": os.WIFSIGNALED(os.waitpid(child, 0)[1])}
    found["calls"] = int(calls.read_text()) if calls.exists() else 0
    # Whatever stands there now is the old ledger or the new one, whole.
    found["between"] = str(LedgerStore(ledger, make=False).account(digest).spent.epsilon)
    restore(copy, ledger)
    store = LedgerStore(ledger)
    found["holds"], found["spent"] = store.verify(head).holds, str(store.account(digest).spent)
    shutil.rmtree(folder)
    return found


def answer(order: dict[str, Any]) -> dict[str, Any]:
    return restored(order) if order.get("restore") else sabotaged(order)


if __name__ == "__main__":
    with contextlib.redirect_stdout(sys.stderr):
        prepared()
    answer_orders(answer)
