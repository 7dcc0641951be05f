"""Exact laws: they add up, and the mechanisms draw by them."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS
from dpcore.selection import trace_sparse_vector
from dpcore.selection.exact.laws import (
    Asked,
    Comparisons,
    law,
    log_probability,
    loss_between,
)
from tests.mechanisms._selection_loss import fits, neighbors_of, worst_loss

SCALES = {1: (2, 20), 2: (10, 20), 3: (2, 10), 4: (4, 4 / 3), 5: (2, 0), 6: (2, 2), 7: (2, 20)}


@pytest.mark.parametrize("algorithm", SCALES)
def test_the_table_of_the_paper(algorithm: int) -> None:
    found = Comparisons.of(algorithm, epsilon=1, cutoff=5)
    assert (found.threshold_scale, found.query_scale) == pytest.approx(SCALES[algorithm])
    if algorithm < 7:
        table = PUBLISHED_SPARSE_VECTORS[algorithm]
        assert (found.stops, found.refresh, found.numeric) == (
            table.stops,
            table.refresh,
            table.numeric,
        )


def test_monotone_scores_and_ratios_are_for_the_standard_version() -> None:
    general, monotone, split = (
        Comparisons.of(7, epsilon=1, cutoff=4, **given)  # type: ignore[arg-type]
        for given in ({}, {"monotone": True}, {"monotone": True, "ratio": "1:3"})
    )
    assert general.query_scale == pytest.approx(2 * monotone.query_scale)
    assert (split.threshold_scale, split.query_scale) == pytest.approx((4, 4 / 0.75))


def test_the_declared_loss_of_algorithm_4() -> None:
    assert Comparisons.of(4, epsilon=1, cutoff=3).declared == 4.75
    assert Comparisons.of(4, epsilon=1, cutoff=3, monotone=True).declared == 2.5


@pytest.mark.parametrize("algorithm", [0, 8])
def test_there_are_seven(algorithm: int) -> None:
    with pytest.raises(InvalidArgument, match="^algorithm must be"):
        Comparisons.of(algorithm, epsilon=1)


BASES = [[-9.0, -9.0, 0.0], [0.0, 0.0, 0.0], [20.0, -3.0, 3.0], [-40.0, -40.0, 40.0]]

PROVEN = (1, 2, 4, 7)


@pytest.mark.few(4)
@pytest.mark.parametrize("monotone", [True, False])
@pytest.mark.parametrize("cutoff", [1, 2])
@pytest.mark.parametrize("algorithm", PROVEN)
def test_proven_algorithms_lose_at_most_what_they_declare(
    algorithm: int, cutoff: int, monotone: bool
) -> None:
    found = Comparisons.of(algorithm, epsilon=1.2, cutoff=cutoff, monotone=monotone)
    worst = worst_loss(lambda scores: law(found, scores), BASES, monotone=monotone)
    assert 0.2 * found.declared < worst <= found.declared + 1e-9


@pytest.mark.parametrize("algorithm", [5, 6])
def test_broken_algorithms_lose_more(algorithm: int) -> None:
    found = Comparisons.of(algorithm, epsilon=1)
    worst = worst_loss(lambda scores: law(found, scores), [[0.0, 0.0, 0.0, 0.0]], monotone=False)
    assert worst > 1.05


def test_by_hand() -> None:
    assert loss_between({1: 0.25, 2: 0.75}, {1: 0.5, 2: 0.5}) == pytest.approx(np.log(2))
    assert loss_between({1: 1.0, 2: 0.0}, {1: 0.5, 2: 0.5}) == np.inf
    assert loss_between({1: 1.0, 2: 0.0}, {1: 1.0}) == 0.0


@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=4))
def test_loss_is_symmetric_and_zero_on_itself(weights: list[float]) -> None:
    here = dict(enumerate(weights))
    there = dict(enumerate(reversed(weights)))
    assert loss_between(here, there) == pytest.approx(loss_between(there, here))
    assert loss_between(here, here) == 0.0


def test_neighbours() -> None:
    rises = {tuple(there) for there in neighbors_of([1, 5], monotone=True)}
    assert rises == {(1, 5), (2, 5), (1, 6), (2, 6)}
    assert (0, 6) in {tuple(there) for there in neighbors_of([1, 5], monotone=False)}


SCORES = [1.0, -2.0, 0.0, 3.0]

EVERY = range(1, 8)


@pytest.mark.parametrize("cutoff", [1, 2])
@pytest.mark.parametrize("algorithm", EVERY)
def test_probabilities_add_up_to_one(algorithm: int, cutoff: int) -> None:
    for epsilon in (0.1, 1, 10):
        found = law(Comparisons.of(algorithm, epsilon=epsilon, cutoff=cutoff), SCORES)
        assert sum(found.values()) == pytest.approx(1.0, abs=1e-10)
        if algorithm in (1, 2, 3, 4, 7):
            assert max(sum(answers) for answers in found) == cutoff


@pytest.mark.few(2)
@pytest.mark.statistical
@pytest.mark.parametrize("algorithm", EVERY)
def test_the_mechanisms_draw_by_that_law(algorithm: int) -> None:
    def drawn(seed: int) -> tuple[bool, ...]:
        trace = trace_sparse_vector(
            SCORES,
            algorithm=algorithm,
            epsilon=2,
            k=2,
            threshold=0,
            ratio="1:1",
            shuffle=False,
            noise=SeededNoise(seed),
        )
        return tuple(query.passed for query in trace.queries)

    draws = [drawn(seed) for seed in range(1500)]
    right = law(Comparisons.of(algorithm, epsilon=2, cutoff=2), SCORES)
    wrong = law(Comparisons.of(algorithm, epsilon=4, cutoff=2), SCORES)
    assert fits(draws, right)  # type: ignore[arg-type]
    assert not fits(draws, wrong)  # type: ignore[arg-type]


def test_against_another_integrator() -> None:
    found = Comparisons.of(1, epsilon=0.7, cutoff=2)
    asked = [Asked(1.5, False, 3), Asked(-0.5, True), Asked(0.2, True)]
    query = stats.laplace(scale=found.query_scale)

    def integrand(level: float) -> float:
        fails = query.cdf(level - 1.5) ** 3
        passes = query.sf(level + 0.5) * query.sf(level - 0.2)
        return float(stats.laplace(scale=found.threshold_scale).pdf(level) * fails * passes)

    expected = integrate.quad(integrand, -80, 80, points=[-0.5, 0, 0.2, 1.5], limit=500)[0]
    assert exp(log_probability(found, asked)) == pytest.approx(expected, rel=1e-8)


def test_one_question_by_hand() -> None:
    """P(Lap(1) > t) for a sum of two Laplace variables of scale 1: (2 + t) exp(-t) / 4."""
    found = replace(Comparisons.of(6, epsilon=2), query_scale=1.0, threshold_scale=1.0)
    for t in (0.0, 1.0, 4.0):
        expected = (2 + t) * exp(-t) / 4
        assert exp(log_probability(found, [Asked(-t, True)])) == pytest.approx(expected, rel=1e-10)


def test_many_questions_do_not_underflow() -> None:
    found = Comparisons.of(6, epsilon=1)
    value = log_probability(found, [Asked(0.0, False, 10**6), Asked(0.0, True, 10**6)])
    assert -np.inf < value < -1e5


def test_values_are_densities_that_add_up() -> None:
    """The density of (fail, value), summed over values, is the chance of (fail, pass)."""
    found = Comparisons.of(3, epsilon=2)

    def density(value: float) -> float:
        return exp(log_probability(found, [Asked(0.5, False), Asked(1.0, True, 1, value)]))

    total = integrate.quad(density, -60, 60, points=[0, 0.5, 1.0], limit=300)[0]
    expected = exp(log_probability(found, [Asked(0.5, False), Asked(1.0, True)]))
    assert total == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("epsilon", [0.5, 2, 8])
def test_without_query_noise_there_is_a_closed_form(epsilon: float) -> None:
    found = Comparisons.of(5, epsilon=epsilon)
    asked = [Asked(-1.0, False), Asked(0.0, True)]
    assert log_probability(found, asked) == pytest.approx(log((1 - exp(-epsilon / 2)) / 2))
    mirrored = [Asked(0.0, False), Asked(1.0, True)]
    assert log_probability(found, mirrored) == pytest.approx(log_probability(found, asked))
    assert log_probability(found, [Asked(1.0, False), Asked(0.0, True)]) == -np.inf


def test_too_many_questions() -> None:
    with pytest.raises(InvalidArgument, match="questions"):
        law(Comparisons.of(1, epsilon=1), np.zeros(13))
