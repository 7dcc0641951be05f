"""The solver reaches its tolerance, however it takes its steps, or stays where it started."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize as reference
from scipy.sparse import csr_array

from dpcore.mechanisms.regression import newton
from dpcore.mechanisms.regression.logistic_objective import (
    BinaryObjective,
    Objective,
    Penalty,
    SoftmaxObjective,
)
from dpcore.mechanisms.regression.tables import ColumnGroups, Table

# No row below is longer.
RADIUS = 6.0


def problem(seed: int, size: int = 6, strength: float = 0.5) -> BinaryObjective:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(200, size))
    signs = np.where(rows @ rng.normal(size=size) + rng.normal(size=200) > 0, 1.0, -1.0)
    tilt = 5 * rng.normal(size=size)
    return BinaryObjective(
        rows, signs, Penalty(regularization=strength, anchor=np.zeros(size), tilt=tilt)
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_gradient_vanishes(seed: int) -> None:
    objective = problem(seed)
    found = newton.minimise(objective, np.zeros(6), tolerance=1e-10, radius=RADIUS)
    assert np.linalg.norm(objective.value_and_gradient(found)[1]) <= 1e-10


def test_it_agrees_with_a_general_optimiser() -> None:
    objective = problem(0)
    found = newton.minimise(objective, np.zeros(6), tolerance=1e-10, radius=RADIUS)
    other = reference(objective.value_and_gradient, np.zeros(6), jac=True, options={"gtol": 1e-8})
    np.testing.assert_allclose(found, other.x, atol=1e-5)


def test_conjugate_gradients_reach_the_same_point(monkeypatch: pytest.MonkeyPatch) -> None:
    objective = problem(1)
    factored = newton.minimise(objective, np.zeros(6), tolerance=1e-10, radius=RADIUS)
    monkeypatch.setattr(newton, "_DENSE_PARAMETERS", 0)
    iterated = newton.minimise(objective, np.zeros(6), tolerance=1e-10, radius=RADIUS)
    np.testing.assert_allclose(iterated, factored, atol=1e-8)


def test_separable_data_from_a_far_start() -> None:
    rows, signs = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    weak = Penalty(regularization=1e-3, anchor=np.zeros(1), tilt=np.zeros(1))
    objective = BinaryObjective(rows, signs, weak)
    found = newton.minimise(objective, np.array([-500.0]), tolerance=1e-8, radius=RADIUS)
    assert np.linalg.norm(objective.value_and_gradient(found)[1]) <= 1e-8


def test_no_records_at_all() -> None:
    still = Penalty(regularization=2.0, anchor=np.ones(3), tilt=np.full(3, 4.0))
    objective = BinaryObjective(np.zeros((0, 3)), np.zeros(0), still)
    found = newton.minimise(objective, np.zeros(3), tolerance=1e-9, radius=RADIUS)
    np.testing.assert_allclose(found, -1.0)


def hard_problem() -> tuple[BinaryObjective, np.ndarray]:
    """Far from the minimum, and full steps would leap over it ever farther."""
    rows, signs = np.array([[6.0], [-6.0]] * 50), np.array([1.0, -1.0] * 50)
    weak = Penalty(regularization=0.05, anchor=np.zeros(1), tilt=np.zeros(1))
    return BinaryObjective(rows, signs, weak), np.array([-40.0])


def test_damped_steps_alone_converge(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left when searching for lengths has not led there: slower, and by a theorem."""
    monkeypatch.setattr(newton, "_SEARCHED_STEPS", 0)
    for objective, start in ((problem(0), np.zeros(6)), hard_problem()):
        found = newton.minimise(objective, start, tolerance=1e-9, radius=RADIUS)
        assert np.linalg.norm(objective.value_and_gradient(found)[1]) <= 1e-7


def test_a_damped_step_lowers_the_function_as_the_theorem_says() -> None:
    objective, weights = hard_problem()
    change, strong = np.sqrt(2) * RADIUS, objective.penalty.regularization
    checked = 0
    while True:
        value, gradient = objective.value_and_gradient(weights)
        step, product = newton._newton_step(objective, weights, gradient, loosely=False)
        decrement = newton._decrement(objective, gradient, step, product)
        if change * decrement <= np.sqrt(strong) / 4:
            break
        stretch = change * np.linalg.norm(step)
        weights = weights + np.log1p(stretch) / stretch * step
        assert value - objective.value_and_gradient(weights)[0] >= 0.028 * strong / change**2
        checked += 1
    assert checked > 3
    near = weights + newton._newton_step(objective, weights, gradient, loosely=False)[0]
    gradient = objective.value_and_gradient(near)[1]
    step, product = newton._newton_step(objective, near, gradient, loosely=False)
    assert newton._decrement(objective, gradient, step, product) < decrement / 6


