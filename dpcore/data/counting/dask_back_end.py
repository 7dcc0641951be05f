"""Counting with Dask: the same parts and counters, on the workers of a cluster."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import pandas as pd

from dpcore._typing import IntArray
from dpcore.data.counting.back_end import Columns, Counter, Part, Progress
from dpcore.errors import MissingResource
from dpcore.schema.cells import as_array

# Vectors that are added up in one task.
_FAN_IN = 8
# Of what is a worker's to count, a task counts at most so much, for a lost one costs no more, and
# at least so much, for each costs a worker and the client some milliseconds.
_LARGEST_SHARE, _SMALLEST_SHARE = 1 / 4, 1 / 20
_SECONDS_TO_CONNECT = 10


def count_on_cluster(
    parts: Sequence[Part], counter: Counter, client: Any, *, progress: Progress | None = None
) -> IntArray:
    """Count on the workers of a cluster, which must see the files at the same paths.

    Parameters
    ----------
    progress
        Called with the share that is done; what it raises cancels what is left.

    Returns
    -------
    int array
        The counter's vector, equal to the bit to what `count_here` gives. What a lost worker had
        counted is counted again.
    """
    from distributed import as_completed

    completed: Any = as_completed
    shares = _shares(parts, max(len(client.scheduler_info(n_workers=-1)["workers"]), 1))
    weights = [sum(part.weight for part in share) for share in shares]
    futures = client.map(_count_parts, shares, counter=counter, pure=False)
    weight = {future.key: size for future, size in zip(futures, weights, strict=True)}
    total, done = counter([]), 0
    try:
        # Without its loop, futures would be waited for by whichever client is the default.
        for future, counts in completed(futures, loop=client.loop, with_results=True):
            total = total + counts
            done += weight[future.key]
            if progress is not None:
                progress(done / max(sum(weights), 1))
            future.release()
    finally:
        client.cancel(futures)
    return total


def count_collection(
    collection: Any, counter: Counter, *, scheduler: str | None = None
) -> IntArray:
    """Count the partitions of a Dask data frame where they are, and add up in a tree.

    Parameters
    ----------
    scheduler
        Address of a scheduler; the present client, or else threads, if left out.

    Raises
    ------
    MissingResource
        If nothing answers at the address.
    """
    from dask.delayed import delayed

    frames = collection[list(counter.columns)].to_delayed()
    count, add = delayed(_count_frame), delayed(_sum)
    counts = [count(frame, counter) for frame in frames] or [delayed(counter)([])]
    while len(counts) > 1:
        counts = [add(counts[at : at + _FAN_IN]) for at in range(0, len(counts), _FAN_IN)]
    with nullcontext() if scheduler is None else connected(scheduler):
        total: IntArray = counts[0].compute()
    return total


@contextmanager
def connected(scheduler: str) -> Iterator[Any]:
    """A client of the scheduler at an address.

    Raises
    ------
    MissingResource
        If nothing answers there, or Dask is not installed.
    """
    try:
        from distributed import Client
    except ImportError:
        raise MissingResource(
            "a cluster is asked with Dask, which is not installed", "pip install 'dpcore[cluster]'"
        ) from None
    connect: Any = Client
    try:
        client = connect(scheduler, timeout=_SECONDS_TO_CONNECT, set_as_default=True)
    except (OSError, ValueError) as error:
        raise MissingResource(
            f"no Dask scheduler answers at {scheduler}",
            "start one with `dask scheduler`, and workers with `dask worker`, or leave it out",
        ) from error
    with client:
        yield client


def _shares(parts: Sequence[Part], workers: int) -> list[list[Part]]:
    """Runs of neighbouring parts: long ones first, for few tasks, and short ones to even it out."""
    most = math.ceil(len(parts) * _LARGEST_SHARE / workers)
    least = math.ceil(len(parts) * _SMALLEST_SHARE / workers)
    shares, start = [], 0
    while start < len(parts):
        size = max(least, min(most, (len(parts) - start) // (2 * workers)))
        shares.append(list(parts[start : start + size]))
        start += size
    return shares


def _count_parts(parts: Sequence[Part], *, counter: Counter) -> IntArray:
    return counter(batch for part in parts for batch in part.batches(counter.columns))


def _count_frame(frame: pd.DataFrame, counter: Counter) -> IntArray:
    columns: Columns = {name: as_array(frame[name]) for name in counter.columns}
    return counter([columns])


def _sum(vectors: Sequence[IntArray]) -> IntArray:
    total: IntArray = sum(vectors[1:], vectors[0])
    return total
