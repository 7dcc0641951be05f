"""One protocol for counting, and its back end on this machine: threads over parts of the rows.

A *part* is a share of the rows that can be read by itself, a *counter* turns rows into a vector of
whole numbers, and vectors add up. Sums of whole numbers do not depend on order or grouping, so all
back ends give the same counts to the bit.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from threading import Lock
from typing import Any, Protocol, TypeAlias

import pandas as pd

from dpcore import _check
from dpcore._typing import IntArray, NDArray
from dpcore.errors import MissingResource
from dpcore.schema.cells import as_array

Columns: TypeAlias = Mapping[str, NDArray[Any]]

Progress: TypeAlias = Callable[[float], None]


def as_series(cells: NDArray[Any]) -> pd.Series:
    """A column of a batch as pandas holds it.

    Left to itself, pandas looks for texts among objects, and stumbles over odd ones.
    """
    return pd.Series(cells, dtype=object if cells.dtype == object else None)


class FileChunk(Protocol):
    """A share of the rows that can be read by itself, on any machine that sees the file."""

    @property
    def weight(self) -> int:
        """How much there is to read, in a unit that all parts share."""

    def batches(self, columns: Sequence[str]) -> Iterator[Columns]:
        """Read the named columns, some rows at a time."""


class Counter(Protocol):
    """Turns rows into a vector of whole numbers; vectors of disjoint rows add up."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that it reads."""

    def __call__(self, batches: Iterable[Columns]) -> IntArray:
        """Count all rows of all batches."""


def count_here(
    parts: Sequence[FileChunk],
    counter: Counter,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    meanwhile: Callable[[], object] | None = None,
) -> IntArray:
    """Count with threads of this process, each holding one batch at a time.

    Parameters
    ----------
    workers
        Threads; as many as there are processors if left out.
    progress
        Called in this thread with the share that is done. What it raises ends the count, which is
        how a caller cancels.
    meanwhile
        Called once in this thread while others count; what it raises ends the count too.

    Returns
    -------
    int array
        The counter's vector for all rows.

    Examples
    --------
    >>> import numpy as np
    >>> from dpcore.data.counting.score_counter import ScoreCounter
    >>> class Rows:
    ...     weight = 2
    ...
    ...     def batches(self, columns):
    ...         yield {"y": np.array([0, 1]), "p": np.array([0.2, 0.7])}
    >>> int(count_here([Rows(), Rows()], ScoreCounter(label="y", score="p")).sum())
    4
    """
    threads = (os.cpu_count() or 1) if workers is None else workers
    _check.integer_in_range(1, None, workers=threads)
    queue = _Queue(parts)
    with ThreadPoolExecutor(min(threads, max(len(parts), 1))) as pool:
        shares = range(min(threads, max(len(parts), 1)))
        futures = [pool.submit(counter, queue.batches(counter.columns)) for _ in shares]
        try:
            if meanwhile is not None:
                with _short_turns():
                    meanwhile()
            _watch(futures, queue, progress)
        finally:
            queue.close()
    return _sum([future.result() for future in futures])


