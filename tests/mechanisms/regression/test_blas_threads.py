"""The number of threads comes back, whoever leaves last, and nothing of a thread stays."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from threading import Event, Thread

import pytest
from threadpoolctl import OpenBLASController, threadpool_info, threadpool_limits

from dpcore.mechanisms.regression.blas_threads import ONE_BLAS_THREAD


def threads() -> dict[str, int]:
    pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    return {pool["filepath"]: pool["num_threads"] for pool in pools}


@pytest.fixture
def outside() -> Iterator[dict[str, int]]:
    """Two threads where the library can have two; some are built for one."""
    with threadpool_limits(2, user_api="blas"):
        found = threads()
        assert 2 in found.values()
        yield found


def test_inside_and_outside(outside: dict[str, int]) -> None:
    with ONE_BLAS_THREAD:
        assert set(threads().values()) == {1}
    assert threads() == outside


def test_the_first_to_leave_does_not_raise_it_and_the_last_restores_it(
    outside: dict[str, int],
) -> None:
    ONE_BLAS_THREAD.__enter__()
    ONE_BLAS_THREAD.__enter__()
    ONE_BLAS_THREAD.__exit__()
    assert set(threads().values()) == {1}
    ONE_BLAS_THREAD.__exit__()
    assert threads() == outside


def test_it_is_restored_after_an_error(outside: dict[str, int]) -> None:
    with pytest.raises(RuntimeError, match="inside"), ONE_BLAS_THREAD:
        raise RuntimeError("inside")
    assert threads() == outside


def test_who_leaves_last_restores_it_for_who_entered_first_and_keeps_nothing_of_that_thread(
    outside: dict[str, int],
) -> None:
    """A thread of a visitor has the whole session with it."""
    OpenBLASController.clear_controlling_thread(force=True)
    entered, leave, left, end = (Event() for _ in range(4))

    def first() -> None:
        with ONE_BLAS_THREAD:
            entered.set()
            leave.wait(10)
        left.set()
        end.wait(10)

    thread = Thread(target=first)
    thread.start()
    entered.wait(10)
    with ONE_BLAS_THREAD:
        assert set(threads().values()) == {1}
        leave.set()
        left.wait(10)
    now = threads()
    end.set()
    thread.join()
    gone = weakref.ref(thread)
    del thread
    assert now == outside
    gc.collect()
    assert gone() is None
