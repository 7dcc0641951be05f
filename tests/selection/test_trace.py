"""Traces through the gate: every algorithm, and never with real noise."""

from __future__ import annotations

import pytest

from dpcore import SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument, NotPrivate
from dpcore.selection import trace_sparse_vector

SCORES = [5.0, 100.0, 20.0, 80.0]


@pytest.mark.parametrize("algorithm", range(1, 8))
def test_much_epsilon_finds_what_lies_above(algorithm: int) -> None:
    trace = trace_sparse_vector(
        SCORES, algorithm=algorithm, epsilon=10_000, k=2, threshold=50, noise=SeededNoise(0)
    )
    assert sorted(trace.selected.tolist()) == [1, 3]
    assert trace.threshold == pytest.approx(50)


def test_as_they_are() -> None:
    trace = trace_sparse_vector(SCORES, epsilon=10, k=4, shuffle=False, noise=SeededNoise(0))
    assert [query.index for query in trace.queries] == [0, 1, 2, 3]


def test_retraversal_goes_on() -> None:
    arguments = {"epsilon": 1, "k": 2, "boost": 5.0, "noise": SeededNoise(1)}
    trace = trace_sparse_vector([20.0] * 6, retraverse=True, **arguments)  # type: ignore[arg-type]
    assert trace.selected.size == 2
    assert trace.queries[-1].round > 1


@pytest.mark.parametrize("algorithm", [1, 7])
def test_real_noise_is_refused(algorithm: int) -> None:
    with pytest.raises(NotPrivate, match="trace shows"):
        trace_sparse_vector(SCORES, algorithm=algorithm, epsilon=1, k=1, noise=SystemNoise())


def test_there_are_seven() -> None:
    with pytest.raises(InvalidArgument, match="^algorithm must be"):
        trace_sparse_vector(SCORES, algorithm=8, epsilon=1, k=1, noise=SeededNoise(0))
