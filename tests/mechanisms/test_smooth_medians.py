"""SmoothMedians: exact privacy loss between all small neighbours, and what it returns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import SmoothMedians
from tests.mechanisms._median_law import worst_losses

GRIDS = [np.linspace(0, 1, 5), np.array([0.0, 0.1, 0.15, 0.6, 0.7, 1.0])]


def over(grid: np.ndarray, **arguments: object) -> SmoothMedians:
    return SmoothMedians(**{"positions": grid, "cuts": np.array([0, grid.size - 1])} | arguments)


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("epsilon", [0.05, 0.5, 2.0])
@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_loss_between_all_small_neighbours(
    grid: np.ndarray, epsilon: float, neighbors: Neighbors
) -> None:
    losses = worst_losses(over(grid, epsilon=epsilon, neighbors=neighbors), records=5)
    assert losses[neighbors.value] <= epsilon


def test_the_bound_is_not_slack() -> None:
    """The test above can fail: a third less noise breaks it, and so does the add-remove
    calibration under replace."""

    class TooQuiet(SmoothMedians):
        @property
        def noise_factor(self) -> float:
            return super().noise_factor / 1.5

    grid = np.linspace(0, 1, 17)
    whole = {"positions": grid, "cuts": np.array([0, 16])}
    assert worst_losses(SmoothMedians(epsilon=1, **whole), records=3)["add-remove"] <= 1.0
    assert worst_losses(TooQuiet(epsilon=1, **whole), records=3)["add-remove"] > 1.0
    assert worst_losses(over(GRIDS[0], epsilon=1), records=5)["replace"] > 1.0


@given(
    st.lists(st.integers(0, 5), min_size=8, max_size=8),
    st.sets(st.integers(1, 7), max_size=5),
    st.integers(0, 2**32),
    st.sampled_from([0.001, 1.0, 50.0]),
)
def test_edges_lie_strictly_inside_their_intervals(
    counts: list[int], inner: set[int], seed: int, epsilon: float
) -> None:
    cuts = np.array([0, *sorted(inner), 8])
    mechanism = SmoothMedians(epsilon=epsilon, positions=np.linspace(0, 1, 9), cuts=cuts)
    edges = mechanism.draw(np.concatenate([[0], np.cumsum(counts)]), SeededNoise(seed))
    assert edges.shape == (cuts.size - 1,)
    wide = np.diff(cuts) > 1
    assert ((edges > cuts[:-1]) & (edges < cuts[1:]))[wide].all()
    np.testing.assert_array_equal(edges[~wide], cuts[:-1][~wide])


def test_large_epsilon_finds_the_median() -> None:
    counts = np.zeros(100, dtype=int)
    counts[70] = 1001
    below = np.concatenate([[0], np.cumsum(counts)])
    mechanism = over(np.linspace(0, 1, 101), epsilon=5)
    found = [mechanism.draw(below, SeededNoise(seed))[0] for seed in range(50)]
    assert np.mean(np.isin(found, [70, 71])) > 0.9


def test_public_facts() -> None:
    mechanism = over(GRIDS[0], epsilon="0.1", neighbors=Neighbors.REPLACE)
    assert mechanism.loss == Loss("0.1")
    assert mechanism.step == pytest.approx(0.05, abs=2e-5)
    assert mechanism.step < 0.05
    assert over(GRIDS[0], epsilon=1e-6).step == pytest.approx(0.5e-6)


@pytest.mark.parametrize(
    "arguments, name",
    [
        ({"epsilon": 0}, "epsilon"),
        ({"positions": np.array([1.0, 0.0]), "cuts": np.array([0, 1])}, "positions"),
        ({"positions": np.zeros(2**13 + 2), "cuts": np.array([0, 2**13 + 1])}, "positions"),
        ({"cuts": np.array([0, 3])}, "cuts"),
        ({"cuts": np.array([0, 2, 2, 4])}, "cuts"),
    ],
)
def test_public_arguments_are_checked(arguments: dict[str, object], name: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        over(GRIDS[0], **{"epsilon": 1} | arguments)
    assert caught.value.name == name
