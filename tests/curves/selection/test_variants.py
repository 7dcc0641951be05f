"""The seven algorithms: laws as published, losses as they truly are."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore.curves.selection.variants import (
    ALGORITHMS,
    answers_of,
    cluster_odds,
    facts,
    losses,
    selector_of,
)
from dpcore.selection.exact.laws import Asked

EPSILONS = [Fraction(1, 10), Fraction(1), Fraction(5)]


def test_probabilities_at_epsilon_1() -> None:
    found = cluster_odds(EPSILONS[1:2])
    assert found.alone == pytest.approx([0.295], abs=5e-4)
    assert found.above == pytest.approx([0.99996], abs=5e-6)
    assert found.below == pytest.approx([9.3e-8], rel=0.02)
    assert found.loss == pytest.approx([16.2], abs=0.05)


def test_the_promise_is_broken_where_epsilon_is_large_enough_for_the_noise() -> None:
    found = cluster_odds(EPSILONS)
    assert (found.alone > 0.1).all()
    assert (found.loss[1:] > 10 * found.epsilons[1:]).all()
    assert (np.diff(found.below) < 0).all()


def test_nothing_asked() -> None:
    assert cluster_odds([]).alone.size == 0


@pytest.mark.parametrize(
    "algorithm, threshold, query",
    [
        (1, "Lap(2/ε)", "Lap(4c/ε)"),
        (2, "Lap(2c/ε)", "Lap(4c/ε)"),
        (3, "Lap(2/ε)", "Lap(2c/ε)"),
        (4, "Lap(4/ε)", "Lap(4/(3ε))"),
        (5, "Lap(2/ε)", "none"),
        (6, "Lap(2/ε)", "Lap(2/ε)"),
        (7, "Lap(1/ε1), ε1:ε2 = 1:1", "Lap(2c/ε2)"),
    ],
)
def test_laws_are_those_of_the_papers_table(algorithm: int, threshold: str, query: str) -> None:
    one = facts(algorithm, epsilon=Fraction(2), cutoff=3, monotone=False)
    assert (one.threshold_noise, one.query_noise) == (threshold, query)


# With c = 3 and epsilon 2, as the laws above say.
SCALES = {1: (1, 6), 2: (3, 6), 3: (1, 3), 4: (2, 2 / 3), 5: (1, 0), 6: (1, 1)}


@pytest.mark.parametrize("algorithm", SCALES)
def test_scales_are_what_the_laws_say(algorithm: int) -> None:
    one = facts(algorithm, epsilon=Fraction(2), cutoff=3, monotone=False)
    scales = one.drawn.threshold_scale, one.drawn.query_scale
    assert scales == pytest.approx(SCALES[algorithm], rel=1e-6)


@pytest.mark.parametrize("monotone, four", [(False, 4.75), (True, 2.5)])
def test_true_losses(monotone: bool, four: float) -> None:
    found = {n: facts(n, epsilon=Fraction(1), cutoff=3, monotone=monotone).loss for n in ALGORITHMS}
    kept = 0.75 if monotone else 1.0
    assert found[1] == pytest.approx(kept, rel=1e-3)
    assert found[2] == pytest.approx(kept, rel=1e-3)
    assert found[7] == pytest.approx(1.0, rel=1e-3)
    assert found[4] == pytest.approx(four, rel=1e-3)
    assert np.isinf(found[5])
    assert min(found[3], found[6]) > 1_000


def test_the_words_of_the_verdicts_agree_with_the_losses() -> None:
    for n in ALGORITHMS:
        one = facts(n, epsilon=Fraction(1), cutoff=3, monotone=False, size=20)
        broken = not one.guarantee.holds
        assert broken is (one.truth == "no finite ε")
        assert (one.loss > 1.0 + 1e-9) is (broken or n == 4)


def test_losses_grow_with_epsilon_and_with_the_questions() -> None:
    epsilons = [Fraction(1, 2), Fraction(1), Fraction(2)]
    by_epsilon = losses(epsilons=epsilons, sizes=[20], cutoff=2, monotone=False)
    by_size = losses(epsilons=[Fraction(1)], sizes=[2, 20, 200], cutoff=2, monotone=False)
    for n in ALGORITHMS:
        assert by_epsilon[n].at.tolist() == [0.5, 1.0, 2.0]
        assert by_size[n].at.tolist() == [2.0, 20.0, 200.0]
        assert by_size[n].bound.tolist() == [1.0, 1.0, 1.0]
        if n != 5:
            assert (np.diff(by_epsilon[n].loss) > 0).all()
    assert (np.diff(by_size[6].loss) > 0).all()
    # The private ones never pass the dotted line.
    for n in (1, 2, 7):
        assert (by_epsilon[n].loss <= by_epsilon[n].bound * (1 + 1e-9)).all()


def test_the_odds_are_those_of_the_published_example() -> None:
    found = losses(epsilons=[Fraction(2)], sizes=[1], cutoff=1, monotone=False)[5]
    high = np.exp(max(found.log_here[0], found.log_there[0]))
    assert high == pytest.approx(0.316, abs=5e-4)
    assert min(found.log_here[0], found.log_there[0]) == -np.inf


def test_answers_in_words() -> None:
    asked = [Asked(0.0, False, 1_000), Asked(1.0, True, 1, 0.0)]
    assert answers_of(asked) == [("1,000 times", "0", "no"), ("once", "1", "the number 0")]


def test_every_algorithm_has_a_selector() -> None:
    assert [selector_of(n) for n in (1, 6, 7)] == [
        "sparse-vector-1",
        "sparse-vector-6",
        "sparse-vector",
    ]
