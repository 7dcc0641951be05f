"""One thread inside, as many as before outside, whoever leaves first."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from dpcore.mechanisms.one_blas_thread import ONE_BLAS_THREAD


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
