"""Counting scores on a Dask cluster: two workers against one, and one that is killed.

Run ``python -m benchmarks.dask_scale [--rows 100000000] [--quick]``.

Each worker is a process with one thread. Both clusters are up at the same time and count in turn,
so neither start-up nor the load of the machine favours one. The curve that comes of the counts,
with one seed, is compared with the one of a plain count to the last bit. Then a worker is killed in
the middle of a count, which has to end with the same counts.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from distributed import Client, LocalCluster

from benchmarks._prediction_sets import prediction_set
from benchmarks._ratios import Ratio, paired, save
from dpcore import SeededNoise
from dpcore.aggregates import ScoreHistogram
from dpcore.aggregates.back_end import count_here
from dpcore.aggregates.dask_back_end import count_on_cluster
from dpcore.aggregates.files import file_parts
from dpcore.aggregates.score_counter import ScoreCounter
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


def speedup(parts: list[Any], repeats: int) -> list[Ratio]:
    """Two workers against one, and against one thread; all releases are that of a plain count."""
    with cluster(1) as one, cluster(2) as two:
        plain = release(count_here(parts, COUNTER))
        for client in (one, two):
            if release(count_on_cluster(parts, COUNTER, client)) != plain:
                raise RuntimeError("the release differs")
        peers: dict[str, Callable[[], object]] = {
            "Dask, 1 worker": lambda: count_on_cluster(parts, COUNTER, one),
            "1 thread, no cluster": lambda: count_here(parts, COUNTER, workers=1),
        }
        return [
            times_as_fast(
                paired(
                    "Dask, 2 workers of 1 thread: speed",
                    peer,
                    lambda: count_on_cluster(parts, COUNTER, two),
                    count,
                    repeats=repeats,
                ),
                SPEEDUP if peer == "Dask, 1 worker" else None,
            )
            for peer, count in peers.items()
        ]


def times_as_fast(found: Ratio, least: float | None) -> Ratio:
    """The same the other way round, for what should be large; without times of this process."""
    speed = 1 / found.ratio
    return replace(found, ratio=speed, limit=least, at_least=True, processor_ratio=None)


def killed(parts: list[Any]) -> None:
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
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--quick", action="store_true", help="10^7 rows; nothing is kept")
    options = parser.parse_args()
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    parts = file_parts(
        prediction_set(10_000_000 if options.quick else options.rows), COUNTER.columns
    )
    ratios = speedup(parts, 3 if options.quick else 7)
    killed(parts)
    remarks = [
        "The release with one seed is the same to the bit with threads, 1 worker and 2 workers.",
        "A worker killed when a third was done: the count ended with the same counts.",
    ]
    save("dask_scale", ratios, remarks=remarks, quick=options.quick)


if __name__ == "__main__":
    main()
