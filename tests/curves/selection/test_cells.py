"""Cells: each is computed once, and a run that is broken off goes on where it was."""

from __future__ import annotations

from threading import Barrier, Event
from typing import Any

import pytest

from dpcore.curves import Growing, fill


def test_only_what_is_missing_is_computed_and_told_about() -> None:
    shares: list[float] = []
    computed = []

    def task(name: str) -> int:
        computed.append(name)
        return len(name)

    kept = {"b": 9}
    tasks = {name: (lambda name=name: task(name)) for name in ("a", "b", "cc", "d")}
    found = fill(tasks, kept=kept, progress=shares.append)
    assert found == {"a": 1, "b": 9, "cc": 2, "d": 1}
    assert computed == ["a", "cc", "d"]
    assert shares == [0.0, 0.5, 0.75]
    assert fill(tasks, kept=kept) == found
    assert len(computed) == 3


def test_a_run_that_is_broken_off_goes_on_where_it_was() -> None:
    class Cancelled(Exception):
        pass

    def cancel(share: float) -> None:
        if share >= 0.5:
            raise Cancelled

    kept: dict[int, int] = {}
    tasks = {number: (lambda number=number: number) for number in range(4)}
    with pytest.raises(Cancelled):
        fill(tasks, kept=kept, progress=cancel)
    assert kept == {0: 0, 1: 1}
    assert fill(tasks, kept=kept) == {0: 0, 1: 1, 2: 2, 3: 3}


def test_what_was_begun_in_another_thread_is_kept_too() -> None:
    both = Barrier(2, timeout=10)

    def cancel(share: float) -> None:
        if share >= 0.5:
            raise InterruptedError

    kept: dict[int, int] = {}
    # Each waits for the other: one after the other, they would wait for ever.
    tasks = {number: (lambda number=number: both.wait() * 0 + number) for number in range(4)}
    with pytest.raises(InterruptedError):
        fill(tasks, kept=kept, progress=cancel, at_once=2)
    assert kept == {0: 0, 1: 1}
    assert list(fill(tasks, kept=kept, at_once=2)) == [0, 1, 2, 3]


def test_the_next_cell_does_not_wait_for_a_slow_one() -> None:
    third = Event()
    tasks = {"slow": lambda: third.wait(10), "quick": lambda: True, "third": third.set}
    assert fill(tasks, at_once=2) == {"slow": True, "quick": True, "third": None}


def test_an_error_in_another_thread_is_told() -> None:
    kept: dict[int, float] = {}
    tasks = {number: (lambda number=number: 1 / number) for number in (2, 0, 1)}
    with pytest.raises(ZeroDivisionError):
        fill(tasks, kept=kept, at_once=2)
    assert kept[2] == 0.5
    assert 0 not in kept


def test_what_has_grown_to_the_end_is_computed_no_more() -> None:
    computed: list[int] = []

    def doubled(numbers: list[int], **how: Any) -> dict[int, int]:
        tasks = {n: (lambda n=n: computed.append(n) or 2 * n) for n in numbers}
        return fill(tasks, **how)

    growing = Growing([[3], [3, 4]], doubled)
    while not growing.done:
        growing.advance()
    growing.advance()
    assert (growing.plan, growing.found, growing.share) == ([3, 4], {3: 6, 4: 8}, 1.0)
    assert computed == [3, 4]
