"""Pairs and sizes in one release: what neighbours cost, and the law of the noise."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.counts.joint_counts import PairsAndSizes
from tests.statistical.fit import FALSE_ALARM, chi_square_p, discrete_laplace_p


def cost(mechanism: PairsAndSizes, change: tuple[int, ...]) -> Fraction:
    """The largest log-ratio of probabilities, by the density that the class promises."""
    count, rarer, other = map(abs, change)
    square = max(count, mechanism.by_rarer * rarer)
    return mechanism.rate * square + other / mechanism.other_scale


@pytest.mark.parametrize("by_rarer, by_other", [(2, 1), (5, 3), (40, 7)])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(3)])
def test_every_neighbour_is_within_epsilon_and_both_classes_reach_it(
    epsilon: Fraction, by_rarer: int, by_other: int
) -> None:
    """Every change of the count that one record of either class may make."""
    told = {"epsilon": epsilon, "by_rarer": by_rarer, "by_other": by_other}
    added = [
        [(count, 1, 0) for count in range(-by_rarer, by_rarer + 1)],
        [(count, 0, 1) for count in range(-by_other, by_other + 1)],
    ]
    alone = PairsAndSizes(**told)
    assert [max(cost(alone, one) for one in side) for side in added] == [epsilon, epsilon]
    exchanged = PairsAndSizes(**told, neighbors=Neighbors.REPLACE)
    every = [*added[0], *added[1]]
    apart = (tuple(np.subtract(a, b).tolist()) for a, b in product(every, repeat=2))
    assert max(cost(exchanged, one) for one in apart) <= epsilon
    assert alone.loss == exchanged.loss == Loss(epsilon)


def test_an_understated_move_is_found() -> None:
    mechanism = PairsAndSizes(epsilon=1, by_rarer=4, by_other=1)
    assert cost(mechanism, (5, 1, 0)) > 1
    assert cost(mechanism, (2, 0, 1)) > 1


@pytest.mark.parametrize("noise", [SeededNoise(5), SystemNoise()])
@pytest.mark.parametrize("epsilon, neighbors", [(2, "add-remove"), (4, "replace")])
def test_draws_follow_the_law(
    epsilon: int, neighbors: str, noise: SeededNoise | SystemNoise
) -> None:
    """The square and the other size, apart; a scale 30 % off does not fit."""
    terms = {"epsilon": epsilon, "neighbors": Neighbors.of(neighbors)}
    mechanism, value = PairsAndSizes(**terms, by_rarer=3, by_other=1), np.array([10, 4, 7])
    draws = np.array([mechanism.draw(value, noise) for _ in range(2500)]) - (10, 12, 7)
    places = np.arange(-20, 21)
    norms = np.maximum(np.abs(places)[:, np.newaxis], np.abs(places))
    observed = np.zeros(norms.shape, dtype=np.int64)
    np.add.at(observed, tuple((np.clip(draws[:, :2], -20, 20) + 20).T), 1)
    for factor, fits in ((1.0, True), (0.7, False), (1.3, False)):
        chance = np.exp(-2 / 3 * factor * norms)
        p = chi_square_p(observed.ravel(), (chance / chance.sum()).ravel())
        assert (p > FALSE_ALARM) is fits, factor
        scale = float(mechanism.other_scale) / factor
        assert (discrete_laplace_p(draws[:, 2], scale) > FALSE_ALARM) is fits, factor


@pytest.mark.parametrize(
    "name, told",
    [
        ("epsilon", {"epsilon": 0, "by_rarer": 2, "by_other": 1}),
        ("by_other", {"epsilon": 1, "by_rarer": 2, "by_other": 0}),
        ("by_rarer", {"epsilon": 1, "by_rarer": 2, "by_other": 2}),
    ],
)
def test_bad_arguments_are_named(name: str, told: dict[str, int]) -> None:
    with pytest.raises(InvalidArgument, match=name):
        PairsAndSizes(**told)
