"""Threads: same counts, progress, cancelling, errors."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from dpcore.data.counting.back_end import Columns, count_here
from dpcore.data.counting.score_counter import ScoreCounter
from dpcore.errors import InvalidArgument

COUNTER = ScoreCounter(label="y", score="p")


class Rows:
    """A part whose rows are made when they are read."""

    weight = 100

    def __init__(self, seed: int, fails: bool = False) -> None:
        self.seed, self.fails = seed, fails

    def batches(self, columns: tuple[str, ...]) -> Iterator[Columns]:
        rng = np.random.default_rng(self.seed)
        for _ in range(4):
            if self.fails:
                raise OSError("gone")
            yield {"y": rng.integers(0, 2, 25), "p": rng.random(25)}


@pytest.mark.parametrize("workers", [1, 2, 5, None])
def test_the_number_of_threads_changes_no_count(workers: int | None) -> None:
    parts = [Rows(seed) for seed in range(9)]
    one = COUNTER(batch for part in parts for batch in part.batches(COUNTER.columns))
    np.testing.assert_array_equal(count_here(parts, COUNTER, workers=workers), one)


def test_no_parts_is_no_rows() -> None:
    assert count_here([], COUNTER).sum() == 0


def test_progress_ends_at_one_and_never_falls() -> None:
    shares: list[float] = []
    count_here([Rows(seed) for seed in range(6)], COUNTER, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_what_progress_raises_ends_the_count() -> None:
    before = threading.active_count()
    read = []

    class Endless(Rows):
        def batches(self, columns: tuple[str, ...]) -> Iterator[Columns]:
            while True:
                read.append(1)
                yield from super().batches(columns)

    def cancel(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        count_here([Endless(1), Endless(2)], COUNTER, progress=cancel)
    assert read
    assert threading.active_count() == before


def test_an_error_in_a_thread_is_raised_here() -> None:
    with pytest.raises(OSError, match="gone"):
        count_here([Rows(1), Rows(2, fails=True), Rows(3)], COUNTER, workers=2)


def test_threads_are_at_least_one() -> None:
    with pytest.raises(InvalidArgument, match="workers"):
        count_here([], COUNTER, workers=0)
