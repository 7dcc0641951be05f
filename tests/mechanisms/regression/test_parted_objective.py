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
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import BlockObjective
from dpcore.mechanisms.regression import newton as newton_module
from dpcore.mechanisms.regression.logistic_objective import Penalty
from dpcore.mechanisms.regression.parted_objective import (
    PartedObjective,
    RowPart,
    laws,
    shares,
    squared_radius,
)
from dpcore.mechanisms.regression.solver_gap import GAP_SHARE, SolverGap

PARTS = (
    RowPart(kind="box", width=3),
    RowPart(kind="ones", width=4, most=2),
    RowPart(kind="shares", width=5, most=3),
)

# Of cells beside the numbers that they are cut from.
NEAR = (RowPart(kind="ones", width=4, reach=0.25), RowPart(kind="box", width=2, reach=0.5))


def rows(part: RowPart, rng: np.random.Generator) -> np.ndarray:
    """Extreme rows of a part."""
    if part.kind == "box":
        return part.reach * rng.choice([-1.0, 1.0], size=part.width)
    row = np.zeros(part.width)
    row[rng.permutation(part.width)[: part.most]] = part.reach
    return part.reach * row / row.sum() if part.kind == "shares" else row


def residuals(n_classes: int, rng: np.random.Generator) -> np.ndarray:
    """Of a record: probabilities less the indicator of its class; one number for two classes."""
    if n_classes == 2:
        return rng.uniform(-1, 1, size=1)
    return rng.dirichlet(np.ones(n_classes)) - np.eye(n_classes)[0]


@given(st.sampled_from(PARTS + NEAR), st.sampled_from([2, 3, 5, 12]), st.integers(0, 10**6))
def test_shifting_by_a_gradient_moves_the_log_density_by_the_residuals_of_the_rate(
    part: RowPart, n_classes: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    residual, law = residuals(n_classes, rng), part.law(0.7, n_classes)
    tilt = rng.normal(size=(residual.size, part.width)) * 5
    gradient = np.outer(residual, rows(part, rng))
    moved = abs(law.log_density(tilt + gradient) - law.log_density(tilt))
    assert moved <= 0.7 * np.abs(residual).sum() + 1e-12


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("n_classes", [2, 3, 12])
def test_noise_has_a_row_per_class_and_adds_up_as_gradients_do(
    part: RowPart, n_classes: int
) -> None:
    drawn = part.law(0.7, n_classes).sample(SeededNoise(0))
    assert drawn.shape == (1 if n_classes == 2 else n_classes, part.width)
    if n_classes == 3:
        np.testing.assert_allclose(drawn.sum(axis=0), 0.0, atol=1e-9)


@pytest.mark.parametrize("part", PARTS + NEAR)
def test_the_bound_is_reached(part: RowPart) -> None:
    row = rows(part, np.random.default_rng(0))[np.newaxis]
    law = part.law(0.7)
    assert law.log_density(row) - law.log_density(2 * row) == pytest.approx(0.7)


@given(st.integers(0, 10**6))
def test_no_row_is_longer_than_the_radius(seed: int) -> None:
    rng = np.random.default_rng(seed)
    row = np.concatenate([rows(part, rng) for part in PARTS])
    assert row @ row - 1e-12 <= squared_radius(PARTS) == pytest.approx(5 + 1 / 3)
    near = np.concatenate([rows(part, rng) for part in NEAR])
    assert near @ near == pytest.approx(squared_radius(NEAR))


def test_shares_add_up_and_minimise_the_variance() -> None:
    best = np.array(shares([part.law(1.0) for part in PARTS]))
    assert best.sum() == pytest.approx(1.0)

    def variance(share: np.ndarray) -> float:
        return sum(p.law(float(s)).variance for p, s in zip(PARTS, share, strict=True))

    for shift in (0.05, -0.05):
        assert variance(best) < variance(best + np.array([shift, -shift, 0.0]))


# Levels of several columns, cells of two numbers that reach less far, and what stays alone.
SEVERAL = (
    *PARTS[:2],
    *(RowPart(kind="ones", width=width) for width in (9, 2, 3, 70)),
    *(RowPart(kind="ones", width=4, reach=0.25) for _ in range(2)),
)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_similar_blocks_have_one_law_where_it_is_less_noise(n_classes: int) -> None:
    found = [columns.tolist() for columns, _ in laws(SEVERAL, 1.0, n_classes)]
    assert sorted(column for columns in found for column in columns) == [*range(99)]
    # Two and three levels, which stand behind nine; cells reach less far and are by themselves.
    assert sorted(map(len, found)) == sorted([3, 4, 9, 70, 5, 8])
    assert [*range(16, 21)] in found
    unlike = tuple(RowPart(kind="ones", width=width) for width in (10, 40))
    assert len(laws(unlike, 1.0, n_classes)) == (1 if n_classes == 2 else 2)


@given(st.integers(0, 10**6))
def test_all_laws_together_move_by_the_residuals_of_the_rate(seed: int) -> None:
    """Noise of one law for several blocks protects a row of all of them, and no more than that."""
    rng = np.random.default_rng(seed)
    residual = residuals(2, rng)
    gradient = np.outer(residual, np.concatenate([rows(part, rng) for part in SEVERAL]))
    tilt = 5 * rng.normal(size=gradient.shape) * rng.choice([0.0, 1.0], size=gradient.shape)

    def log_density(at: np.ndarray) -> float:
        return sum(law.log_density(at[:, columns]) for columns, law in laws(SEVERAL, 0.7))

    most = 0.7 * np.abs(residual).sum()
    assert abs(log_density(tilt + gradient) - log_density(tilt)) <= most + 1e-9
    assert log_density(gradient) - log_density(2 * gradient) == pytest.approx(most)


@pytest.mark.parametrize(
    "bad",
    [
        {"kind": "ball", "width": 1},
        {"kind": "box", "width": 0},
        {"kind": "box", "width": 1, "reach": 1.5},
    ],
)
def test_bad_arguments_are_named(bad: dict[str, object]) -> None:
    with pytest.raises(InvalidArgument, match="kind|width|reach"):
        RowPart(**bad)  # type: ignore[arg-type]


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


@pytest.mark.few(1)
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
    ours, parts = mechanism(2), parted(data(200, 2), [100])
    ours.draw(parts, SeededNoise(0))
    assert [
        task
        for task in parts.told
        if getattr(getattr(task, "func", task), "__name__", "") == "_hessian"
    ] == []


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
