"""The gap's noise covers twice the distance that the solver may leave, and stays tiny."""

from __future__ import annotations

from decimal import Decimal, getcontext
from fractions import Fraction
from itertools import product
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from dpcore import Neighbors, SeededNoise
from dpcore.audit.mechanism_cases import mechanism_cases
from dpcore.mechanisms import BlockObjective, ObjectivePerturbation, OutputPerturbation
from dpcore.mechanisms.regression import block_objective as block_objective_module
from dpcore.mechanisms.regression import newton
from dpcore.mechanisms.regression import perturbation as objective_perturbation_module
from dpcore.mechanisms.regression.parted_objective import RowPart
from dpcore.mechanisms.regression.solver_gap import GAP_SHARE, SolverGap
from dpcore.privacy.loss import exact

getcontext().prec = 60


@pytest.mark.parametrize("regularization", [0.01, 1.0, 250.0])
@pytest.mark.parametrize("n_classes", [2, 7])
def test_reach_covers_two_runs_at_the_tolerance(regularization: float, n_classes: int) -> None:
    gap = SolverGap(
        epsilon=Fraction(1, 1000), regularization=regularization, n_classes=n_classes, radius=3.0
    )
    size = 9
    apart = 2 * 1.17 * (gap.tolerance + gap.rounding) / np.sqrt(regularization)
    assert gap.reach(size) >= np.sqrt(size) * apart
    assert gap.reach(size) <= 1e-6 * max(1.0, 1.0 / regularization)


def test_the_bound_on_rounding_grows_with_what_it_depends_on() -> None:
    def rounding(n_classes: int, radius: float, regularization: float) -> float:
        return SolverGap(
            epsilon=Fraction(1),
            regularization=regularization,
            n_classes=n_classes,
            radius=radius,
        ).rounding

    # Twelve units in the last place of as many records as 2^40, added up as a random walk is.
    assert rounding(2, 0.0, 1.0) == pytest.approx(12 * 2.0**-53 * 2.0**20 + 2.0**-30)
    # Of nine classes and rows of length 100: residuals, what they are cut at, and weights.
    residuals, cut = 19 * 2.0**-53 * (8 * 2.0**40) ** 0.5, 2.0**-33 * 9 * 100.0 / 0.01
    weights = 2.0**-30 * np.log2(9) ** 0.5
    assert rounding(9, 100.0, 1e-4) == pytest.approx(residuals + cut + weights)


def test_output_lies_on_a_grid_near_the_solution() -> None:
    gap = SolverGap(epsilon=Fraction(1, 1000), regularization=4.0)
    solution = np.array([0.3, -20.0, 5.5])
    hidden = gap.hide(solution, SeededNoise(0))
    np.testing.assert_allclose(hidden, solution, atol=50 * gap.reach(3) * 1000)
    cells = hidden / 2.0**-60
    np.testing.assert_array_equal(cells, np.rint(cells))


@pytest.mark.parametrize("size", [1, 3, 50])
def test_solutions_a_reach_apart_keep_the_exact_loss(size: int) -> None:
    """Of discrete Laplace noise: the L1 distance in cells, over the scale; and most of it."""
    gap = SolverGap(epsilon=Fraction(1, 1000), regularization=1.0)
    far = np.zeros(size)
    for entry, direction in enumerate(np.random.default_rng(0).choice([-1.0, 1.0], size)):
        far[entry] = direction * gap.reach(size) / size
    nothing = mock.Mock(discrete_laplace=lambda scale, size: np.zeros(size, dtype=np.int64))
    ends = [gap.hide(end, nothing) / gap.cell(size) for end in (far / 2, -far / 2)]
    loss = Fraction(int(np.abs(ends[0] - ends[1]).sum())) / gap.scale(size)
    assert gap.epsilon * Fraction(99, 100) < loss <= gap.epsilon
    # A mutant of 70 % of the scale would exceed it.
    assert loss / Fraction(7, 10) > gap.epsilon


