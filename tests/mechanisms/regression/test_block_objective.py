"""Block-wise objective perturbation: exact loss for two and three classes, and what it draws."""

from __future__ import annotations

from functools import partialmethod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import BlockObjective
from dpcore.mechanisms.regression.parted_objective import RowPart
from dpcore.mechanisms.regression.signed_blocks import ContrastsOfBlocks
from tests.mechanisms._objective_loss import Data, Density, Record
from tests.mechanisms.regression._contrasts_density import log_density
from tests.statistical.fit import FALSE_ALARM, continuous_p

BOX = (RowPart(kind="box", width=1),)

MIXED = (RowPart(kind="box", width=2), RowPart(kind="ones", width=2))

# Two blocks whose noise has one law.
BLOCKS = (RowPart(kind="ones", width=1), RowPart(kind="ones", width=2))


def records(parts: tuple[RowPart, ...], n_classes: int) -> list[Record]:
    rows = [(x,) for x in (-1.0, -0.3, 0.0, 1.0)]
    ones = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
    if parts is MIXED:
        rows = [(*box, *one) for box in ((1.0, -1.0), (-0.5, 1.0)) for one in ones]  # type: ignore[misc]
    if parts is BLOCKS:
        rows = [(*one, *two) for one in ((0.0,), (1.0,)) for two in ones]  # type: ignore[misc]
    return [(row, label) for row in rows for label in range(n_classes)]


def density(mechanism: BlockObjective, factor: float = 1.0) -> Density:
    """The density of the minimiser, with the noise shrunk by a factor."""
    return Density(
        mechanism,
        lambda tilt: mechanism.log_density(factor * tilt),
        lambda labels: labels,
        mechanism.dimension,
    )


def worst_loss(mechanism: BlockObjective, factor: float, points: np.ndarray) -> float:
    """Largest log-ratio over neighbours and points, with the noise shrunk by a factor."""
    known = records(mechanism.parts, mechanism.n_classes)
    bases: list[Data] = [[], [known[0]], known]
    return density(mechanism, factor).worst_loss(known, bases, points)


def points(mechanism: BlockObjective, count: int) -> np.ndarray:
    """Far and near points, along axes and diagonals."""
    size = mechanism.n_vectors * mechanism.dimension
    rng = np.random.default_rng(0)
    scattered = rng.normal(size=(count, size)) * rng.choice([1.0, 5.0, 40.0], size=(count, 1))
    return reachable(mechanism, np.vstack([scattered, 60 * np.eye(size), -60 * np.eye(size)]))


def reachable(mechanism: BlockObjective, where: np.ndarray) -> np.ndarray:
    """The nearest points that can be minimisers: over more than two classes they add up to 0."""
    if mechanism.n_classes == 2:
        return where
    blocks = where.reshape(len(where), mechanism.n_vectors, -1)
    return (blocks - blocks.mean(axis=1, keepdims=True)).reshape(len(where), -1)


@pytest.mark.few(3)
@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize(
    "parts, epsilon, n_classes",
    [
        *((parts, epsilon, 2) for parts in (BOX, MIXED, BLOCKS) for epsilon in (1.0, 0.2, 4.0)),
        *((parts, 1.0, 3) for parts in (BOX, MIXED)),
    ],
)
def test_exact_loss(
    parts: tuple[RowPart, ...], epsilon: float, n_classes: int, neighbors: Neighbors
) -> None:
    mechanism = BlockObjective(
        epsilon=epsilon, parts=parts, n_classes=n_classes, neighbors=neighbors
    )
    where = points(mechanism, 10)
    assert worst_loss(mechanism, 1.0, where) <= epsilon
    # More than two classes pay for a bound on the Jacobian that these points hardly reach.
    caught = 2.0 if n_classes == 2 else 3.0
    assert worst_loss(mechanism, caught, where) > epsilon, "less noise passes"


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_exact_loss_of_three_classes_whose_blocks_have_one_law(
    neighbors: Neighbors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ContrastsOfBlocks, "log_density", partialmethod(log_density, step=0.2))
    parts = (RowPart(kind="ones", width=1),) * 2
    mechanism = BlockObjective(epsilon=1, parts=parts, n_classes=3, neighbors=neighbors)
    rows = [(0.0, 1.0), (1.0, 0.0), (1.0, 1.0)]
    known = [(row, label) for row in rows for label in range(3)]
    where = reachable(mechanism, 2.0 * np.vstack([np.eye(6)[:3], -np.eye(6)[:1]]))
    assert density(mechanism).worst_loss(known, [known], where) <= 1.0
    assert density(mechanism, 3.0).worst_loss(known, [known], where) > 1.0, "less noise passes"


