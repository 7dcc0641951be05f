"""A sum over parts: the gradient of the whole to the bit, and a minimiser within the gap."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from dpcore import SeededNoise
from dpcore.mechanisms import BlockObjective, RowPart
from dpcore.mechanisms.regression import newton as newton_module
from dpcore.mechanisms.regression.logistic_objective import Penalty
from dpcore.mechanisms.regression.parted_objective import PartedObjective
from dpcore.mechanisms.regression.solver_gap import GAP_SHARE, SolverGap

WIDTH = 3

BOX = (RowPart(kind="box", width=WIDTH),)


@dataclass(frozen=True)
class Here:
    """Parts in a list, which notes what is asked of them and what it tells."""

    parts: list[Any]
    told: list[Any]

    def turned(self, change: Callable[[Any], Any]) -> Here:
        self.told.append(change)
        return Here([change(part) for part in self.parts], self.told)

    def kept(self) -> Here:
        return self

    def folded(self, task: Callable[[Any], Any], add: Callable[[Sequence[Any]], Any]) -> Any:
        self.told.append(task)
        results = [task(part) for part in self.parts]
        middle = len(results) // 2
        return add([add(results[:middle]), add(results[middle:])]) if middle else add(results)


def data(n: int, n_classes: int, *, sparse: bool = False, seed: int = 0) -> tuple[Any, np.ndarray]:
    rng = np.random.default_rng(seed)
    rows = rng.uniform(-1, 1, (n, WIDTH)) * rng.choice([1.0, 1e-6], (n, 1))
    return (csr_array(rows) if sparse else rows), rng.integers(0, n_classes, n)


def parted(records: tuple[Any, np.ndarray], cuts: list[int]) -> Here:
    """In parts, empty where two cuts are the same."""
    rows, classes = records
    edges = [0, *sorted(cuts), classes.size]
    places = [slice(*pair) for pair in pairwise(edges)]
    return Here([(rows[place], classes[place]) for place in places], [])


def mechanism(n_classes: int) -> BlockObjective:
    return BlockObjective(epsilon=1, parts=BOX, n_classes=n_classes)


def both(n_classes: int, records: tuple[Any, np.ndarray], cuts: list[int]) -> tuple[Any, Any]:
    """The same objective of all records and of parts."""
    ours = mechanism(n_classes)
    tilt = np.linspace(-1, 1, ours.n_vectors * WIDTH)
    return ours.objective(*records, tilt), ours._tilted(parted(records, cuts), tilt)


@pytest.mark.parametrize("n_classes", [2, 3])
@given(
    n=st.integers(0, 300),
    cuts=st.lists(st.integers(0, 300), max_size=9),
    sparse=st.booleans(),
    stretch=st.sampled_from([1e-3, 1.0, 300.0]),
)
def test_the_gradient_is_that_of_all_records_to_the_bit(
    n_classes: int, n: int, cuts: list[int], sparse: bool, stretch: float
) -> None:
    whole, parts = both(n_classes, data(n, n_classes, sparse=sparse), [min(cut, n) for cut in cuts])
    assert isinstance(parts, PartedObjective)
    weights = stretch * np.linspace(-1, 2, whole.penalty.tilt.size)
    value, gradient = parts.value_and_gradient(weights)
    expected, exact = whole.value_and_gradient(weights)
    np.testing.assert_array_equal(gradient, exact)
    assert value == pytest.approx(expected, rel=1e-13)
    matrix = parts.hessian(weights)
    np.testing.assert_allclose(matrix, whole.hessian(weights), rtol=1e-12, atol=1e-12)
    again, slope, curved = parts.expansion(weights)
    assert again == value
    np.testing.assert_array_equal(slope, exact)
    np.testing.assert_array_equal(curved, matrix)
    assert parts.n_records == whole.n_records == n
    np.testing.assert_allclose(
        parts.curvature(weights)(exact), matrix @ exact, rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("n_classes", [2, 3])
def test_more_records_than_a_chunk_holds_lose_nothing_either(n_classes: int) -> None:
    """Sums of many chunks are beyond 2^53 units: what rounding loses is carried along."""
    n = 200_000
    records = data(n, n_classes, seed=1)
    whole, parts = both(n_classes, records, [70_000, 70_001, 130_000])
    weights = np.linspace(-2, 3, whole.penalty.tilt.size)
    found, exact = (one.value_and_gradient(weights)[1] for one in (parts, whole))
    np.testing.assert_array_max_ulp(found, exact, maxulp=2)


@pytest.mark.parametrize("dense_up_to", [600, 0], ids=["matrix", "products"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_what_is_drawn_is_within_the_gap_of_what_one_place_draws(
    monkeypatch: pytest.MonkeyPatch, n_classes: int, dense_up_to: int
) -> None:
    monkeypatch.setattr(newton_module, "_DENSE_PARAMETERS", dense_up_to)
    ours, records = mechanism(n_classes), data(4000, n_classes)
    here = ours.draw(records, SeededNoise(5))
    there = ours.draw(parted(records, [0, 0, 900, 2500]), SeededNoise(5))
    gap = SolverGap(
        epsilon=Fraction(ours.epsilon) * GAP_SHARE,
        regularization=ours.regularization,
        n_classes=n_classes,
        radius=WIDTH**0.5,
    )
    # The same noise is added to both; the grid is 2^-10 of the reach, shared among the entries.
    assert np.abs(here - there).sum() <= gap.reach(here.size) * (1 + 2**-9)
    other = ours.draw(parted(records, [900]), SeededNoise(6))
    assert np.abs(here - other).sum() > 1e3 * gap.reach(here.size)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_sample_is_every_so_many_th_record_of_each_part(n_classes: int) -> None:
    records, n = data(64, n_classes), 64
    whole, parts = both(n_classes, records, [16, 16, 48])
    weights = np.linspace(-1, 2, whole.penalty.tilt.size)
    found, expected = (one.sampled(8).value_and_gradient(weights)[1] for one in (parts, whole))
    np.testing.assert_array_equal(found, expected)
    assert parts.sampled(8).n_records == n // 8
    # As many times the share is the whole, of records that are all the same.
    same = (np.ones((n, WIDTH)), np.zeros(n, dtype=np.int64))
    whole, parts = both(n_classes, same, [8, 40])
    full = parts.value_and_gradient(weights)[1]
    np.testing.assert_allclose(8 * parts.sampled(8).value_and_gradient(weights)[1], full)


def test_a_step_asks_the_parts_once() -> None:
    ours, parts = mechanism(2), parted(data(300, 2), [100])
    ours.draw(parts, SeededNoise(0))
    assert [task for task in parts.told if getattr(task, "func", task).__name__ == "_hessian"] == []


def test_no_part_is_told_the_tilt() -> None:
    ours, parts = mechanism(2), parted(data(50, 2), [20])
    tilt = np.array([12.0, 13.0, 14.0])
    objective = ours._tilted(parts, tilt)
    objective.value_and_gradient(np.zeros(WIDTH))
    objective.hessian(np.zeros(WIDTH))
    objective.expansion(np.zeros(WIDTH))
    objective.sampled(5).expansion(np.zeros(WIDTH))
    objective.curvature(np.zeros(WIDTH))(np.ones(WIDTH))
    assert len(parts.told) == 7
    for part in objective.parts.parts:  # type: ignore[union-attr]
        assert part.penalty.regularization == 0
        assert not part.penalty.tilt.any()
    for task in parts.told:
        sent = pickle.dumps(task)
        assert all(number.tobytes() not in sent for number in tilt)
    untold = Penalty.none(WIDTH).value_and_gradient(np.ones(WIDTH))
    assert untold[0] == 0
    assert not untold[1].any()
