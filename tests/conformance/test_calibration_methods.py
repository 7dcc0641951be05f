"""What every method of private calibration must do, found in the registry."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Ledger, Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import NotPrivate
from dpcore.evaluation import CalibrationRelease, calibration_methods, private_calibration
from tests.evaluation.calibration._records import scored, worst_cost

METHODS = calibration_methods()
every_method = pytest.mark.parametrize("name", list(METHODS))

atoms = st.one_of(st.sampled_from([0.0, 1.0, 0.5]), st.floats(0, 1))
records = st.lists(st.tuples(st.integers(0, 1), atoms), max_size=25)


def release(name: str, scores: ScoreHistogram, **arguments: Any) -> CalibrationRelease:
    """One simulated release of a proven or a broken method."""
    return private_calibration(
        scores, method=name, **({"epsilon": 1, "noise": SeededNoise(0)} | arguments)
    )


def require_sound(released: CalibrationRelease, groups: int) -> None:
    """Finite, in range and in order, whatever the data were."""
    json.loads(released.to_json(), parse_constant=pytest.fail)  # neither NaN nor infinity
    for p_value in (released.trend_p_value, released.p_value):
        assert 0.0 < p_value <= 1.0
    assert 0.0 <= released.p_value_naive <= 1.0
    low, high = released.calibration_error_interval
    assert 0.0 <= low <= released.calibration_error <= high <= 1.0
    table = released.table
    assert 1 <= table.n.size <= groups
    assert (table.n >= 0).all()
    assert table.lower[0] == 0.0
    assert table.upper[-1] == 1.0
    assert (table.lower[1:] == table.upper[:-1]).all()
    assert (table.lower < table.upper).all()
    assert ((table.lower <= table.expected) & (table.expected <= table.upper)).all()
    empty = table.n == 0
    for rate, nobody, band in [
        (table.observed, empty, table.observed_band),
        (table.observed, empty, table.population_band),
        (table.expected, np.zeros_like(empty), table.expected_band),
    ]:
        np.testing.assert_array_equal(np.isnan(rate), nobody)
        assert ((rate[~nobody] >= 0.0) & (rate[~nobody] <= 1.0)).all()
        assert ((band[0] >= -1e-12) & (band[0] <= band[1]) & (band[1] <= 1.0 + 1e-12)).all()


@every_method
@given(
    records,
    st.integers(3, 20),
    st.sampled_from(["quantile", "fixed"]),
    st.sampled_from(["1/100", 1, 1000]),
    st.sampled_from(list(Neighbors)),
    st.integers(0, 99),
)
def test_any_records_give_a_sound_release(
    name: str,
    rows: list[tuple[int, float]],
    groups: int,
    edges: str,
    epsilon: int | str,
    neighbors: Neighbors,
    seed: int,
) -> None:
    score = np.array([row[1] for row in rows], dtype=float)
    scores = ScoreHistogram.from_arrays([row[0] for row in rows], score)
    released = release(
        name,
        scores,
        groups=groups,
        edges=edges,
        epsilon=epsilon,
        neighbors=neighbors,
        noise=SeededNoise(seed),
    )
    require_sound(released, groups)


@every_method
@pytest.mark.parametrize("edges", ["quantile", "fixed"])
@pytest.mark.parametrize("cells", [2, 5, 40])
def test_a_coarse_histogram_gives_a_sound_release(name: str, edges: str, cells: int) -> None:
    rng = np.random.default_rng(1)
    scores = ScoreHistogram.from_arrays(rng.integers(0, 2, 90), rng.random(90), cells=cells)
    require_sound(release(name, scores, edges=edges, groups=20), 20)


@every_method
@pytest.mark.parametrize("edges", ["quantile", "fixed"])
def test_ten_million_records(name: str, edges: str) -> None:
    small = scored(10_000, 1)
    large = ScoreHistogram(small.positives * 1_000, small.negatives * 1_000, small.edges)
    released = release(name, large, edges=edges)
    require_sound(released, 10)
    assert released.table.n.sum() == pytest.approx(1e7, rel=1e-3)


@pytest.mark.spanning
@every_method
@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("edges", ["quantile", "fixed"])
def test_cost_of_every_small_neighbour(name: str, neighbors: Neighbors, edges: str) -> None:
    method = METHODS[name]
    worst = worst_cost(method, neighbors, Loss(1), groups=4, edges=edges)
    assert (worst <= 1) is method.guarantee.holds


@every_method
@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("edges", ["quantile", "fixed"])
@pytest.mark.parametrize("epsilon", [0.3, "1/3", Fraction(5)])
def test_charges_add_up_to_epsilon_exactly(
    name: str, neighbors: Neighbors, edges: str, epsilon: Any
) -> None:
    ledger = Ledger(Loss(epsilon), neighbors)
    released = release(
        name, scored(60, 1), neighbors=neighbors, edges=edges, epsilon=epsilon, ledger=ledger
    )
    assert ledger.spent == Loss(epsilon)
    assert released.charges == ledger.charges


@every_method
def test_json_round_trip(name: str) -> None:
    before = release(name, scored(100, 1))
    after = CalibrationRelease.from_json(before.to_json())
    assert after.to_json() == before.to_json()
    assert after.charges == before.charges


@every_method
def test_the_same_seed_gives_the_same_release_and_another_another(name: str) -> None:
    scores = scored(500, 1)
    texts = [release(name, scores, noise=SeededNoise(seed)).to_json() for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


@every_method
def test_real_noise_releases_proven_methods_only(name: str) -> None:
    arguments = {"noise": SystemNoise()}
    if METHODS[name].guarantee.holds:
        once, again = (release(name, scored(500, 1), **arguments) for _ in range(2))
        assert not once.simulated
        assert once.to_json() != again.to_json()
        require_sound(once, 10)
    else:
        with pytest.raises(NotPrivate):
            release(name, scored(500, 1), **arguments)


@every_method
def test_noise_is_the_default(name: str) -> None:
    if METHODS[name].guarantee.holds:
        assert not release(name, scored(50, 1), noise=None).simulated


@every_method
def test_less_epsilon_says_less(name: str) -> None:
    scores = scored(20_000, 1)
    widths = [
        np.mean(
            [
                np.ptp(
                    release(
                        name, scores, epsilon=epsilon, noise=SeededNoise(seed)
                    ).table.observed_band,
                    axis=0,
                )
                for seed in range(3)
            ]
        )
        for epsilon in ("0.05", "0.5", 5)
    ]
    assert widths[0] > widths[1] > widths[2]


@every_method
def test_the_declaration_is_complete(name: str) -> None:
    method = METHODS[name]
    assert method.name == name
    assert method.title
    assert method.summary.endswith(".")
    assert method.reference
    assert method.guarantee.reason
