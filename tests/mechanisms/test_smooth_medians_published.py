"""The printed noise breaks its promise, by exactly the counterexample that it is labelled with."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Ledger, SystemNoise
from dpcore.errors import NotPrivate
from dpcore.mechanisms import PublishedSmoothMedians, SmoothMedians, cauchy_loss
from dpcore.release import release
from tests.mechanisms._median_law import law, worst_losses

GRID, WHOLE = np.linspace(0, 1, 257), np.array([0, 256])


def published(epsilon: float, levels: int, grid: np.ndarray = GRID) -> PublishedSmoothMedians:
    return PublishedSmoothMedians(
        epsilon=epsilon,
        selection_epsilon=levels * epsilon,
        positions=grid,
        cuts=np.array([0, grid.size - 1]),
    )


def counts_below(*scores: float) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(np.histogram(scores, GRID)[0])])


def loss(mechanism: SmoothMedians, uniform: float) -> float:
    laws = [
        law(mechanism, counts_below(*scores), uniform=uniform)
        for scores in [(0.125, 0.625), (0.125, 0.625, 0.625)]
    ]
    return float(np.abs(np.log(laws[0] / laws[1])).max())


def test_the_counterexample_of_the_label() -> None:
    assert loss(published(1, 10), uniform=0.0) == pytest.approx(1.18, abs=0.005)
    assert "1.18" in PublishedSmoothMedians.guarantee.reason
    # Drawing any edge once in 4,096 times, as the code does, does not help.
    assert loss(published(1, 10), uniform=2.0**-12) > 1.17


def test_the_exact_calibration_keeps_its_promise_there() -> None:
    proven = SmoothMedians(epsilon=1, positions=GRID, cuts=WHOLE)
    assert loss(proven, uniform=0.0) < 1.0


@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_a_search_finds_more_breaches(epsilon: float) -> None:
    mechanism = published(epsilon, 10, np.linspace(0, 1, 5))
    assert worst_losses(mechanism, records=6)["add-remove"] > 1.1 * epsilon


def test_even_constant_noise_is_too_little_from_nine_levels_on() -> None:
    for levels, private in [(8, True), (9, False)]:
        scale = published(1.0, levels).noise_factor
        assert (cauchy_loss(1.0, scale, scale) <= 1.0) is private


def test_it_is_refused_with_real_noise() -> None:
    with pytest.raises(NotPrivate):
        release(published(1, 10), counts_below(0.5), label="", ledger=Ledger(), noise=SystemNoise())