@pytest.mark.few(1)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_weaker_penalty_would_not_be_private(n_classes: int) -> None:
    """The concavity argument needs strength 1: far below it, the Jacobian shows."""
    proper = BlockObjective(epsilon=0.5, parts=BOX, n_classes=n_classes)

    class Weak(BlockObjective):
        @property
        def regularization(self) -> float:
            return super().regularization / 30

    weak = Weak(epsilon=0.5, parts=BOX, n_classes=n_classes)
    where = np.linspace(-6, 6, 61)[:, np.newaxis] * np.ones((1, proper.n_vectors))
    where[:, 0] *= -1.0
    where = reachable(proper, where)
    assert worst_loss(proper, 1.0, where) <= 0.5 < worst_loss(weak, 1.0, where)


@pytest.mark.few(3)
@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("parts", [BOX, MIXED, BLOCKS])
@pytest.mark.parametrize(
    "epsilon, exaggeration", [(1.0, (1.0, 1.0)), (0.2, (0.5, 3.0)), (4.0, (0.3125, 0.0625))]
)
def test_exact_loss_with_exaggerated_labels(
    parts: tuple[RowPart, ...],
    epsilon: float,
    exaggeration: tuple[float, float],
    neighbors: Neighbors,
) -> None:
    """Noise and penalty grow with the longest residual; that of plain labels would not do."""
    told = {"epsilon": epsilon, "parts": parts, "neighbors": neighbors}
    strength = 1.0 + max(exaggeration)
    mechanism = BlockObjective(**told, strength=strength, exaggeration=exaggeration)  # type: ignore[arg-type]
    where = points(mechanism, 10)
    assert worst_loss(mechanism, 1.0, where) <= epsilon
    assert worst_loss(mechanism, max(strength, 2.0), where) > epsilon, "less noise passes"


def test_exaggerated_labels_need_the_stronger_penalty() -> None:
    class Weak(BlockObjective):
        @property
        def regularization(self) -> float:
            return super().regularization / 30

    told = {"epsilon": 0.5, "parts": BOX, "strength": 3.0, "exaggeration": (1.0, 2.0)}
    where = np.linspace(-6, 6, 61)[:, np.newaxis]
    assert worst_loss(BlockObjective(**told), 1.0, where) <= 0.5  # type: ignore[arg-type]
    assert worst_loss(Weak(**told), 1.0, where) > 0.5  # type: ignore[arg-type]


@given(
    st.floats(0.01, 20),
    st.floats(1, 50),
    st.integers(0, 48),
    st.integers(2, 9),
    st.sampled_from(list(Neighbors)),
)
def test_the_bound_of_the_proof(
    epsilon: float, strength: float, sixteenths: int, n_classes: int, neighbors: Neighbors
) -> None:
    """The stated bound over s in [0, 1] never exceeds epsilon, whatever the parameters."""
    most = sixteenths / 16 if n_classes == 2 else 0.0
    mechanism = BlockObjective(
        epsilon=epsilon,
        parts=MIXED,
        n_classes=n_classes,
        strength=strength + most,
        exaggeration=(most, 0.0),
        neighbors=neighbors,
    )
    s, others = np.linspace(0, 1, 1001), n_classes - 1
    kappa = 3.0 / mechanism.regularization
    if n_classes == 2:
        gained = np.log1p(kappa * s * (1 - s))
    else:
        gained = others * np.log1p(kappa * (2 * s - s**2 * n_classes / others) / others)
    steps = neighbors.pick(add_remove=1, replace=2)
    moved = mechanism.rate * (s + most) if n_classes == 2 else mechanism.epsilon_1 * s
    assert steps * (moved + gained).max() <= epsilon


