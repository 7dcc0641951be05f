"""Output perturbation: the sensitivity of the minimiser, the exact loss, what it draws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.newton import minimise
from dpcore.mechanisms.output_perturbation import OutputPerturbation
from tests.statistical.fit import FALSE_ALARM, continuous_p

Records = list[tuple[tuple[float, ...], int]]


def minimiser(mechanism: OutputPerturbation, records: Records, width: int) -> np.ndarray:
    rows = np.array([row for row, _ in records]).reshape(-1, width)
    signs = np.array([2.0 * label - 1.0 for _, label in records])
    start = np.zeros(width)
    return minimise(mechanism.objective(rows, signs), start, tolerance=1e-9, radius=1.0)


unit = st.floats(0, 2 * np.pi).map(lambda angle: (float(np.cos(angle)), float(np.sin(angle))))
record = st.tuples(unit, st.integers(0, 1))


@given(st.lists(record, max_size=12), record, record, st.floats(0.01, 50))
def test_the_minimiser_moves_by_one_over_the_penalty(
    records: Records, one: tuple, other: tuple, penalty: float
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
    full: Records = [((1.0,), 1)] * 40
    twin: Records = [((1.0,), 1)] * 39
    if neighbors is Neighbors.REPLACE:
        twin = [*twin, ((1.0,), 0)]
    centres = [minimiser(mechanism, data, 1)[0] for data in (full, twin)]
    where = np.linspace(-1, 1, 2001)

    def worst(rate: float) -> float:
        return float(np.abs(rate * (np.abs(where - centres[0]) - np.abs(where - centres[1]))).max())

    # At so strong a penalty a record is as uncertain as can be, so half of the bound is reached.
    assert 0.45 <= worst(mechanism.rate) <= 1
    assert worst(2.3 * mechanism.rate) > 1


@pytest.mark.parametrize("factor, fits", [(1.0, True), (0.7, False), (1.3, False)])
def test_noise_about_the_minimiser_has_gamma_length(factor: float, fits: bool) -> None:
    mechanism, noise = OutputPerturbation(epsilon=1, regularization=3.0), SeededNoise(0)
    records: Records = [((0.6, 0.8), 1), ((-1.0, 0.0), 0), ((0.0, 1.0), 1)]
    rows = np.array([row for row, _ in records])
    signs = np.array([1.0, -1.0, 1.0])
    draws = np.array([mechanism.draw((rows, signs), noise) for _ in range(1500)])
    lengths = np.linalg.norm(draws - minimiser(mechanism, records, 2), axis=1)
    law = stats.gamma(2, scale=factor / mechanism.rate)
    assert (continuous_p(lengths, law.cdf) > FALSE_ALARM) is fits


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
