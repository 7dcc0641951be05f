"""`evaluate` on Parquet files of up to 10^8 rows against reading them with pyarrow alone.

Run ``python -m benchmarks.scale [--rows 100000000] [--quick]``.

Both sides read the two columns, a label (int8) and a score (float32), of files as pyarrow writes
them. Ours then counts them, draws a private ROC curve with the system's noise and writes a report:
everything that ``python -m dpcore evaluate`` does once it has started. The peers are pyarrow's
fastest ways: the whole table into memory, and batch by batch. Whole commands, with their start-up,
and memory are measured in processes of their own.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from benchmarks._prediction_sets import prediction_set
from benchmarks._ratios import Ratio, paired, save, seconds
from dpcore.cli import main as dpcore

READING, GROWTH, MEMORY = 1.5, 1.05, 1.0
READ = "import pyarrow.parquet as pq, sys; pq.read_table(sys.argv[1:], columns=['y', 'p'])"


def arguments(paths: Sequence[Path], out: str) -> list[str]:
    """What users type after ``python -m dpcore``."""
    named = ["--label", "y", "--score", "p", "--epsilon", "1", "--out", out, "--quiet"]
    return ["evaluate", *map(str, paths), *named]


def evaluate(paths: Sequence[Path]) -> None:
    """The whole evaluation, in this process."""
    with tempfile.TemporaryDirectory() as out:
        if dpcore(arguments(paths, out)) != 0:
            raise RuntimeError("evaluate failed")


def read_table(paths: Sequence[Path]) -> None:
    """Both columns into memory, with all processors."""
    pq.read_table([str(path) for path in paths], columns=["y", "p"])


def read_batches(paths: Sequence[Path]) -> None:
    """Both columns, batch by batch, with all processors."""
    for _ in ds.dataset([str(path) for path in paths]).scanner(columns=["y", "p"]).to_batches():
        pass


def process(command: Sequence[str]) -> tuple[float, float]:
    """Wall-clock seconds and peak memory in GiB of a process of its own."""
    start = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise RuntimeError(f"{command[:4]} failed")
    return time.perf_counter() - start, usage.ru_maxrss / 2**20


def whole_commands(paths: Sequence[Path], repeats: int) -> list[Ratio]:
    """Seconds and memory of both commands, started from nothing."""
    with tempfile.TemporaryDirectory() as out:
        ours = [sys.executable, "-m", "dpcore", *arguments(paths, out)]
        theirs = [sys.executable, "-c", READ, *map(str, paths)]
        found = np.array([(process(ours), process(theirs)) for _ in range(repeats)])
    (our_time, our_peak), (their_time, their_peak) = np.median(found, axis=0)
    ratio = float(np.median(found[:, 0, 0] / found[:, 1, 0]))
    name = "pyarrow.parquet.read_table"
    memory = Ratio("peak memory of evaluate", name, our_peak, their_peak, our_peak, MEMORY)
    return [
        Ratio("python -m dpcore evaluate, with start-up", name, our_time, their_time, ratio),
        Ratio(**{**vars(memory), "unit": "GiB", "peer": f"{name}; limit in GiB"}),
    ]


def growth(sizes: Sequence[int], repeats: int) -> Ratio:
    """The exponent between the smallest and the largest number of rows, by rounds."""
    sets = [prediction_set(size) for size in sizes]
    times = np.array(
        [[seconds(lambda paths=paths: evaluate(paths)) for paths in sets] for _ in range(repeats)]
    )
    smallest, largest = np.median(times, axis=0)[[0, -1]]
    exponent = float(np.log(largest / smallest) / np.log(sizes[-1] / sizes[0]))
    what = f"growth exponent of evaluate from {sizes[0]:.0e} to {sizes[-1]:.0e} rows"
    return Ratio(what, "linear growth is 1", largest, smallest, exponent, GROWTH)


def main() -> None:
    """Print and keep the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--quick", action="store_true", help="10^7 rows; nothing is kept")
    options = parser.parse_args()
    rows, repeats = (10_000_000, 3) if options.quick else (options.rows, 5)
    paths = prediction_set(rows)
    ratios = [
        paired(
            f"evaluate, {rows:.0e} rows",
            peer,
            lambda: evaluate(paths),
            lambda read=read: read(paths),
            repeats=repeats,
            limit=READING,
        )
        for peer, read in {
            "pyarrow.parquet.read_table": read_table,
            "pyarrow dataset scanner, batch by batch": read_batches,
        }.items()
    ]
    ratios.append(growth((rows // 100, rows // 10, rows), repeats))
    ratios += whole_commands(paths, min(repeats, 3))
    save("scale", ratios, quick=options.quick)


if __name__ == "__main__":
    main()
