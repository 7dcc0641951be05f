"""`evaluate` on Parquet files of up to 10^8 rows against reading them with pyarrow alone.

Run ``python -m benchmarks.scale [--rows 100000000] [--quick]``.

Both sides read the two columns, a label (int8) and a score (float32), of files as pyarrow writes
them. Ours then counts them, draws a private ROC curve with the system's noise and writes a report:
everything that ``python -m dpcore evaluate`` does once it has started. The peers are pyarrow's
fastest ways: the whole table into memory, and batch by batch. Whole commands, with their start-up,
and memory are measured in processes of their own.

The decisions, ``--curves roc,auc,threshold,groups``, read a third column, a site of 0 to 4 (int8),
and so do their peers. With ``--decisions`` they are all that is measured, and nothing is kept.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from benchmarks._prediction_sets import prediction_set
from benchmarks._ratios import Ratio, both_clocks, paired, save
from dpcore.cli import main as dpcore
from dpcore.data.counting.back_end import FileChunk, count_here
from dpcore.data.counting.files import file_parts
from dpcore.data.counting.score_counter import ScoreCounter

READING, GROWTH, MEMORY = 1.5, 1.05, 1.0
COUNTER = ScoreCounter(label="y", score="p")
RUN = "import sys; from dpcore.cli import main; assert main(sys.argv[1:]) == 0"
READ = "import pyarrow.parquet as pq, sys; pq.read_table(sys.argv[1:], columns=['y', 'p'])"


TWO, THREE = ("y", "p"), ("y", "p", "site")
DECISIONS = ("--curves", "roc,auc,threshold,groups", "--group", "site", "--levels", "0,1,2,3")


def arguments(paths: Sequence[Path], out: str, *more: str) -> list[str]:
    """What users type after ``python -m dpcore``."""
    named = ["--label", "y", "--score", "p", "--epsilon", "1", "--out", out, "--quiet", *more]
    return ["evaluate", *map(str, paths), *named]


def evaluate(paths: Sequence[Path], *more: str) -> None:
    """The whole evaluation, in this process."""
    with tempfile.TemporaryDirectory() as out:
        if dpcore(arguments(paths, out, *more)) != 0:
            raise RuntimeError("evaluate failed")


def read_table(paths: Sequence[Path], columns: Sequence[str]) -> None:
    """The columns into memory, with all processors."""
    pq.read_table([str(path) for path in paths], columns=list(columns))


def read_batches(paths: Sequence[Path], columns: Sequence[str]) -> None:
    """The columns, batch by batch, with all processors."""
    files = ds.dataset([str(path) for path in paths])
    for _ in files.scanner(columns=list(columns)).to_batches():
        pass


def beside_reading(paths: Sequence[Path], rows: int, repeats: int, *more: str) -> list[Ratio]:
    """An evaluation against both ways to read the columns that it reads."""
    columns = THREE if more else TWO
    what = "evaluate, with AUC, threshold and groups" if more else "evaluate"
    peers = {
        "pyarrow.parquet.read_table": read_table,
        "pyarrow dataset scanner, batch by batch": read_batches,
    }
    return [
        paired(
            f"{what}, {rows:.0e} rows",
            peer,
            lambda: evaluate(paths, *more),
            lambda read=read: read(paths, columns),
            repeats=repeats,
            limit=READING,
        )
        for peer, read in peers.items()
    ]


def process(code: str, given: Sequence[str]) -> tuple[float, float]:
    """Wall-clock seconds and peak memory in GiB of a Python process of its own."""
    # The kernel's record for a child starts with the memory of its parent, so it is asked inside.
    peak = "; print(next(x for x in open('/proc/self/status') if x.startswith('VmHWM')).split()[1])"
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code + peak, *given], check=True, capture_output=True, text=True
    )
    return time.perf_counter() - start, int(done.stdout.split()[-1]) / 2**20


def whole_commands(paths: Sequence[Path], repeats: int) -> list[Ratio]:
    """Seconds and memory of both commands, started from nothing."""
    with tempfile.TemporaryDirectory() as out:
        ours, theirs = arguments(paths, out), [str(path) for path in paths]
        found = np.array([(process(RUN, ours), process(READ, theirs)) for _ in range(repeats)])
    (our_time, our_peak), (their_time, their_peak) = np.median(found, axis=0)
    ratio = float(np.median(found[:, 0, 0] / found[:, 1, 0]))
    name = "pyarrow.parquet.read_table"
    return [
        Ratio("python -m dpcore evaluate, with start-up", name, our_time, their_time, ratio),
        Ratio(
            "peak memory of evaluate", name, our_peak, their_peak, our_peak / their_peak, unit="GiB"
        ),
        Ratio(
            "peak memory of evaluate", "1 GiB", our_peak, MEMORY, our_peak / MEMORY, 1.0, unit="GiB"
        ),
    ]


def growth(largest: int, repeats: int) -> list[Ratio]:
    """Exponents of reading and counting by one thread, which has no start-up in it.

    Processor time, so that a busy machine does not make few rows look slow; the least of all rounds
    is the one with the least in its way.
    """
    sizes = [largest // 1000, largest // 100, largest // 10, largest]
    parts = [file_parts(prediction_set(size), COUNTER.columns) for size in sizes]

    def used(which: Sequence[FileChunk]) -> float:
        return both_clocks(lambda: count_here(which, COUNTER, workers=1))[1]

    # Short ones more often, for they scatter more.
    times = {
        size: min(used(which) for _ in range(repeats * round((largest / size) ** 0.5)))
        for size, which in zip(sizes, parts, strict=True)
    }
    return [
        Ratio(
            f"growth exponent of counting, {start:.0e} to {largest:.0e} rows, processor time",
            "linear growth is 1",
            times[largest],
            times[start],
            float(np.log(times[largest] / times[start]) / np.log(largest / start)),
            GROWTH,
        )
        for start in sizes[:2]
    ]


def main() -> None:
    """Print and keep the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--quick", action="store_true", help="10^7 rows; nothing is kept")
    parser.add_argument("--decisions", action="store_true", help="these alone; nothing is kept")
    options = parser.parse_args()
    # With eleven, a median of pairs still moves by a thirtieth from one run to the next.
    rows, repeats = (10_000_000, 3) if options.quick else (options.rows, 41)
    paths = prediction_set(rows)
    decisions = beside_reading(paths, rows, repeats, *DECISIONS)
    if options.decisions:
        save("scale", decisions, quick=True)
        return
    ratios = beside_reading(paths, rows, repeats) + decisions
    ratios += growth(rows, 3)
    ratios += whole_commands(paths, 3)
    save("scale", ratios, quick=options.quick)


if __name__ == "__main__":
    main()
