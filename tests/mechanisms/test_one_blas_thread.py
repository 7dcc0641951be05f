"""One thread inside, as many as before outside, whoever leaves first."""

from __future__ import annotations

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from dpcore.mechanisms.one_blas_thread import ONE_BLAS_THREAD


def threads() -> set[int]:
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def _two_threads() -> object:
    with threadpool_limits(2, user_api="blas"):
        yield


def test_inside_and_outside() -> None:
    with ONE_BLAS_THREAD:
        assert threads() == {1}
    assert threads() == {2}


def test_the_first_to_leave_does_not_raise_it_and_the_last_restores_it() -> None:
    ONE_BLAS_THREAD.__enter__()
    ONE_BLAS_THREAD.__enter__()
    ONE_BLAS_THREAD.__exit__()
    assert threads() == {1}
    ONE_BLAS_THREAD.__exit__()
    assert threads() == {2}


def test_it_is_restored_after_an_error() -> None:
    with pytest.raises(RuntimeError, match="inside"), ONE_BLAS_THREAD:
        raise RuntimeError("inside")
    assert threads() == {2}
