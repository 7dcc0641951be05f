"""Output perturbation: the sensitivity of the minimiser, the exact loss, what it draws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import ObjectivePerturbation
from dpcore.mechanisms.regression.newton import minimise
from dpcore.mechanisms.regression.perturbation import OutputPerturbation
from dpcore.mechanisms.samplers.norm_noise import GammaSphere
from tests.mechanisms._objective_loss import Data, Density, Record
from tests.statistical.fit import FALSE_ALARM, continuous_p

# Directions almost at right angles to the far points below: there two gradients can be both long
# and opposite, which is the worst that a replacement can do (in one dimension it cannot).
ANGLES = np.deg2rad([0.0, 82.0, 98.0, 180.0, 262.0, 278.0])

RECORDS: list[Record] = [
    ((length * math.cos(angle), length * math.sin(angle)), label)
    for angle in ANGLES
    for length in (0.4, 1.0)
    for label in (0, 1)
]

# Many equal records turn the tilt at the minimiser across, so that its length feels the change.
BASES: list[Data] = [[], [RECORDS[0]], RECORDS, [RECORDS[7]] * 3000]

POINTS = np.array(
    [(radius * math.cos(a), radius * math.sin(a)) for a in ANGLES for radius in (0.1, 1, 5, 20, 80)]
)


def signs(labels: np.ndarray) -> np.ndarray:
    return np.where(labels == 1, 1.0, -1.0)


def worst_loss(mechanism: ObjectivePerturbation, rate: float) -> float:
    """Largest log-ratio of densities over all neighbours and points, at a rate of noise."""
    law = GammaSphere(rate=rate, dimension=2).log_density
    return Density(mechanism, law, signs, 2).worst_loss(RECORDS, BASES, POINTS)


@pytest.mark.few(2)
@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize(
    "epsilon, regularization, caught",
    # The published rule leaves half of epsilon unused where it raises the penalty (second case).
    [(1.0, 2.0, 2.0), (0.5, 0.05, 2.5), (3.0, 0.3, 2.0)],
)
def test_exact_loss(
    neighbors: Neighbors, epsilon: float, regularization: float, caught: float
) -> None:
    mechanism = ObjectivePerturbation(
        epsilon=epsilon, regularization=regularization, neighbors=neighbors
    )
    assert worst_loss(mechanism, mechanism.rate) <= epsilon
    assert worst_loss(mechanism, caught * mechanism.rate) > epsilon, "less noise passes"


def test_add_remove_calibration_does_not_cover_a_replacement() -> None:
    mechanism = ObjectivePerturbation(epsilon=1, regularization=2.0)
    law = GammaSphere(rate=mechanism.rate, dimension=2).log_density
    twin = ObjectivePerturbation(epsilon=1, regularization=2.0, neighbors=Neighbors.REPLACE)
    assert Density(twin, law, signs, 2).worst_loss(RECORDS, BASES, POINTS) > 1.5


def test_the_norm_bound_matters() -> None:
    """Rows twice as long as promised break the promise (scaling by R instead of R^2)."""
    mechanism = ObjectivePerturbation(epsilon=1, regularization=2.0)
    law = GammaSphere(rate=mechanism.rate, dimension=2).log_density
    far: list[Record] = [((2.0, 0.0), 1)]
    assert Density(mechanism, law, signs, 2).worst_loss(far, [[]], POINTS) > 1.5


@pytest.mark.few(1)
@pytest.mark.parametrize("radius", [10.0, 100.0, 1000.0])
def test_scaling_by_the_radius_where_its_square_is_due_is_caught(radius: float) -> None:
    """As diffprivlib 0.6.6 does for rows of length R: the same rule with c R in place of c R^2.

    With rows divided by R that is a penalty R times too small, at the same noise.
    """

    class Scaled(ObjectivePerturbation):
        @property
        def effective_regularization(self) -> float:
            return super().effective_regularization / radius

    proper = ObjectivePerturbation(epsilon=1, regularization=1e-6)
    scaled = Scaled(epsilon=1, regularization=1e-6)
    assert worst_loss(proper, proper.rate) <= 1
    assert worst_loss(scaled, proper.rate) > 1.2


# Where the Jacobian costs a little more, and a little less, than all of epsilon.
@example(1.0, 0.25 / math.expm1(1.05), Neighbors.ADD_REMOVE)
@example(1.0, 0.25 / math.expm1(0.95), Neighbors.REPLACE)
@given(st.floats(0.01, 20), st.floats(1e-4, 1e4), st.sampled_from(list(Neighbors)))
def test_the_published_rule(epsilon: float, strength: float, neighbors: Neighbors) -> None:
    mechanism = ObjectivePerturbation(epsilon=epsilon, regularization=strength, neighbors=neighbors)
    usable = epsilon * 0.999
    used, steps = mechanism.effective_regularization, neighbors.pick(add_remove=1, replace=2)
    jacobian = math.log1p(0.25 / used)
    assert steps * mechanism.rate + jacobian == pytest.approx(usable)
    assert 0.0 < jacobian < usable
    if usable - math.log1p(0.25 / strength) > 0:
        assert used == strength
    else:
        assert jacobian == pytest.approx(usable / 2)
        assert used > strength


def test_replace_is_the_formula_of_the_paper_with_the_jacobian_once() -> None:
    """epsilon' = epsilon - log(1 + c/(n L)), density exp(-epsilon' |b| / 2); the paper squares."""
    mechanism = ObjectivePerturbation(epsilon=1, regularization=3.0, neighbors=Neighbors.REPLACE)
    assert mechanism.rate == pytest.approx((0.999 - math.log(1 + 0.25 / 3)) / 2)


@pytest.mark.few(1)
@pytest.mark.parametrize("regularization", [0.01, 0.3, 2.0])
def test_a_replacement_moves_the_jacobian_by_one_factor(regularization: float) -> None:
    """The determinant alone: the tilt is given a flat law. The bound holds and is reached."""
    mechanism = ObjectivePerturbation(
        epsilon=30, regularization=regularization, neighbors=Neighbors.REPLACE
    )
    assert mechanism.effective_regularization == regularization
    jacobian = Density(mechanism, lambda tilt: 0.0, signs, 2)
    still: Record = ((0.0, 0.0), 1)  # adds no curvature, as a record far out adds next to none
    worst = jacobian.worst_loss([still, *RECORDS], BASES, np.vstack([np.zeros(2), POINTS]))
    assert worst == pytest.approx(math.log1p(0.25 / regularization), rel=1e-6)


@pytest.mark.few(1)
@pytest.mark.parametrize("epsilon, regularization", [(1.0, 2.0), (1.0, 0.05), (4.0, 0.1)])
def test_exact_loss_in_one_dimension_by_integration(epsilon: float, regularization: float) -> None:
    """Densities normalised by integration, not by the theorem: no constant is left out."""
    mechanism = ObjectivePerturbation(
        epsilon=epsilon, regularization=regularization, neighbors=Neighbors.REPLACE
    )
    data: list[Data] = [[((1.0,), 1), ((x,), label)] for x in (-1.0, 0.0, 1.0) for label in (0, 1)]
    laws = np.array([log_density(mechanism, one) for one in data])
    assert (laws.max(axis=0) - laws.min(axis=0)).max() <= epsilon


def log_density(mechanism: ObjectivePerturbation, data: Data) -> np.ndarray:
    """Of the only weight, on a grid fine and wide enough for a sum to be the integral."""
    law = GammaSphere(rate=mechanism.rate, dimension=1).log_density
    reach = 60.0 / (mechanism.rate * mechanism.effective_regularization)
    grid = np.linspace(-reach, reach, 801)
    logs = Density(mechanism, law, signs, 1).at(data, grid[:, np.newaxis])
    return logs - np.log(np.exp(logs - logs.max()).sum()) - logs.max()


def exact_cdf(mechanism: ObjectivePerturbation, data: Data) -> tuple[np.ndarray, np.ndarray]:
    """The law of the only weight, by numerical integration."""
    law = GammaSphere(rate=mechanism.rate, dimension=1).log_density
    grid = np.linspace(-30, 30, 6001)
    logs = Density(mechanism, law, signs, 1).at(data, grid[:, np.newaxis])
    density = np.exp(logs - logs.max())
    return grid, np.cumsum(density) / density.sum()


def test_draws_follow_the_exact_density() -> None:
    mechanism, noise = ObjectivePerturbation(epsilon=1, regularization=2.0), SeededNoise(0)
    data: Data = [((1.0,), 1), ((-0.5,), 0), ((0.7,), 1)]
    rows = np.array([row for row, _ in data])
    labels = signs(np.array([label for _, label in data]))
    draws = np.array([mechanism.draw((rows, labels), noise)[0] for _ in range(1_000)])
    grid, cdf = exact_cdf(mechanism, data)
    assert continuous_p(draws, lambda w: np.interp(w, grid, cdf)) > FALSE_ALARM
    for factor in (0.7, 1.3):
        assert continuous_p(draws * factor, lambda w: np.interp(w, grid, cdf)) < FALSE_ALARM


def test_much_epsilon_gives_the_plain_regression() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(4000, 2)) / 4
    labels = signs((rng.random(4000) < 1 / (1 + np.exp(-rows @ [8.0, -4.0]))).astype(int))
    mechanism = ObjectivePerturbation(epsilon=1e6, regularization=1e-3)
    weights = mechanism.draw((rows, labels), SeededNoise(0))
    np.testing.assert_allclose(weights, [8.0, -4.0], atol=0.6)


def test_no_records() -> None:
    weights = ObjectivePerturbation(epsilon=1, regularization=2.0).draw(
        (np.zeros((0, 3)), np.zeros(0)), SeededNoise(0)
    )
    assert np.isfinite(weights).all()


def test_loss_is_epsilon() -> None:
    assert ObjectivePerturbation(epsilon="0.7", regularization=1).loss == Loss("0.7")


@pytest.mark.parametrize("bad", [{"epsilon": 0}, {"regularization": 0.0}])
def test_bad_arguments_are_named(bad: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(bad))):
        ObjectivePerturbation(**({"epsilon": 1.0, "regularization": 1.0} | bad))


RowsOrPartitions = list[tuple[tuple[float, ...], int]]


def minimiser(mechanism: OutputPerturbation, records: RowsOrPartitions, width: int) -> np.ndarray:
    rows = np.array([row for row, _ in records]).reshape(-1, width)
    signs = np.array([2.0 * label - 1.0 for _, label in records])
    start = np.zeros(width)
    return minimise(
        mechanism.objective(rows, signs, np.zeros(rows.shape[1])), start, tolerance=1e-9, radius=1.0
    )


unit = st.floats(0, 2 * np.pi).map(lambda angle: (float(np.cos(angle)), float(np.sin(angle))))

record = st.tuples(unit, st.integers(0, 1))


@given(st.lists(record, max_size=12), record, record, st.floats(0.01, 50))
def test_the_minimiser_moves_by_one_over_the_penalty(
    records: RowsOrPartitions, one: tuple, other: tuple, penalty: float
) -> None:
    for neighbors, data, twin, most in (
        (Neighbors.ADD_REMOVE, records, [*records, one], 1.0),
        (Neighbors.REPLACE, [*records, one], [*records, other], 2.0),
    ):
        mechanism = OutputPerturbation(epsilon=1, regularization=penalty, neighbors=neighbors)
        moved = minimiser(mechanism, data, 2) - minimiser(mechanism, twin, 2)
        assert np.linalg.norm(moved) <= most / penalty + 1e-6
        # Shifting the centre by that much moves the log-density by less than epsilon.
        assert mechanism.rate * most / penalty == pytest.approx(0.999)


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_exact_loss_in_one_dimension(neighbors: Neighbors) -> None:
    """By the density of centre plus noise at all points; 30 % less noise is caught."""
    mechanism = OutputPerturbation(epsilon=1, regularization=2000.0, neighbors=neighbors)
    full: RowsOrPartitions = [((1.0,), 1)] * 40
    twin: RowsOrPartitions = [((1.0,), 1)] * 39
    if neighbors is Neighbors.REPLACE:
        twin = [*twin, ((1.0,), 0)]
    centres = [minimiser(mechanism, data, 1)[0] for data in (full, twin)]
    where = np.linspace(-1, 1, 2001)

    def worst(rate: float) -> float:
        return float(np.abs(rate * (np.abs(where - centres[0]) - np.abs(where - centres[1]))).max())

    # At so strong a penalty a record is as uncertain as can be, so half of the bound is reached.
    assert 0.45 <= worst(mechanism.rate) <= 1
    assert worst(2.3 * mechanism.rate) > 1


def test_noise_about_the_minimiser_has_gamma_length() -> None:
    mechanism, noise = OutputPerturbation(epsilon=1, regularization=3.0), SeededNoise(0)
    records: RowsOrPartitions = [((0.6, 0.8), 1), ((-1.0, 0.0), 0), ((0.0, 1.0), 1)]
    rows = np.array([row for row, _ in records])
    signs = np.array([1.0, -1.0, 1.0])
    draws = np.array([mechanism.draw((rows, signs), noise) for _ in range(800)])
    lengths = np.linalg.norm(draws - minimiser(mechanism, records, 2), axis=1)
    for factor, fits in ((1.0, True), (0.7, False), (1.3, False)):
        law = stats.gamma(2, scale=factor / mechanism.rate)
        assert (continuous_p(lengths, law.cdf) > FALSE_ALARM) is fits, factor


def test_output_lies_on_a_grid_and_no_records_are_fine() -> None:
    mechanism = OutputPerturbation(epsilon=1, regularization=1.0)
    drawn = mechanism.draw((np.zeros((0, 3)), np.zeros(0)), SeededNoise(0))
    np.testing.assert_array_equal(drawn * 2.0**60, np.rint(drawn * 2.0**60))
    assert drawn.shape == (3,)


def test_loss_is_epsilon_and_bad_arguments_are_named() -> None:
    assert OutputPerturbation(epsilon="0.7", regularization=1).loss == Loss("0.7")
    for bad in ({"epsilon": 0}, {"regularization": 0.0}):
        with pytest.raises(InvalidArgument, match=next(iter(bad))):
            OutputPerturbation(**({"epsilon": 1.0, "regularization": 1.0} | bad))