def test_the_start_stands_in_where_arithmetic_is_too_rough() -> None:
    """An error would tell that these records are hard."""
    start = np.full(6, 0.25)
    found = newton.minimise(problem(0), start, tolerance=1e-40, radius=RADIUS)
    np.testing.assert_array_equal(found, start)


def test_conjugate_gradients_stand_in_for_a_failed_factorisation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = newton.minimise(problem(0), np.zeros(6), tolerance=1e-8, radius=RADIUS)

    def fail(matrix: np.ndarray) -> None:
        raise newton.LinAlgError("not positive definite")

    monkeypatch.setattr(newton, "cho_factor", fail)
    found = newton.minimise(problem(0), np.zeros(6), tolerance=1e-8, radius=RADIUS)
    np.testing.assert_allclose(found, expected, atol=1e-7)


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_the_decrement_is_never_understated(share: float) -> None:
    """However badly the step was solved for; exact for the exact step."""
    objective = problem(2)
    weights = np.linspace(-1, 1, 6)
    gradient, hessian = objective.value_and_gradient(weights)[1], objective.hessian(weights)
    exact = np.sqrt(gradient @ np.linalg.solve(hessian, gradient))
    step = -np.linalg.solve(hessian, gradient) + share * np.random.default_rng(0).normal(size=6)
    found = newton._decrement(objective, gradient, step, hessian @ step)
    assert found >= exact * (1 - 1e-12)
    if share == 0.0:
        assert found == pytest.approx(exact)


