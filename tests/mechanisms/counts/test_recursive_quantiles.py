"""RecursiveQuantiles: exact privacy loss between all small neighbours, and what it returns."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import RecursiveQuantiles
from dpcore.mechanisms.counts.recursive_quantiles import rank_errors
from tests.mechanisms._choices import paths

CELLS = 5

POSITIONS = np.array([0.0, 1.0, 1.2, 3.0, 3.5, 6.0])

LEVELS = (0.3, 0.5, 0.9)


def law(mechanism: RecursiveQuantiles, data: tuple[int, ...]) -> dict[object, float]:
    """Log-probability of every possible result."""
    counts = np.bincount(np.array(data, dtype=int), minlength=CELLS)
    below = np.concatenate([[0], np.cumsum(counts)])
    found = paths(lambda source: mechanism.draw(below, source), lambda edges: tuple(edges))
    return {edges: log_probability for edges, (log_probability, _, _) in found.items()}


def worst_loss(mechanism: RecursiveQuantiles, neighbors: Neighbors, records: int) -> float:
    laws = {
        data: law(mechanism, data)
        for size in range(records + 1)
        for data in itertools.combinations_with_replacement(range(CELLS), size)
    }
    worst = 0.0
    for data in (data for data in laws if len(data) < records):
        larger = [laws[tuple(sorted((*data, cell)))] for cell in range(CELLS)]
        pairs = neighbors.pick(
            add_remove=[(laws[data], other) for other in larger],
            replace=list(itertools.combinations(larger, 2)),
        )
        for one, other in pairs:
            assert one.keys() == other.keys()
            worst = max(worst, *(abs(one[edges] - other[edges]) for edges in one))
    return worst


@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("levels", [(0.5,), (0.8,), LEVELS])
def test_loss_between_all_small_neighbours(neighbors: Neighbors, levels: tuple[float, ...]) -> None:
    mechanism = RecursiveQuantiles(
        epsilon=1, levels=levels, positions=POSITIONS, neighbors=neighbors
    )
    assert worst_loss(mechanism, neighbors, records=4) <= 1.0


def test_the_bound_is_not_slack() -> None:
    """The test above can fail: more than twice the declared loss at this epsilon breaks it."""
    louder = RecursiveQuantiles(epsilon=2.5, levels=(0.5,), positions=POSITIONS)
    assert worst_loss(louder, Neighbors.ADD_REMOVE, records=4) > 1.0
    whole = RecursiveQuantiles(epsilon=1, levels=(0.5,), positions=POSITIONS)
    halved = RecursiveQuantiles(
        epsilon=1, levels=(0.5,), positions=POSITIONS, neighbors=Neighbors.REPLACE
    )
    assert worst_loss(halved, Neighbors.REPLACE, records=4) < 0.7 * worst_loss(
        whole, Neighbors.REPLACE, records=4
    )


@given(
    st.lists(st.integers(0, 9), min_size=12, max_size=12),
    st.integers(1, 11),
    st.integers(0, 2**32),
    st.sampled_from([0.01, 1.0, 100.0]),
)
def test_edges_ascend_and_leave_the_ends(
    counts: list[int], number: int, seed: int, epsilon: float
) -> None:
    levels = tuple(np.arange(1, number + 1) / (number + 1))
    mechanism = RecursiveQuantiles(epsilon=epsilon, levels=levels, positions=np.arange(13.0))
    edges = mechanism.draw(np.concatenate([[0], np.cumsum(counts)]), SeededNoise(seed))
    assert edges.shape == (number,)
    assert (np.diff([0, *edges, 12]) > 0).all()


def test_large_epsilon_finds_the_quantiles() -> None:
    below = np.arange(0, 1001, 10)
    mechanism = RecursiveQuantiles(epsilon=50, levels=LEVELS, positions=np.arange(101.0))
    edges = mechanism.draw(below, SeededNoise(2))
    np.testing.assert_allclose(edges, [30, 50, 90], atol=1)


def test_typical_errors_are_about_what_is_seen() -> None:
    """The mean miss of a cut, in ranks, is that of a two-sided exponential of this scale."""
    below = np.arange(0, 100_001, 10)
    mechanism = RecursiveQuantiles(epsilon=0.02, levels=(0.75,), positions=np.arange(10_001.0))
    misses = [abs(10 * mechanism.draw(below, SeededNoise(s))[0] - 75_000) for s in range(400)]
    assert np.mean(misses) == pytest.approx(rank_errors((0.75,), 0.02)[0], rel=0.25)


@pytest.mark.parametrize(
    "arguments, name",
    [
        ({"epsilon": -1}, "epsilon"),
        ({"levels": (0.5, 0.5)}, "levels"),
        ({"levels": (0.0, 0.5)}, "levels"),
        ({"levels": tuple(np.arange(1, 7) / 7)}, "positions"),
        ({"positions": np.zeros(6)}, "positions"),
    ],
)
def test_public_arguments_are_checked(arguments: dict[str, object], name: str) -> None:
    defaults = {"epsilon": 1, "levels": LEVELS, "positions": POSITIONS}
    with pytest.raises(InvalidArgument) as caught:
        RecursiveQuantiles(**defaults | arguments)
    assert caught.value.name == name


def test_declared_loss() -> None:
    mechanism = RecursiveQuantiles(epsilon="0.3", levels=LEVELS, positions=POSITIONS)
    assert mechanism.loss == Loss("0.3")