@contextmanager
def _short_turns() -> Iterator[None]:
    """Within it this thread keeps the interpreter's lock a tenth as long from those that count."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(usual / 10.0)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def _watch(futures: Sequence[Future[IntArray]], queue: _Queue, progress: Progress | None) -> None:
    unfinished: set[Future[IntArray]] = set(futures)
    while unfinished:
        seconds = None if progress is None else 0.1
        done, unfinished = wait(unfinished, timeout=seconds, return_when=FIRST_EXCEPTION)
        if progress is not None:
            progress(queue.share_done)
        for future in done:
            future.result()


class _Queue:
    """Hands parts to threads until there are none, or nobody wants more."""

    def __init__(self, parts: Sequence[FileChunk]) -> None:
        self._parts = iter(parts)
        self._lock = Lock()
        self._total = sum(part.weight for part in parts)
        self._done = 0
        self._open = True

    @property
    def share_done(self) -> float:
        return self._done / self._total if self._total else 1.0

    def close(self) -> None:
        self._open = False

    def batches(self, columns: Sequence[str]) -> Iterator[Columns]:
        while (part := self._next()) is not None:
            for batch in part.batches(columns):
                if not self._open:
                    return
                yield batch
            with self._lock:
                self._done += part.weight

    def _next(self) -> FileChunk | None:
        with self._lock:
            return next(self._parts, None) if self._open else None


# Vectors that are added up in one task.
_FAN_IN = 8

# Of what is a worker's to count, a task counts at most so much, for a lost one costs no more, and
# at least so much, for each costs a worker and the client some milliseconds.
_LARGEST_SHARE, _SMALLEST_SHARE = 1 / 4, 1 / 20

_SECONDS_TO_CONNECT = 10


def count_on_cluster(
    parts: Sequence[FileChunk], counter: Counter, client: Any, *, progress: Progress | None = None
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


def count_collection(frame: Any, counter: Counter, *, scheduler: str | None = None) -> IntArray:
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

    frames = as_given(frame[list(counter.columns)]).to_delayed()
    count = delayed(_count_frame)
    counts = [count(frame, counter) for frame in frames] or [delayed(counter)([])]
    last = in_a_tree(counts, delayed(_sum))
    with nullcontext() if scheduler is None else connected(scheduler):
        total: IntArray = last.compute()
    return total


def in_a_tree(results: list[Any], add: Callable[[list[Any]], Any]) -> Any:
    """The last of the tasks that add results up, some at a time and in their order.

    No machine ever holds those of all partitions.
    """
    while len(results) > 1:
        results = [add(results[at : at + _FAN_IN]) for at in range(0, len(results), _FAN_IN)]
    return results[0]


def as_given(collection: Any) -> Any:
    """A Dask collection without the texts that Dask makes of its cells unless it is told not to.

    A cell of which none can be made would end the count in an error that quotes it. Where anything
    but a choice of columns came after that, it stays: what came after may rest on it.
    """
    return type(collection)(_as_given(collection.expr))


def _as_given(expression: Any) -> Any:
    kind = type(expression).__name__
    if kind == "Projection":
        return type(expression)(_as_given(expression.frame), *expression.operands[1:])
    if kind == "FromPandas":
        return expression.substitute_parameters({"pyarrow_strings_enabled": False})
    return expression.frame if kind == "ArrowStringConversion" else expression


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
        what = "a cluster is asked with Dask, which is not installed"
        raise MissingResource(what, "pip install 'dpcore[cluster]'") from None
    connect: Any = Client
    try:
        client = connect(scheduler, timeout=_SECONDS_TO_CONNECT, set_as_default=True)
    except (OSError, ValueError) as error:
        remedy = "start one with `dask scheduler`, and workers with `dask worker`, or leave it out"
        raise MissingResource(f"no Dask scheduler answers at {scheduler}", remedy) from error
    with client:
        yield client


def _shares(parts: Sequence[FileChunk], workers: int) -> list[list[FileChunk]]:
    """Runs of neighbouring parts: long ones first, for few tasks, and short ones to even it out."""
    most = math.ceil(len(parts) * _LARGEST_SHARE / workers)
    least = math.ceil(len(parts) * _SMALLEST_SHARE / workers)
    shares, start = [], 0
    while start < len(parts):
        size = max(least, min(most, (len(parts) - start) // (2 * workers)))
        shares.append(list(parts[start : start + size]))
        start += size
    return shares


def _count_parts(parts: Sequence[FileChunk], *, counter: Counter) -> IntArray:
    return counter(batch for part in parts for batch in part.batches(counter.columns))


def _count_frame(frame: pd.DataFrame, counter: Counter) -> IntArray:
    columns: Columns = {name: as_array(frame[name]) for name in counter.columns}
    return counter([columns])


def _sum(vectors: Sequence[IntArray]) -> IntArray:
    return sum(vectors[1:], vectors[0])
