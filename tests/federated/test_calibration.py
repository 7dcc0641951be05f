"""The Hosmer-Lemeshow test over a federation: exact without noise, and it keeps its level."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Neighbors, SeededNoise
from dpcore.errors import DataError, InvalidArgument
from dpcore.federated import FederatedEcdf, federated_calibration, federation
from dpcore.federated.calibration import FederatedCalibration
from dpcore.federated.ecdf import TRUST_MODELS

GRID = np.linspace(1 / 128, 1.0, 128)
MIDDLES = GRID - 1 / 256


def table(
    trust: str = "trusted-curator", epsilon: object = None, seed: int = 0, slope: float = 1.0
) -> FederatedCalibration:
    rng = np.random.default_rng(seed)
    cells = rng.integers(6, 122, 3000)
    chances = 1 / (1 + np.exp(-slope * np.log(MIDDLES[cells] / (1 - MIDDLES[cells]))))
    labels = (rng.uniform(size=3000) < chances).astype(np.int64)
    formed = federation(
        [GRID[cells[one::3]] for one in range(3)],
        grid=GRID,
        classes=[labels[one::3] for one in range(3)],
        epsilon=epsilon,
        trust=trust,
        noise=SeededNoise(seed),
    )
    return federated_calibration(FederatedEcdf(formed, GRID), groups=5)


@pytest.mark.parametrize("trust", TRUST_MODELS)
def test_without_noise_all_models_agree(trust: str) -> None:
    found, curator = table(trust), table()
    assert found.n.sum() == 3000
    assert found.observed.tolist() == curator.observed.tolist()
    assert found.statistic == pytest.approx(curator.statistic)
    by_hand = (found.observed - found.expected) ** 2
    assert found.statistic > 0.9 * (by_hand / (found.n / 4)).sum()


@pytest.mark.few(1)
@pytest.mark.statistical
@pytest.mark.parametrize("epsilon", [None, 1, 20])
def test_a_calibrated_model_is_rejected_one_time_in_twenty(epsilon: object) -> None:
    rejected = sum(table(epsilon=epsilon, seed=seed).p_value < 0.05 for seed in range(200))
    # Binomial(200, 0.05): above 29 with odds below 1e-6; the noise is nearly, not quite, normal.
    assert rejected <= 29


def test_a_model_that_is_off_is_rejected() -> None:
    assert table(epsilon=5, slope=0.4).p_value < 1e-6
    assert table(slope=0.7).p_value < 1e-6


@pytest.mark.few(1)
@pytest.mark.statistical
@pytest.mark.parametrize("trust", TRUST_MODELS)
def test_the_noise_is_in_the_variance(trust: str) -> None:
    """With hardly any records the statistic is noise alone: its mean is the number of groups."""
    empty = [np.array([0.5])] * 3
    found = []
    for seed in range(60):
        formed = federation(
            empty, grid=GRID, classes=[np.array([1])] * 3, epsilon=1, trust=trust,
            noise=SeededNoise(seed),
        )  # fmt: skip
        one = federated_calibration(FederatedEcdf(formed, GRID), groups=4)
        found.append(one.statistic / one.upper.size)
    # About chi-square over its degrees: a spread of at most sqrt(3/60).
    assert np.mean(found) == pytest.approx(1.0, abs=0.75)


def test_a_table_is_written_and_read_with_all_that_it_says() -> None:
    found = table(epsilon=1)
    again = FederatedCalibration.from_json(found.to_json())
    assert again == found
    assert again.neighbors is Neighbors.ADD_REMOVE
    assert again.observed.tolist() == found.observed.tolist()
    with pytest.raises(DataError, match="this is not an exported federated calibration"):
        FederatedCalibration.from_json(found.to_json().replace('"p_value"', '"p"'))


def test_what_cannot_be_is_refused() -> None:
    formed = federation([GRID], grid=GRID, epsilon=1, trust="trusted-curator")
    with pytest.raises(InvalidArgument, match="classes must be two"):
        federated_calibration(FederatedEcdf(formed, GRID))
