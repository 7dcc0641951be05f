"""How long every view takes to its first picture and to its last: here, and at another revision.

Run ``python -m benchmarks.views [--against REVISION] [--only WORD] [--patience 300] [--beside 0]``.

The app of this folder and that of a revision of its history, unpacked into a temporary folder, are
served one after the other, each with the threads that `make run` gives it, and a client that speaks
the browser's protocol opens every view by its link, each in a session of its own, after one visit
that lets the server load what it needs. Taken are the seconds from asking for the page to the first
figure of its view, and to the last one: until the script has finished and asks for no further run
of a part of the page, also of one that draws the stops of a slider ahead, at its leisure; and the
processor time of the server and of the processes that it makes. A view that takes longer than the
patience is left there: its time is at least that.

A server is seldom alone on its machine. With ``--beside 4`` so many others compute all the while,
a process each that never waits, for both sides alike: threads that wait for one another then cost
what visitors of a busy machine see.

Claimed: the first picture within 2 seconds everywhere, and the views in `SLOW` at least 4 times
faster in all. Linux only.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from websockets.sync.client import ClientConnection, connect

from benchmarks._ratios import Ratio, save
from benchmarks._visitor import ROOT, Browser, Work, served

FIRST, FASTER = 2.0, 4.0
# The state before the slow views were made to grow.
BEFORE = "ab82275"
_BANK = "data=bank-calls"
# The same model on both sides: what is trained by default has become another.
_MODEL = "model=logistic&training=objective"
_SELECTING = f"{_BANK}&{_MODEL}&select=noisy-scores&epsilon.selection=0.5&epsilon.training=0.5"
_LARGE = "&".join(
    f"reusable_holdout_{name}={value}"
    for name, value in {
        "variables": 100,
        "train_rows": 5000,
        "test_rows": 5000,
        "steps": 100,
    }.items()
)
SLOW = {
    "Model: accuracy over epsilon": ("model", f"{_BANK}&model_view=accuracy"),
    "Features: budget": ("features", f"{_SELECTING}&features_view=budget"),
    "Reusable holdout, 100 variables": ("reusable_holdout", _LARGE),
    "Audit, 200,000 draws": ("audit", "audit_trials=200000"),
}
VIEWS = {
    **SLOW,
    "Model": ("model", _BANK),
    "Model: parameters": ("model", f"{_BANK}&model_view=parameters"),
    "Model: running time": ("model", f"{_BANK}&model_view=runtime"),
    "Features": ("features", _SELECTING),
    "Features: thresholds": ("features", f"{_SELECTING}&features_view=thresholds"),
    "Features: row bound": ("features", f"{_SELECTING}&features_view=rows"),
    "Features: free": ("features", f"{_SELECTING}&features_view=free"),
    "ROC": ("roc", _BANK),
    "ROC: methods": ("roc", f"{_BANK}&roc_view=methods"),
    "ROC: several epsilons": ("roc", f"{_BANK}&roc_view=panels"),
    "ROC: other draws": ("roc", f"{_BANK}&roc_view=redraws"),
    "ECDF": ("ecdf", _BANK),
    "Calibration": ("calibration", _BANK),
    "Threshold": ("threshold", _BANK),
    "Groups": ("groups", _BANK),
    "Compare": ("compare", _BANK),
    "Reusable holdout": ("reusable_holdout", ""),
    "Audit": ("audit", ""),
    "Sparse vector lab": ("sparse_vector_lab", ""),
    "Sparse vector lab: algorithms": ("sparse_vector_lab", "sparse_vector_lab_view=algorithms"),
    "Sparse vector lab: errors": ("sparse_vector_lab", "sparse_vector_lab_view=errors"),
    "Federated ECDF": ("federated_ecdf", ""),
    "Reproductions": ("reproductions", ""),
}


def _connected(address: str) -> ClientConnection:
    for _ in range(600):
        try:
            return connect(address, max_size=None, subprotocols=["streamlit"], compression=None)
        except OSError:
            time.sleep(0.1)
    raise TimeoutError("the server did not start within 60 seconds")


@dataclass(frozen=True)
class Seen:
    """Seconds to the first and to the last figure of a view, and of the server's processes.

    NaN for a view without a figure.
    """

    first: float
    last: float
    work: float


def visit(address: str, process: int, page: str, query: str, patience: float) -> Seen:
    """Open a view, and do what a browser does until its last figure is there."""
    browser, begin, work = Browser(query, page), time.perf_counter(), Work(process)
    first = last = float("nan")
    with _connected(address) as connection:
        connection.send(browser.opening())
        over = False
        while (now := time.perf_counter()) - begin < patience:
            for message in browser.asks(now):
                connection.send(message)
                over = False
            work.look()
            try:
                drawn = browser.drawn
                over |= browser.take(connection.recv(timeout=0.02, decode=False))
            except TimeoutError:
                if over and not browser.polls:
                    break
                continue
            if browser.drawn > drawn:
                last = time.perf_counter() - begin
                first = last if math.isnan(first) else first
        else:
            last = patience
    return Seen(first, last, work.look())


def measure(folder: Path, only: str, patience: float) -> dict[str, Seen]:
    """Serve the app of a folder, and open every view of it."""
    found = {}
    with served(folder / "server.py", root=folder) as (server, address):
        visit(address, server.pid, "model", _BANK, patience)
        for name, (page, query) in VIEWS.items():
            if only.lower() in name.lower():
                found[name] = visit(address, server.pid, page, query, patience)
    return found


@contextmanager
def busy(others: int) -> Iterator[None]:
    """Let so many processes compute meanwhile."""
    begun = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(others)]
    try:
        yield
    finally:
        for one in begun:
            one.kill()
            one.wait()


def both(against: str, only: str, patience: float) -> tuple[dict[str, Seen], dict[str, Seen]]:
    """Measure the app of a revision, and this one."""
    with TemporaryDirectory() as unpacked:
        archive = subprocess.run(
            ["git", "archive", against], cwd=ROOT, check=True, capture_output=True
        ).stdout
        subprocess.run(["tar", "-x", "-C", unpacked], input=archive, check=True)
        return measure(Path(unpacked), only, patience), measure(ROOT, only, patience)


def main() -> int:
    """Print the table; the exit code says whether the claims hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", default=BEFORE, help="a revision of git")
    parser.add_argument("--only", default="", help="views with this in their name")
    parser.add_argument("--patience", type=float, default=240.0, help="seconds for one view")
    parser.add_argument("--beside", type=int, default=0, help="busy processes on the same machine")
    told = parser.parse_args()
    with busy(told.beside):
        before, now = both(told.against, told.only, told.patience)
    print(f"Seconds, at {told.against} -> now\n")
    print("| view | first picture | last picture | times as fast | processors |")
    print("|---|---|---|---|---|")
    missed, ratios = 0, []
    for name, after in now.items():
        was, ratio = before[name], before[name].last / after.last
        missed += after.first > FIRST or (name in SLOW and ratio < FASTER)
        pairs = [(was.first, after.first), (was.last, after.last), (was.work, after.work)]
        first, last, work = (f"{old:.2f} -> {new:.2f}" for old, new in pairs)
        print(f"| {name} | {first} | {last} | {ratio:.1f} | {work} |")
        if math.isnan(ratio):
            # Nothing is drawn before somebody asks for it, or the view is new.
            continue
        ratios.append(
            Ratio(
                f"{name}, first picture after {after.first:.2g} s",
                f"the same at {told.against}, after {was.first:.2g} s",
                after.last,
                was.last,
                1.0 / ratio,
                1.0 / FASTER if name in SLOW else None,
                processor_ratio=after.work / was.work,
            )
        )
    late = ", ".join(name for name, after in now.items() if after.first > FIRST)
    remark = f"First pictures later than {FIRST:g} s: {late or 'none'}."
    save("views", ratios, remarks=[remark], quick=bool(told.only or told.beside))
    print(f"\n{missed} of {len(now)} views miss a claim.")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