def noted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What is asked of objectives, and of how many records."""
    asked: list[tuple[str, int]] = []

    def spy(name: str) -> None:
        method = getattr(BinaryObjective, name)

        def noting(self: BinaryObjective, weights: np.ndarray) -> object:
            asked.append((name, self.n_records))
            return method(self, weights)

        monkeypatch.setattr(BinaryObjective, name, noting)

    spy("loss_sums")
    spy("hessian")
    return asked


def large_problem() -> BinaryObjective:
    rng = np.random.default_rng(3)
    rows = rng.uniform(-1, 1, (20_000, 4))
    signs = np.where(rows @ [4.0, -3.0, 2.0, 0.0] + rng.logistic(size=20_000) > 1, 1.0, -1.0)
    penalty = Penalty(regularization=4.0, anchor=np.zeros(4), tilt=np.full(4, 20.0))
    return BinaryObjective(rows, signs, penalty)


def test_a_sample_takes_the_first_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    objective, start = large_problem(), np.zeros(4)
    asked = noted(monkeypatch)
    found = newton.minimise(objective, start, tolerance=1e-8, radius=2.0)
    of_all = [one for one in asked if one[1] == 20_000]
    # A record of the sample is one in sixteen; second derivatives of a quarter are asked for once
    # where those of a sample are of too few, and an exact gradient of all where it is not known how
    # rough the other one is.
    assert asked.count(("hessian", 20_000 // 16)) == 2
    assert ("hessian", 20_000 // 4) not in asked
    assert of_all == []
    asked.clear()
    with monkeypatch.context() as few:
        few.setattr(newton, "_ALIKE", 10**9)
        again = newton.minimise(objective, start, tolerance=1e-8, radius=2.0)
    assert [asked.count(("hessian", 20_000 // part)) for part in (16, 4)] == [1, 1]
    np.testing.assert_allclose(again, found, rtol=0, atol=1e-10)
    asked.clear()
    with monkeypatch.context() as unknown:
        unknown.setattr(BinaryObjective, "roughness", lambda it, w: np.inf)
        again = newton.minimise(objective, start, tolerance=1e-8, radius=2.0)
    assert [one for one in asked if one[1] == 20_000] == [("loss_sums", 20_000)]
    assert np.array_equal(again, found)
    asked.clear()
    monkeypatch.setattr(newton, "_RECORDS_PER_PARAMETER", 10**9)
    alone = newton.minimise(objective, start, tolerance=1e-8, radius=2.0)
    assert asked.count(("hessian", 20_000)) > 3
    np.testing.assert_allclose(found, alone, rtol=0, atol=1e-10)
    assert np.linalg.norm(objective.value_and_gradient(found)[1]) <= 1e-8


def test_objectives_of_the_same_records_share_a_start_and_second_derivatives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each solution is near its minimiser, whoever asks first."""
    first, rng = large_problem(), np.random.default_rng(1)
    tilts = [20.0 * rng.normal(size=4) for _ in range(4)]
    objectives = [replace(first, penalty=replace(first.penalty, tilt=tilt)) for tilt in tilts]
    told = {"start": np.full(4, 0.1), "tolerance": 1e-8, "radius": 2.0}
    alone = [newton.minimise(one, **told) for one in objectives]
    asked, common = noted(monkeypatch), newton.Common()
    shared = [newton.minimise(one, **told, common=common) for one in objectives]
    assert asked.count(("hessian", 20_000)) == 1
    assert asked.count(("hessian", 20_000 // 16)) == 2
    assert ("loss_sums", 20_000) not in asked
    # As far apart as strong convexity lets points be whose gradients are as long as that.
    least = first.penalty.regularization
    enough = newton._OF_MANY * 1e-8 * least**0.5
    assert np.linalg.norm(np.subtract(shared, alone), axis=1).max() <= enough / least
    for one, found in zip(objectives, shared, strict=True):
        assert np.linalg.norm(one.value_and_gradient(found)[1]) <= enough
    other = newton.Common()
    turned = [newton.minimise(one, **told, common=other) for one in reversed(objectives)]
    assert np.array_equal(turned[::-1], shared)
    # Under a strong penalty there is little in common: nothing is asked of all records for it.
    asked.clear()
    strong = replace(first, penalty=replace(first.penalty, regularization=40.0))
    newton.minimise(strong, **told, common=common)
    assert ("hessian", 20_000) not in asked


def test_a_sample_that_misleads_costs_steps_and_nothing_else() -> None:
    """Every sixteenth record contradicts all the others."""
    honest = large_problem()
    signs = honest.signs.copy()
    signs[::16] *= -1.0
    objective = BinaryObjective(honest.rows, signs, honest.penalty)
    found = newton.minimise(objective, np.zeros(4), tolerance=1e-8, radius=2.0)
    assert np.linalg.norm(objective.value_and_gradient(found)[1]) <= 1e-7


@pytest.mark.parametrize("kind", ["binary", "softmax", "sparse"])
def test_a_rough_gradient_is_the_exact_one_but_for_rounding(kind: str) -> None:
    binary = large_problem()
    objective: Objective = binary
    weights = np.array([0.3, -1.0, 2.0, 0.5])
    if kind == "sparse":
        objective = BinaryObjective(csr_array(binary.rows), binary.signs, binary.penalty)
    if kind == "softmax":
        classes, three = (binary.signs > 0).astype(np.int64), np.arange(12.0) / 5.0
        penalty = Penalty(regularization=2.0, anchor=np.ones(12), tilt=three)
        objective = SoftmaxObjective(binary.rows, classes, 3, penalty)
        weights = three[::-1].copy()
    rough = objective.rough_gradient(weights)
    np.testing.assert_allclose(rough, objective.value_and_gradient(weights)[1], rtol=1e-9)


@pytest.mark.parametrize("records", [1, 3_000, 200_000])
@pytest.mark.parametrize("size, scale", [(1, 1e-3), (4, 3.0), (30, 40.0)])
@pytest.mark.parametrize("exaggeration", [(0.0, 0.0), (1.0, 3.0)])
def test_how_rough_a_gradient_may_be_is_known(
    records: int, size: int, scale: float, exaggeration: tuple[float, float]
) -> None:
    """It is never off by more, and what it may be off by is a small share of what is added up."""
    rng = np.random.default_rng(records + size)
    rows = np.rint(rng.uniform(-1.0, 1.0, (records, size)) * 2.0**24) / 2.0**24
    signs = np.where(rows[:, 0] > rng.normal(size=records), 1.0, -1.0)
    objective = BinaryObjective(np.asfortranarray(rows), signs, Penalty.none(size), exaggeration)
    weights = scale * rng.normal(size=size)
    exact = objective.value_and_gradient(weights)[1]
    off, most = (
        np.linalg.norm(objective.rough_gradient(weights) - exact),
        objective.roughness(weights),
    )
    assert off <= most <= 1e-11 * records * size
    sparse = BinaryObjective(csr_array(rows), signs, Penalty.none(size))
    assert sparse.roughness(weights) == np.inf


@pytest.mark.parametrize("records", [1, 3_000, 200_000])
@pytest.mark.parametrize("widths, scale", [((1,), 1e-3), ((4, 9), 3.0), ((30, 40, 3, 900), 40.0)])
@pytest.mark.parametrize("exaggeration", [(0.0, 0.0), (1.0, 3.0)])
def test_how_rough_a_gradient_of_cells_may_be_is_known(
    records: int, widths: tuple[int, ...], scale: float, exaggeration: tuple[float, float]
) -> None:
    """Whether all lie in one cell or not; and little enough to know that a gradient is short."""
    rng, size = np.random.default_rng(records + len(widths)), sum(widths)
    starts = tuple(np.cumsum([0, *widths[:-1]]).tolist())
    groups = ColumnGroups(starts, widths, tuple(1.0 / 2.0**at for at in range(len(widths))), size)
    signs = rng.choice([-1.0, 1.0], records)
    spread = np.array([rng.integers(0, width, records) for width in widths], dtype=np.int32)
    for places in (spread, np.zeros_like(spread)):
        objective = BinaryObjective(Table(places, groups), signs, Penalty.none(size), exaggeration)
        weights = scale * rng.normal(size=size)
        exact = objective.value_and_gradient(weights)[1]
        off, most = (
            np.linalg.norm(objective.rough_gradient(weights) - exact),
            objective.roughness(weights),
        )
        assert off <= most
        if places is spread and size > 1:
            assert most <= 2e-12 * records


def test_a_rough_gradient_that_lies_does_not_end_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The exact gradient decides whether a polished point will do, unless it cannot lie as much."""
    objective, true = large_problem(), BinaryObjective.rough_gradient
    wrong = np.array([1.0, 0.0, 0.0, 0.0])
    monkeypatch.setattr(BinaryObjective, "roughness", lambda it, w: 1.0)
    monkeypatch.setattr(BinaryObjective, "rough_gradient", lambda it, w: true(it, w) + wrong)
    found = newton.minimise(objective, np.zeros(4), tolerance=1e-8, radius=2.0)
    assert np.linalg.norm(objective.value_and_gradient(found)[1]) <= 1e-8


@pytest.mark.parametrize("seed", range(5))
def test_rough_gradients_that_are_noise_raise_nothing(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """An error would tell of the records: noise that shrinks has no curvature to divide by."""
    rng, sizes = np.random.default_rng(seed), iter(0.6 ** np.arange(100.0))
    monkeypatch.setattr(
        BinaryObjective, "rough_gradient", lambda it, w: next(sizes) * _unit(rng.normal(size=4))
    )
    objective = large_problem()
    found = newton.minimise(objective, np.zeros(4), tolerance=1e-8, radius=2.0)
    assert np.linalg.norm(objective.value_and_gradient(found)[1]) <= 1e-8


@pytest.mark.parametrize("given", [0, 1, 2])
def test_gradients_that_are_not_to_be_had_end_the_polishing_and_not_the_search(
    monkeypatch: pytest.MonkeyPatch, given: int
) -> None:
    objective, true, left = large_problem(), BinaryObjective.rough_gradient, iter(range(given))
    monkeypatch.setattr(
        BinaryObjective,
        "rough_gradient",
        lambda it, w: None if next(left, None) is None else true(it, w),
    )
    found = newton.minimise(objective, np.zeros(4), tolerance=1e-8, radius=2.0)
    assert np.linalg.norm(objective.value_and_gradient(found)[1]) <= 1e-8


def test_second_derivatives_without_factors_leave_the_start_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert newton._factors(np.array([[1.0, 2.0], [2.0, 1.0]])) is None
    monkeypatch.setattr(newton, "_factors", lambda matrix: None)
    objective, start = large_problem(), np.full(4, 0.25)
    assert newton._polished(objective, start, 1e9) == (start, False)
    found = newton.minimise(objective, start, tolerance=1e-8, radius=2.0)
    assert np.linalg.norm(objective.value_and_gradient(found)[1]) <= 1e-8


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def test_after_a_head_start_the_public_start_still_stands_in() -> None:
    start = np.full(4, 0.25)
    found = newton.minimise(large_problem(), start, tolerance=1e-40, radius=2.0)
    np.testing.assert_array_equal(found, start)


def test_a_decrement_by_earlier_second_derivatives_is_never_understated() -> None:
    objective, change = problem(4), np.sqrt(2) * RADIUS
    weights = np.linspace(-1, 1, 6)
    here = newton._look(objective, weights)
    way = np.random.default_rng(0).normal(size=6)
    for drift in (0.001, newton._STILL):
        way *= drift / (change * np.linalg.norm(way))
        there = newton._full_step(objective, here, way, drift)
        assert there.matrix is here.matrix
        step, product = newton._newton_step(
            objective, there.weights, there.gradient, there.matrix, loosely=False
        )
        claimed = newton._decrement(objective, there.gradient, step, product)
        claimed *= np.exp(there.drift / 2)
        true = objective.hessian(there.weights)
        exact = np.sqrt(there.gradient @ np.linalg.solve(true, there.gradient))
        assert exact <= claimed <= exact * (1 + drift + 1e-9)
    too_far = newton._full_step(objective, here, way, 1.01 * newton._STILL)
    np.testing.assert_allclose(too_far.matrix, objective.hessian(too_far.weights))
