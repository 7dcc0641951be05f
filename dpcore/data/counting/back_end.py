"""One protocol for counting, and its back end on this machine: threads over parts of the rows.

A *part* is a share of the rows that can be read by itself, a *counter* turns rows into a vector of
whole numbers, and vectors add up. Sums of whole numbers do not depend on order or grouping, so all
back ends give the same counts to the bit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from threading import Lock
from typing import Any, Protocol, TypeAlias

from numpy.typing import NDArray

from dpcore import _check
from dpcore._typing import IntArray

Columns: TypeAlias = Mapping[str, NDArray[Any]]
Progress: TypeAlias = Callable[[float], None]

_SECONDS_BETWEEN_REPORTS = 0.1


class Part(Protocol):
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
    parts: Sequence[Part],
    counter: Counter,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> IntArray:
    """Count with threads of this process, each holding one batch at a time.

    Parameters
    ----------
    workers
        Threads; as many as there are processors if left out.
    progress
        Called in this thread with the share that is done. What it raises ends the count, which is
        how a caller cancels.

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
        futures = [
            pool.submit(counter, queue.batches(counter.columns))
            for _ in range(min(threads, max(len(parts), 1)))
        ]
        try:
            _watch(futures, queue, progress)
        finally:
            queue.close()
    total: IntArray = sum((future.result() for future in futures[1:]), futures[0].result())
    return total


def _watch(futures: Sequence[Future[IntArray]], queue: _Queue, progress: Progress | None) -> None:
    unfinished: set[Future[IntArray]] = set(futures)
    while unfinished:
        seconds = None if progress is None else _SECONDS_BETWEEN_REPORTS
        done, unfinished = wait(unfinished, timeout=seconds, return_when=FIRST_EXCEPTION)
        if progress is not None:
            progress(queue.share_done)
        for future in done:
            future.result()


class _Queue:
    """Hands parts to threads until there are none, or nobody wants more."""

    def __init__(self, parts: Sequence[Part]) -> None:
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

    def _next(self) -> Part | None:
        with self._lock:
            return next(self._parts, None) if self._open else None
