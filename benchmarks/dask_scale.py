"""Counting scores on a Dask cluster: two workers against one, and one that is killed.

Run ``python -m benchmarks.dask_scale [--rows 1000000000] [--quick]``.

More than 10^8 rows are the same files several times over, which are read anew each time. Each
worker is a process with one thread. Both clusters are up at the same time and count in turn, so
neither start-up nor the load of the machine favours one. The curve that comes of the counts, with
one seed, is compared with the one of a plain count to the last bit. Then a worker is killed in the
middle of a count, which has to end with the same counts.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from distributed import Client, LocalCluster

from benchmarks._prediction_sets import prediction_set
from benchmarks._ratios import Ratio, paired, save
from dpcore import SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.data.counting.back_end import FileChunk, count_here, count_on_cluster
from dpcore.data.counting.files import file_parts
from dpcore.data.counting.score_counter import ScoreCounter
from dpcore.evaluation import private_roc_curve

SPEEDUP = 1.6
COUNTER = ScoreCounter(label="y", score="p")


@contextmanager
def cluster(workers: int) -> Iterator[Client]:
    """Workers on this machine, each a process with one thread."""
    options = {"threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(n_workers=workers, **options) as local, Client(local) as client:
        yield client


def release(counts: np.ndarray) -> str:
    """The private curve of counts, with one seed."""
    scores = ScoreHistogram.from_vector(counts)
    return private_roc_curve(scores, epsilon=1, noise=SeededNoise(1)).to_json()


def speedup(rows: int, repeats: int) -> list[Ratio]:
    """Two workers against one; both releases are that of a plain count.

    A tenth of the rows as well, where what each task costs weighs ten times as much.
    """
    with cluster(1) as one, cluster(2) as two:
        return [
            _speedup(size, one, two, rounds, SPEEDUP if size == rows else None)
            for size, rounds in ((rows, repeats), (rows // 10, 2 * repeats))
        ]


def _speedup(rows: int, one: Client, two: Client, repeats: int, least: float | None) -> Ratio:
    parts = parts_of(rows)
    plain = release(count_here(parts, COUNTER))
    for client in (one, two):
        if release(count_on_cluster(parts, COUNTER, client)) != plain:
            raise RuntimeError("the release differs")
    found = paired(
        f"Dask, 2 workers of 1 thread, {rows:.0e} rows: speed",
        "Dask, 1 worker",
        lambda: count_on_cluster(parts, COUNTER, two),
        lambda: count_on_cluster(parts, COUNTER, one),
        repeats=repeats,
    )
    return times_as_fast(found, least)


def parts_of(rows: int) -> list[FileChunk]:
    """Parts of the files, each as often as it takes to reach the number of rows."""
    return file_parts(prediction_set(min(rows, 10**8)), COUNTER.columns) * max(rows // 10**8, 1)


def times_as_fast(found: Ratio, least: float | None) -> Ratio:
    """The same the other way round, for what should be large; without times of this process."""
    speed = 1 / found.ratio
    return replace(found, ratio=speed, limit=least, at_least=True, processor_ratio=None)


def killed(parts: list[FileChunk]) -> None:
    """Kill a worker when a third is done, and compare."""
    exact = count_here(parts, COUNTER)
    with cluster(2) as client:
        victims = list(client.run(os.getpid).values())[:1]

        def kill(share: float) -> None:
            if share > 1 / 3 and victims:
                os.kill(victims.pop(), signal.SIGKILL)

        counts = count_on_cluster(parts, COUNTER, client, progress=kill)
    if victims or not np.array_equal(counts, exact):
        raise RuntimeError("the counts differ after a worker was killed")


def main() -> None:
    """Print and keep the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10**9)
    parser.add_argument("--quick", action="store_true", help="10^8 rows; nothing is kept")
    options = parser.parse_args()
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    rows = min(options.rows, 10**8) if options.quick else options.rows
    ratios = speedup(rows, 3)
    killed(parts_of(rows // 10))
    remarks = [
        "The release with one seed is the same to the bit with threads, 1 worker and 2 workers.",
        "A worker killed when a third was done: the count ended with the same counts.",
    ]
    save("dask_scale", ratios, remarks=remarks, quick=options.quick)


if __name__ == "__main__":
    main()