@pytest.mark.parametrize("n_classes", [2, 3])
def test_curvature_and_gradient_of_a_record_are_as_the_proof_says(n_classes: int) -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        p = rng.dirichlet(np.full(n_classes, 0.3))
        s = 1 - p[0]
        residual = p - np.eye(n_classes)[0]
        assert np.abs(residual).sum() == pytest.approx(2 * s)
        trace = np.trace(np.diag(p) - np.outer(p, p))
        assert trace <= 2 * s - s**2 * n_classes / (n_classes - 1) + 1e-12


def test_draws_follow_the_exact_density() -> None:
    mechanism, noise = BlockObjective(epsilon=2, parts=BOX), SeededNoise(0)
    data: Data = [((1.0,), 1), ((-0.5,), 0), ((0.7,), 1)]
    rows = np.array([row for row, _ in data])
    labels = np.array([label for _, label in data])
    draws = np.array([mechanism.draw((rows, labels), noise)[0, 0] for _ in range(1_000)])
    grid = np.linspace(-40, 40, 8001)
    logs = density(mechanism).at(data, grid[:, np.newaxis])
    heights = np.exp(logs - logs.max())
    cdf = np.cumsum(heights) / heights.sum()
    assert continuous_p(draws, lambda w: np.interp(w, grid, cdf)) > FALSE_ALARM
    for factor in (0.7, 1.3):
        assert continuous_p(draws * factor, lambda w: np.interp(w, grid, cdf)) < FALSE_ALARM


def test_the_anchor_is_where_no_records_pull() -> None:
    anchor = np.array([3.0, -1.0, 0.0, 2.0])
    mechanism = BlockObjective(epsilon=1e7, parts=MIXED, strength=1e9, anchor=anchor)
    drawn = mechanism.draw((np.zeros((0, 4)), np.zeros(0, dtype=np.int64)), SeededNoise(0))
    np.testing.assert_allclose(drawn[0], anchor, atol=1e-3)


def test_shape_is_a_vector_per_class_above_two() -> None:
    rows, labels = np.zeros((5, 4)), np.array([0, 1, 2, 1, 0])
    mechanism = BlockObjective(epsilon=1, parts=MIXED, n_classes=3)
    assert mechanism.draw((rows, labels), SeededNoise(0)).shape == (3, 4)


def test_loss_is_epsilon() -> None:
    assert BlockObjective(epsilon="0.7", parts=BOX).loss == Loss("0.7")


@pytest.mark.parametrize(
    "bad",
    [
        {"epsilon": 0},
        {"parts": ()},
        {"n_classes": 1},
        {"strength": 0.5},
        {"exaggeration": (0.0, 0.1), "strength": 2.0},
        {"exaggeration": (3.5, 0.0), "strength": 9.0},
        {"exaggeration": (0.0, -0.5), "strength": 9.0},
        {"exaggeration": (0.5, 0.5), "n_classes": 3, "strength": 2.0},
        {"strength": 1.5, "exaggeration": (0.0, 1.0)},
    ],
)
def test_bad_arguments_are_named(bad: dict[str, object]) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(bad))):
        BlockObjective(**({"epsilon": 1.0, "parts": BOX} | bad))  # type: ignore[arg-type]


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_no_more_is_spent_on_the_gradient_than_makes_a_penalty_felt(neighbors: Neighbors) -> None:
    known = {"parts": MIXED, "neighbors": neighbors}
    most = BlockObjective(epsilon=2**30 * neighbors.steps, **known)
    beyond = BlockObjective(epsilon=10**20, **known)
    assert beyond.epsilon_1 == most.epsilon_1 == 2**30 * 0.999
    assert beyond.loss == Loss(10**20)
    below = BlockObjective(epsilon=2**29 * neighbors.steps, **known)
    assert below.epsilon_1 == 2**29 * 0.999
