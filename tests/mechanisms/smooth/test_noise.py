"""What every smooth mechanism shares: groups, cells, bounds, order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Neighbors, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import Deviation, Mean, SmoothCauchy, SmoothNoise
from dpcore.mechanisms.smooth import (
    UNIT,
    Grouped,
    Statistic,
    furthest_from_mean,
    on_unit_grid,
    relevant_edits,
    smallest_sizes,
    smoothed,
)
from dpcore.mechanisms.smooth.statistics import Median

ordered_cells = (
    st.lists(st.integers(-UNIT, UNIT), max_size=8)
    .map(sorted)
    .map(lambda values: np.array(values, dtype=np.int64))
)


def test_values_are_cut_and_rounded_one_by_one() -> None:
    np.testing.assert_array_equal(on_unit_grid(np.array([-3.0, 0.1, 1.0])), [-UNIT, 6554, UNIT])


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=9), st.floats(0, 3))
def test_smoothed_is_the_largest_discounted_bound(bounds: list[float], beta: float) -> None:
    expected = max(np.exp(-beta * k) * bound for k, bound in enumerate(bounds))
    assert smoothed(np.array(bounds), beta) == expected


@given(st.integers(0, 10**6), st.floats(1e-4, 5))
def test_irrelevant_edits_cannot_hold_the_maximum(size: int, beta: float) -> None:
    last = relevant_edits(size, beta)
    assert last == size or np.exp(-beta * last) < 1 / (2 * size)


def test_sizes_never_fall_below_none() -> None:
    assert smallest_sizes(0, 0).tolist() == [0]
    assert smallest_sizes(2, 2).tolist() == [1, 0, 0]


@given(ordered_cells, st.integers(-UNIT, UNIT), st.integers(0, 8))
def test_no_edit_puts_a_value_further_than_stated(
    ordered: np.ndarray, added: int, removed: int
) -> None:
    """Remove some of the largest, add one: the mean stays within reach of both bounds."""
    removed = min(removed, ordered.size)
    smaller = np.append(ordered[: ordered.size - removed], added)
    edits = removed + 1
    if edits - 1 <= ordered.size:
        furthest = max(UNIT - smaller.mean(), smaller.mean() + UNIT) / UNIT
        assert (
            furthest <= furthest_from_mean(ordered, ordered.size)[min(edits, ordered.size)] + 1e-12
        )


@given(ordered_cells, st.integers(-UNIT, UNIT))
def test_one_more_edit_of_a_neighbour_is_no_nearer(ordered: np.ndarray, extra: int) -> None:
    grown = furthest_from_mean(np.sort(np.append(ordered, extra)), ordered.size + 1)
    own = furthest_from_mean(ordered, ordered.size)
    assert (own <= grown[1:] + 1e-12).all()
    assert (grown[:-2] <= own[1:] + 1e-12).all()


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


def test_noise_is_a_cell_wide_where_so_many_agree_that_nothing_moves_the_statistic() -> None:
    alike = Grouped(np.zeros((5_000, 1)), np.zeros(5_000, dtype=np.int64))
    mechanism = SmoothCauchy(epsilon=4, statistic=Median())
    assert alike.measure(Median(), mechanism.beta, 0, 0) == (0.0, 0.0)
    _, scales = mechanism.centres_and_scales(alike)
    assert scales.item() == mechanism.noise_factor / UNIT


def test_the_order_of_the_records_does_not_show() -> None:
    value, order = grouped(500, 2), np.random.default_rng(1).permutation(500)
    mechanism = SmoothCauchy(epsilon=1, statistic=Deviation(), n_columns=2, n_groups=3)
    shuffled = Grouped(value.columns[order], value.groups[order])
    for one, other in zip(
        mechanism.centres_and_scales(value), mechanism.centres_and_scales(shuffled), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_many_draws_measure_the_records_once_and_are_those_of_fresh_records() -> None:
    asked: list[float] = []

    @dataclass(frozen=True)
    class Noted(Mean):
        def measure(self, ordered: np.ndarray, beta: float) -> tuple[float, float]:
            asked.append(beta)
            return super().measure(ordered, beta)

    value = grouped(300, 2)
    for epsilon in (0.1, 1.0, 0.1):
        for seed in range(3):
            noisy = SmoothCauchy(epsilon=epsilon, statistic=Noted(), n_columns=2, n_groups=3)
            drawn = noisy.draw(value, SeededNoise(seed))
            assert np.array_equal(drawn, noisy.draw(grouped(300, 2), SeededNoise(seed)))
    # Twice six statistics, and six for each of the fresh records.
    assert len(asked) == 12 + 9 * 6


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


def log_law(mechanism: SmoothNoise, values: np.ndarray) -> np.ndarray:
    """Log-chances of all cells as they are drawn, block by block, from rounded logarithms."""
    (centre,), (scale,) = (
        one[0] for one in mechanism.centres_and_scales(Grouped(values, np.zeros(len(values), int)))
    )
    bounds = (np.linspace(mechanism.statistic.low, 1.0, 2**14 + 1) - centre) / scale
    bounds[0], bounds[-1] = -np.inf, np.inf

    def chances(edges: np.ndarray) -> np.ndarray:
        logs = mechanism.log_mass(edges[:-1], edges[1:]).astype(np.longdouble)
        return logs - np.log(np.exp(logs).sum())

    cells = [chances(bounds[start : start + 129]) for start in range(0, 2**14, 128)]
    return np.repeat(chances(bounds[::128]), 128) + np.concatenate(cells)


@pytest.mark.parametrize("neighbors, least", [("add-remove", 2.0**-31), ("replace", 2.0**-30)])
def test_less_than_rounding_tells_is_refused(neighbors: str, least: float) -> None:
    """At the least epsilon the chances, rounded as they are, keep the promise."""
    told = {"statistic": Deviation(), "neighbors": Neighbors(neighbors)}
    with pytest.raises(InvalidArgument, match="epsilon must be 2\\^-31 or more"):
        SmoothCauchy(epsilon=0.999 * least, **told)
    with pytest.raises(InvalidArgument, match="epsilon must be 2\\^-31 or more"):
        SmoothCauchy(epsilon=2.9 * least, n_columns=3, **told)
    mechanism, few = SmoothCauchy(epsilon=least, **told), np.linspace(-1, 1, 41)[:, None]
    laws = [log_law(mechanism, few[:count]) for count in (40, 41)]
    loss = float(np.abs(laws[0] - laws[1]).max())
    assert least / 1000 < loss <= least / (2 if neighbors == "replace" else 1)
