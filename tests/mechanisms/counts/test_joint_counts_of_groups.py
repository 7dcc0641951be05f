"""Totals per group: loss over all neighbours, scales, law of the noise."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.counts.joint_counts import GroupTotals, Totals
from dpcore.noise import NoiseSource
from tests.statistical.fit import FALSE_ALARM, discrete_laplace_p

shares = st.lists(
    st.integers(1, 63).map(lambda step: Fraction(step, 64)), min_size=1, max_size=4
).map(tuple)

epsilons = st.fractions(Fraction(1, 100), 10)


def totals(records: list[tuple[int, int, int]], groups: int) -> Totals:
    """Records are (group, class, offset)."""
    table = np.zeros((3, groups), dtype=np.int64)
    for group, label, offset in records:
        table[1 - label, group] += 1
        table[2, group] += offset
    return Totals(*table)


def largest_log_ratio(mechanism: GroupTotals, here: list[Totals], there: list[Totals]) -> Fraction:
    """The largest log-ratio of output probabilities over all pairs of these data sets."""
    apart = np.abs(np.array(here)[:, np.newaxis] - np.array(there)[np.newaxis])
    distances = np.unique(apart.reshape(-1, *apart.shape[2:]), axis=0)
    return max(log_ratio(mechanism, Totals(*one)) for one in distances)


def log_ratio(mechanism: GroupTotals, apart: Totals) -> Fraction:
    """Discrete Laplace noise reaches distance / scale, in every group."""
    return sum(
        (
            int(positives + negatives) / count + int(offsets) / total
            for positives, negatives, offsets, count, total in zip(
                *apart, mechanism.count_scales, mechanism.sum_scales, strict=True
            )
        ),
        Fraction(0),
    )


@given(epsilons, shares, st.integers(1, 3))
def test_every_neighbour_is_within_epsilon_and_some_reach_it(
    epsilon: Fraction, split: tuple[Fraction, ...], unit: int
) -> None:
    groups = len(split)
    one = [
        totals([record], groups)
        for record in product(range(groups), (0, 1), range(-unit, unit + 1))
    ]
    none = [totals([], groups)]
    alone = GroupTotals(epsilon=epsilon, shares=split, unit=unit)
    assert largest_log_ratio(alone, none, one) == epsilon
    exchanged = GroupTotals(epsilon=epsilon, shares=split, unit=unit, neighbors=Neighbors.REPLACE)
    assert largest_log_ratio(exchanged, one, one) == epsilon
    assert alone.loss == exchanged.loss == Loss(epsilon)


def test_an_understated_unit_is_found() -> None:
    mechanism = GroupTotals(epsilon=1, shares=(Fraction(1, 2),), unit=1)
    assert largest_log_ratio(mechanism, [totals([], 1)], [totals([(0, 1, 2)], 1)]) > 1


@pytest.mark.few(1)
@pytest.mark.statistical
@pytest.mark.parametrize("noise", [SeededNoise(11), SystemNoise()])
@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_noise_follows_its_law(noise: NoiseSource, neighbors: Neighbors) -> None:
    groups = 5_000
    split = (Fraction(1, 5),) * groups
    mechanism = GroupTotals(epsilon=2, shares=split, unit=2, neighbors=neighbors)
    exact = totals([(0, 1, 1), (1, 0, -2)], groups)
    noisy = mechanism.draw(exact, noise)
    step = 2 / neighbors.pick(add_remove=1, replace=2)
    for index, scale in enumerate([1 / (0.8 * step), 1 / (0.8 * step), 2 / (0.2 * step)]):
        drawn = noisy[index] - exact[index]
        for factor, fits in [(1.0, True), (0.7, False), (1.3, False)]:
            assert (discrete_laplace_p(drawn, factor * scale) > FALSE_ALARM) is fits


def test_the_input_is_not_altered() -> None:
    exact = totals([(0, 1, 3)], 2)
    GroupTotals(epsilon=1, shares=(Fraction(1, 2),) * 2, unit=3).draw(exact, SeededNoise(0))
    assert [part.tolist() for part in exact] == [[1, 0], [0, 0], [3, 0]]


@pytest.mark.parametrize(
    "wrong, named",
    [
        ({"epsilon": 0}, "epsilon"),
        ({"unit": 0}, "unit"),
        ({"shares": ()}, "shares"),
        ({"shares": (Fraction(1),)}, "shares"),
        ({"shares": (Fraction(0),)}, "shares"),
    ],
)
def test_arguments_are_checked(wrong: dict[str, object], named: str) -> None:
    right: dict[str, object] = {"epsilon": 1, "shares": (Fraction(1, 2),), "unit": 4}
    with pytest.raises(InvalidArgument, match=named):
        GroupTotals(**(right | wrong))  # type: ignore[arg-type]


def test_totals_of_other_groups_are_refused() -> None:
    mechanism = GroupTotals(epsilon=1, shares=(Fraction(1, 2),), unit=4)
    with pytest.raises(InvalidArgument, match="totals of 1 groups"):
        mechanism.draw(totals([], 2), SeededNoise(0))