@pytest.mark.parametrize("factor, fits", [(1.0, True), (0.7, False), (1.3, False), (0.0, False)])
def test_the_noise_that_hides_has_that_scale(factor: float, fits: bool) -> None:
    gap, size = SolverGap(epsilon=Fraction(1, 2), regularization=1.0), 20_000
    source = SeededNoise(1)
    scaled = mock.Mock(
        discrete_laplace=lambda scale, size: (
            source.discrete_laplace(scale * Fraction(factor), size)
            if factor
            else np.zeros(size, dtype=np.int64)
        )
    )
    cells = np.abs(gap.hide(np.zeros(size), scaled)) / gap.cell(size)
    # The mean size is the scale, with a standard error of scale / sqrt(size); six of them.
    far_off = abs(cells.mean() / float(gap.scale(size)) - 1.0) > 6 / np.sqrt(size)
    assert bool(far_off) is not fits


@pytest.mark.parametrize("regression", [BlockObjective, ObjectivePerturbation, OutputPerturbation])
def test_every_regression_hides_its_solution(
    regression: type[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once for each release, with the noise of the gap, and nothing is added to it after."""
    hidden = []
    hide = SolverGap.hide

    def seen(gap: SolverGap, solution: np.ndarray, noise: Any) -> np.ndarray:
        hidden.append((gap, solution.size, hide(gap, solution, noise)))
        return hidden[-1][2]

    monkeypatch.setattr(SolverGap, "hide", seen)
    for neighbors in Neighbors:
        (case,) = mechanism_cases(regression, neighbors)
        hidden.clear()
        drawn = case.mechanism.draw(case.pairs[0].d, SeededNoise(0))
        ((gap, size, output),) = hidden
        assert np.ravel(drawn).tolist() == output.tolist()
        assert gap.epsilon == exact(case.mechanism.epsilon) * GAP_SHARE
        on_grid = output / gap.cell(size)
        np.testing.assert_array_equal(on_grid, np.rint(on_grid))


def test_huge_weights_are_clamped_not_wrapped() -> None:
    gap = SolverGap(epsilon=Fraction(1), regularization=1.0)
    hidden = gap.hide(np.array([1e20, -1e20]), SeededNoise(0))
    assert hidden[0] > 0 > hidden[1]


def exact_gradient(objective: Any, weights: np.ndarray, n_classes: int) -> np.ndarray:
    """Gradient to 60 digits, for rows of few distinct values."""
    rows = objective.rows if isinstance(objective.rows, np.ndarray) else objective.rows.toarray()
    targets = objective.signs if n_classes == 2 else objective.classes
    table = pd.DataFrame(np.column_stack([rows, targets])).value_counts().reset_index().to_numpy()
    distinct, counts = table[:, :-1], table[:, -1].astype(int)
    vectors = weights.reshape(-1, rows.shape[1])
    if n_classes == 2:
        vectors, low = np.vstack([0 * weights, weights]), -1
    else:
        low = 0
    exact = [[Decimal(w) for w in vector] for vector in vectors.tolist()]
    sums = [[Decimal(0)] * rows.shape[1] for _ in vectors]
    for (*row, target), count in zip(distinct.tolist(), counts.tolist(), strict=True):
        x = [Decimal(value) for value in row]
        odds = [sum(a * b for a, b in zip(x, w, strict=True)).exp() for w in exact]
        hit = int(target > 0) if low else int(target)
        for label, column in product(range(len(vectors)), range(len(x))):
            residual = odds[label] / sum(odds) - (label == hit)
            sums[label][column] += count * residual * x[column]
    flat = [value for vector in (sums[1:] if n_classes == 2 else sums) for value in vector]
    penalty = objective.penalty
    pull = [
        Decimal(penalty.regularization) * (Decimal(w) - Decimal(a)) + Decimal(b)
        for w, a, b in zip(
            *(v.tolist() for v in (weights, penalty.anchor, penalty.tilt)), strict=True
        )
    ]
    return np.array([float(one + other) for one, other in zip(flat, pull, strict=True)])


def spied(monkeypatch: pytest.MonkeyPatch, module: Any) -> dict[str, Any]:
    """What the mechanisms of a module hand to the solver, and what it finds."""
    seen: dict[str, Any] = {}

    def minimise(objective: Any, start: np.ndarray, *, tolerance: float, **told: Any) -> np.ndarray:
        found = newton.minimise(objective, start, tolerance=tolerance, **told)
        seen.update(objective=objective, found=found, tolerance=tolerance)
        return found

    monkeypatch.setattr(module, "minimise", minimise)
    return seen


def sorted_records(n: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Two features of -1 and 1 and a constant; sorted labels make long partial sums."""
    rng = np.random.default_rng(0)
    rows = np.column_stack([np.ones(n), (rng.uniform(size=(n, 2)) < 0.5) * 2.0 - 1.0])
    return rows, (np.arange(n) * n_classes // n).astype(np.int64)


@pytest.mark.few(1)
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_200_000_sorted_records_are_solved_within_the_distance(
    monkeypatch: pytest.MonkeyPatch, n_classes: int, sparse: bool
) -> None:
    rows, classes = sorted_records(200_000, n_classes)
    seen = spied(monkeypatch, block_objective_module)
    mechanism = BlockObjective(
        epsilon=1, parts=(RowPart(kind="box", width=3),), n_classes=n_classes
    )
    for seed in range(12 if n_classes == 2 and not sparse else 2):
        mechanism.draw((csr_array(rows) if sparse else rows, classes), SeededNoise(seed))
        assert (seen["found"] != 0).all(), "the fallback"
        assert_within_distance(seen, mechanism.regularization, n_classes)


def test_chaudhuri_s_objective_is_solved_within_the_distance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows, classes = sorted_records(200_000, 2)
    seen = spied(monkeypatch, objective_perturbation_module)
    mechanism = ObjectivePerturbation(epsilon=8, regularization=0.1)
    for seed in range(3):
        signs = 2.0 * classes - 1.0
        mechanism.draw((rows / np.sqrt(3.0), signs), SeededNoise(seed))
        assert_within_distance(seen, mechanism.effective_regularization, 2)


def assert_within_distance(seen: dict[str, Any], regularization: float, n_classes: int) -> None:
    """By the plain length of the exact gradient, which overstates the distance."""
    gap = SolverGap(epsilon=Fraction(1), regularization=regularization, n_classes=n_classes)
    assert seen["tolerance"] == gap.tolerance
    gradient = exact_gradient(seen["objective"], seen["found"], n_classes)
    assert np.linalg.norm(gradient) / regularization <= gap.distance


def test_the_exact_gradient_of_this_test_is_the_gradient() -> None:
    rows, classes = sorted_records(500, 3)
    mechanism = BlockObjective(epsilon=1, parts=(RowPart(kind="box", width=3),), n_classes=3)
    objective = mechanism.objective(rows, classes, np.linspace(-1, 1, 9))
    weights = np.linspace(2, -1, 9)
    expected = objective.value_and_gradient(weights)[1]
    np.testing.assert_allclose(exact_gradient(objective, weights, 3), expected, rtol=1e-14)


@pytest.mark.parametrize("sparse", [False, True])
def test_a_solver_that_fails_releases_the_anchor_and_raises_nothing(
    monkeypatch: pytest.MonkeyPatch, sparse: bool
) -> None:
    monkeypatch.setattr(newton, "_decrement", lambda *_: 1e-6)
    rows, classes = sorted_records(1000, 2)
    anchor = np.array([3.0, -1.0, 0.5])
    mechanism = BlockObjective(epsilon=1, parts=(RowPart(kind="box", width=3),), anchor=anchor)
    drawn = mechanism.draw((csr_array(rows) if sparse else rows, classes), SeededNoise(0))
    np.testing.assert_allclose(drawn[0], anchor, atol=1e-2)
    assert (drawn[0] != anchor).all(), "noise as always"
