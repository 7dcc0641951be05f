"""Server work per move of the epsilon slider: the app's ROC page against a bare Streamlit page.

Run ``python -m benchmarks.slider_latency [--moves 120]``.

Both pages draw the true and the private ROC curve of the same 100,000 scored rows, thinned alike.
The bare page imports nothing but Streamlit and Plotly: a slider, and one ``st.plotly_chart`` of
curves that were computed beforehand. Ours computes the private curve, its band and its interval at
every move, and redraws headline, figures, table and budget meter. Both are served by
`streamlit run` at the same time and moved in turn by a client that speaks the browser's protocol
over a websocket. Linux only.

Two numbers are taken for each move, the same way on both sides: the processor time that the server
used, by the kernel's account, and the time from sending the move to the message that the script
has finished. Claimed: the ratio of the medians of both is at most 1.5, with Streamlit as it comes.

Streamlit collects garbage after every run of a script, which is most of the bare page's work; ours
keeps the collector away from what the imports made (`gc.freeze` in pages/session/memory.py). A
second table shows both sides with that collection switched off, as the app is served: many
visitors at once are measured by `benchmarks.sessions`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from websockets.sync.client import ClientConnection, connect

from benchmarks._slider_pages.records import scored_rows
from benchmarks._visitor import Browser, processor_time, served
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import private_roc_curve
from dpcore.figures import thin
from dpcore.noise import SeededNoise
from dpcore.privacy import shown
from pages.widgets.forms import EPSILON_GRID

PAGES = Path(__file__).parent / "_slider_pages"
CLAIMED_RATIO = 1.5
WARM_UP = 2 * len(EPSILON_GRID)


class Visitor:
    """One session of one served page on its socket."""

    def __init__(self, connection: ClientConnection, process: int) -> None:
        self.connection, self.process, self.browser = connection, process, Browser()
        self._answered(self.browser.opening())

    def move(self, epsilon: str) -> tuple[float, float]:
        """Move the slider; milliseconds of processor time, and until the script has finished."""
        message = self.browser.move(epsilon)
        busy, begin = processor_time(self.process), time.perf_counter()
        self._answered(message)
        waited = time.perf_counter() - begin
        # What the server still does after its last message belongs to the move as well.
        time.sleep(0.03)
        return 1e3 * (processor_time(self.process) - busy), 1e3 * waited

    def _answered(self, message: bytes) -> None:
        self.connection.send(message)
        while not self.browser.take(self.connection.recv(timeout=60, decode=False)):
            pass


def write_curves(path: Path) -> None:
    """The true curve, and the private one at every epsilon of the slider, thinned as in the app."""
    scores = ScoreHistogram.from_arrays(*scored_rows())
    fpr, tpr, _ = scores.roc()
    noise = SeededNoise(7)
    private = {}
    for epsilon in map(shown, EPSILON_GRID):
        curve = private_roc_curve(scores, epsilon=epsilon, noise=noise.child("evaluate"))
        private[epsilon] = [line.tolist() for line in thin(curve.fpr, curve.tpr)]
    true = [line.tolist() for line in thin(fpr, tpr)]
    path.write_text(json.dumps({"true": true, "private": private}), encoding="utf-8")


@contextmanager
def visit(page: str, curves: Path, *, collect: bool) -> Iterator[Visitor]:
    """Serve a page and open it."""
    options = ["--runner.postScriptGC", str(collect).lower()]
    with (
        served(PAGES / page, *options, BENCHMARK_CURVES=str(curves)) as (server, address),
        _connected(address) as connection,
    ):
        yield Visitor(connection, server.pid)


def _connected(address: str) -> ClientConnection:
    for _ in range(300):
        try:
            return connect(address, max_size=None, subprotocols=["streamlit"], compression=None)
        except OSError:
            time.sleep(0.1)
    raise TimeoutError("the server did not start within 30 seconds")


def run(moves: int = 120, *, collect: bool = True) -> dict[str, float]:
    """Move both sliders in turn; medians in milliseconds, and their ratios."""
    grid = [shown(epsilon) for epsilon in EPSILON_GRID]
    # To and fro, as a hand drags it.
    path = [*grid, *grid[::-1]]
    taken = []
    with TemporaryDirectory() as folder:
        curves = Path(folder) / "curves.json"
        write_curves(curves)
        with (
            visit("ours.py", curves, collect=collect) as ours,
            visit("bare.py", curves, collect=collect) as bare,
        ):
            for step in range(WARM_UP + moves):
                epsilon = path[step % len(path)]
                taken.append((ours.move(epsilon), bare.move(epsilon)))
    milliseconds = np.median(np.array(taken[WARM_UP:]), axis=0)
    (our_work, our_wait), (bare_work, bare_wait) = milliseconds.tolist()
    return {
        "moves": moves,
        "our_work": our_work, "bare_work": bare_work, "work_ratio": our_work / bare_work,
        "our_wait": our_wait, "bare_wait": bare_wait, "wait_ratio": our_wait / bare_wait,
    }  # fmt: skip


def report(found: dict[str, float], title: str) -> None:
    """Print one comparison as a table."""
    print(f"\n{title}\n\n| per move of epsilon, 100,000 rows | ROC page | bare page | ratio |")
    print("|---|---|---|---|")
    for kind, words in (("work", "processor time of the server"), ("wait", "move to finished")):
        ours, bare, ratio = (found[key] for key in (f"our_{kind}", f"bare_{kind}", f"{kind}_ratio"))
        print(f"| {words} | {ours:.1f} ms | {bare:.1f} ms | {ratio:.2f} |")


def main() -> int:
    """Print the comparison; the exit code says whether the claim holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=120)
    moves = parser.parse_args().moves
    found = run(moves)
    report(found, "Streamlit as it comes")
    report(run(moves, collect=False), "Without Streamlit's collection after every run")
    print(f"\nMedians of {moves} moves; claimed: at most {CLAIMED_RATIO} as Streamlit comes.")
    return int(max(found["work_ratio"], found["wait_ratio"]) > CLAIMED_RATIO)


if __name__ == "__main__":
    sys.exit(main())
