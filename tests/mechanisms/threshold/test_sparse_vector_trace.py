"""A trace tells what really happened: the same answers as untraced, or the same law of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument, NotPrivate
from dpcore.mechanisms import PublishedSparseVector, SparseVector
from dpcore.mechanisms.threshold.sparse_vector_trace import TracedSparseVector
from dpcore.release import release
from tests.mechanisms._selection_loss import fits, laplace_tail, sparse_vector_law

SCORES = np.array([3.0, 1.0, 8.0, 5.0, 0.0, 7.0])


def published(variant: int, cutoff: int = 2, threshold: float | None = 4.0) -> TracedSparseVector:
    mechanism = PublishedSparseVector(
        variant=variant, epsilon=2, cutoff=cutoff, threshold=threshold, monotone=True
    )
    return TracedSparseVector(mechanism=mechanism)


@pytest.mark.spanning
@pytest.mark.parametrize("threshold", [4.0, None])
@pytest.mark.parametrize("variant", range(1, 7))
def test_published_variants_answer_as_they_do_untraced(
    variant: int, threshold: float | None
) -> None:
    traced = published(variant, threshold=threshold)
    for seed in range(60):
        trace = traced.draw(SCORES, SeededNoise(seed))
        answers = traced.mechanism.draw(SCORES, SeededNoise(seed))
        np.testing.assert_array_equal(trace.selected, answers.passed)
        numeric = [query.numeric_answer for query in trace.queries if query.passed]
        if variant == 3:
            np.testing.assert_array_equal(numeric, answers.scores)
        else:
            assert set(numeric) <= {None}


@pytest.mark.few(1)
@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("monotone", [True, False])
def test_algorithm_7_answers_by_its_law(monotone: bool) -> None:
    scores = np.array([3, 1, 8])

    def law(epsilon: float) -> dict[tuple[bool, ...], float]:
        wanted = SparseVector(epsilon=epsilon, k=2, threshold=4, monotone=monotone, whole=True)
        tail = laplace_tail(wanted.query_scale)
        return sparse_vector_law(scores - 4, 2, float(wanted.threshold_scale), tail, 400)  # type: ignore[return-value]

    mechanism = SparseVector(epsilon=2, k=2, threshold=4, monotone=monotone, whole=True)
    traced = TracedSparseVector(mechanism=mechanism, shuffle=False)
    traces = [traced.draw(scores.astype(float), SeededNoise(seed)) for seed in range(1500)]
    draws = [tuple(query.passed for query in trace.queries) for trace in traces]
    assert fits(draws, law(2.0))  # type: ignore[arg-type]
    assert not fits(draws, law(4.0))  # type: ignore[arg-type]


def test_retraversal_passes_as_often_as_untraced() -> None:
    mechanism = SparseVector(
        epsilon=2, k=2, threshold=6, boost=1, monotone=True, retraverse=True, fill=False
    )
    traced, scores = TracedSparseVector(mechanism=mechanism), np.array([3.0, 1.0, 8.0])
    n = 300
    untraced = [set(mechanism.draw(scores, SeededNoise(seed)).tolist()) for seed in range(n)]
    told = [
        set(traced.draw(scores, SeededNoise(seed)).selected.tolist()) for seed in range(n, 2 * n)
    ]
    for candidate in range(3):
        here, there = (sum(candidate in drawn for drawn in draws) / n for draws in (untraced, told))
        assert abs(here - there) < 6 * np.sqrt(0.5 / n)
    assert np.mean([2 in drawn for drawn in told]) > 0.8


@pytest.mark.parametrize("variant", range(1, 8))
def test_every_line_adds_up(variant: int) -> None:
    traced = (
        published(variant)
        if variant < 7
        else TracedSparseVector(
            mechanism=SparseVector(epsilon=2, k=2, threshold=4.0, boost=1, retraverse=True)
        )
    )
    seen = []
    for seed in range(20):
        trace = traced.draw(SCORES, SeededNoise(seed))
        assert trace.complete
        for query in trace.queries:
            assert query.score == pytest.approx(SCORES[query.index], abs=1e-5)
            assert query.noisy_score == pytest.approx(query.score + query.query_noise, abs=1e-9)
            assert query.noisy_threshold == pytest.approx(
                trace.threshold + query.threshold_noise, abs=1e-9
            )
            assert query.passed == (query.noisy_score > query.noisy_threshold)
        left = [query.budget_left for query in trace.queries]
        assert all(0 <= later <= earlier < 2 for earlier, later in pairwise(left))
        if sum(query.passed for query in trace.queries) == 2 and variant not in (5, 6):
            assert left[-1] == 0
            assert trace.queries[-1].passed
        seen.append(len({query.threshold_noise for query in trace.queries}))
        assert all((query.query_noise == 0) == (variant == 5) for query in trace.queries)
    assert (max(seen) > 1) is (variant == 2), "only Algorithm 2 refreshes the threshold noise"


def test_budget_left_by_hand() -> None:
    """Algorithm 1: half of 2 for the threshold, a quarter of 2 for each of two successes."""
    mechanism = PublishedSparseVector(variant=1, epsilon=2, cutoff=2, threshold=0.0)
    trace = TracedSparseVector(mechanism=mechanism, shuffle=False).draw(
        np.array([-1e6, 1e6, -1e6, 1e6, 1e6]), SeededNoise(0)
    )
    assert [query.budget_left for query in trace.queries] == [1, Fraction(1, 2), Fraction(1, 2), 0]
    assert [query.index for query in trace.queries] == [0, 1, 2, 3]


def test_rounds_of_retraversal() -> None:
    mechanism = SparseVector(epsilon=1, k=3, boost=5, retraverse=True, monotone=True, threshold=50)
    trace = TracedSparseVector(mechanism=mechanism).draw(np.full(10, 40.0), SeededNoise(3))
    rounds = [query.round for query in trace.queries]
    assert rounds == sorted(rounds)
    assert rounds[-1] > 1
    asked_twice = [q.index for q in trace.queries if q.round == 2]
    assert not set(asked_twice) & {q.index for q in trace.queries if q.round == 1 and q.passed}


def test_a_run_without_end_is_broken_off() -> None:
    mechanism = SparseVector(epsilon=1, k=1, threshold=1e9, retraverse=True)
    trace = TracedSparseVector(mechanism=mechanism, most=25).draw(np.zeros(10), SeededNoise(0))
    assert len(trace.queries) == 25
    assert trace.complete is False


def test_same_seed_and_more_epsilon_is_the_same_noise_rescaled() -> None:
    def noises(epsilon: float) -> np.ndarray:
        mechanism = PublishedSparseVector(variant=6, epsilon=epsilon, cutoff=2, threshold=0.0)
        trace = TracedSparseVector(mechanism=mechanism).draw(SCORES, SeededNoise(4))
        return np.array([query.query_noise for query in trace.queries])

    np.testing.assert_allclose(noises(1), 2 * noises(2), atol=1e-5)


def test_real_noise_is_refused() -> None:
    ledger = Ledger(Loss(2))
    with pytest.raises(NotPrivate, match="exact scores"):
        release(published(1), SCORES, label="x", ledger=ledger, noise=SystemNoise())
    assert ledger.charges == ()


def test_most_is_positive() -> None:
    with pytest.raises(InvalidArgument, match="most"):
        TracedSparseVector(mechanism=SparseVector(epsilon=1, k=1), most=0)
