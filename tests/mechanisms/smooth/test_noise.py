"""What every smooth mechanism shares: groups, cells, bounds, order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import Deviation, Grouped, Mean, SmoothCauchy, SmoothNoise, Statistic


def grouped(n: int, columns: int, seed: int = 0) -> Grouped:
    rng = np.random.default_rng(seed)
    return Grouped(rng.uniform(-1, 1, (n, columns)), rng.integers(0, 3, n))


@given(st.integers(0, 30), st.sampled_from([Mean(), Deviation()]), st.sampled_from([1e-3, 1, 900]))
def test_results_lie_within_the_bounds(n: int, statistic: Statistic, epsilon: float) -> None:
    mechanism = SmoothCauchy(epsilon=epsilon, statistic=statistic, n_columns=2, n_groups=3)
    drawn = mechanism.draw(grouped(n, 2), SeededNoise(n))
    assert drawn.shape == (3, 2)
    assert ((drawn > statistic.low) & (drawn < 1)).all()


def test_much_epsilon_gives_each_group_its_own() -> None:
    value = grouped(3_000, 2)
    mechanism = SmoothCauchy(epsilon=500, statistic=Mean(), n_columns=2, n_groups=3)
    drawn = mechanism.draw(value, SeededNoise(0))
    for group in range(3):
        expected = value.columns[value.groups == group].mean(axis=0)
        np.testing.assert_allclose(drawn[group], expected, atol=2e-4)


def test_the_order_of_the_records_does_not_show() -> None:
    value, order = grouped(500, 2), np.random.default_rng(1).permutation(500)
    mechanism = SmoothCauchy(epsilon=1, statistic=Deviation(), n_columns=2, n_groups=3)
    shuffled = Grouped(value.columns[order], value.groups[order])
    for one, other in zip(
        mechanism.centres_and_scales(value), mechanism.centres_and_scales(shuffled), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_the_same_seed_and_more_epsilon_is_nearer() -> None:
    value = grouped(300, 1)
    errors = []
    for epsilon in (0.1, 1.0, 10.0):
        mechanism = SmoothCauchy(epsilon=epsilon, statistic=Mean(), n_groups=3)
        centres, _ = mechanism.centres_and_scales(value)
        errors.append(np.abs(mechanism.draw(value, SeededNoise(3)) - centres).sum())
    assert errors[0] > errors[1] > errors[2]


@pytest.mark.parametrize("name, bad", [("epsilon", 0), ("n_columns", 0), ("n_groups", 0)])
def test_public_arguments_are_checked(name: str, bad: int) -> None:
    with pytest.raises(InvalidArgument, match=f"^{name} must be"):
        SmoothCauchy(**{"epsilon": 1, "statistic": Mean(), name: bad})


def test_the_base_states_no_law() -> None:
    with pytest.raises(TypeError, match="beta.*log_mass.*noise_factor"):
        SmoothNoise(epsilon=1, statistic=Mean())  # type: ignore[abstract]
