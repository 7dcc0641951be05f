"""The simulated law of the largest error."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.evaluation.ecdf import ecdf_methods, noise_law
from dpcore.evaluation.ecdf.noise_law import TABULATED, NoiseLaw
from dpcore.privacy import Ledger
from dpcore.release import Gate
from tests.evaluation.roc._coverage import fewest

FLAT = ecdf_methods()["flat"]


def half_width(points: int, method: str = "flat", confidence: float = 0.9) -> float:
    declared = ecdf_methods()[method]
    parameters = tuple(declared.check({}).items())
    return NoiseLaw(declared, parameters, points, Neighbors.REPLACE).half_width(confidence)


@pytest.mark.parametrize("method", ecdf_methods())
def test_a_slider_over_the_grid_waits_for_nothing(method: str) -> None:
    """Processor time of numbers of points that were never asked for."""
    half_width(64, method)
    between = () if method in {"binary", "haar"} else (77, 333, 1234, 5000, 16_000)
    start = time.process_time()
    for points in (16, 256, 1024, 4096, 2**15, *between):
        half_width(points, method)
    assert time.process_time() - start < 0.05


def test_what_the_table_lacks_is_simulated() -> None:
    simulated = NoiseLaw(FLAT, (), 90, Neighbors.REPLACE).simulated(np.array([0.3]))
    assert half_width(90, confidence=0.3) == simulated[0]


def test_it_reaches_farther_on_longer_grids_and_at_higher_confidence() -> None:
    found = [half_width(points) for points in (4, 30, 200, 3000, TABULATED[-1])]
    assert found == sorted(found)
    assert half_width(100, confidence=0.6) < half_width(100) < half_width(100, confidence=0.993)


CASES = [
    pytest.param(name, parameters, id=f"{name} {' '.join(parameters.values())}".strip())
    for name, method in ecdf_methods().items()
    for parameters in [
        dict(zip([p.name for p in method.parameters], values, strict=True))
        for values in product(*(p.choices for p in method.parameters))
    ]
]


def tabulated(name, parameters, neighbors, points, confidence=0.9):
    law = NoiseLaw(ecdf_methods()[name], tuple(parameters.items()), points, neighbors)
    return law.tabulated(confidence)


@pytest.mark.few(3)
@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize("name, parameters", CASES)
def test_the_table_agrees_with_a_simulation(name, parameters, neighbors):
    """A quantile of 400 draws has a standard error of about 2.5 %; between two numbers of points
    the larger answer is given, which is too much by an eighth at most."""
    for points in (32, 255, 300):
        if name in {"binary", "haar"} and points not in TABULATED:
            assert tabulated(name, parameters, neighbors, points) is None
            continue
        law = NoiseLaw(ecdf_methods()[name], tuple(parameters.items()), points, neighbors)
        simulated = law.simulated(np.array([0.9]), draws=400)[0]
        found = tabulated(name, parameters, neighbors, points)
        assert found == pytest.approx(simulated, rel=0.13)
        assert 0.7 * found != pytest.approx(simulated, rel=0.13)


@pytest.mark.few(3)
@pytest.mark.parametrize("factor, fits", [(1.0, True), (0.7, False)])
@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize("points", [100, 200])
def test_fresh_noise_stays_below_as_often_as_it_says(points, neighbors, factor, fits):
    """Of the default method; under add-remove with all records in the first cell."""
    method, noise = ecdf_methods()["hierarchical"], SeededNoise(23)
    parameters, epsilon = method.check({}), 0.01
    limit = factor * tabulated("hierarchical", parameters, neighbors, points) / epsilon
    inside = 0
    for _ in range(500):
        gate = Gate(Ledger(neighbors=neighbors), noise)
        nothing = np.zeros(points, dtype=np.int64)
        error = method.run(nothing, loss=Loss("0.01"), gate=gate, **parameters)
        if neighbors is Neighbors.ADD_REMOVE:
            error = error - error[-1]
        inside += bool(np.abs(error).max() <= limit)
    assert (inside >= fewest(500)) is fits


def test_between_two_levels_of_confidence_lies_what_lies_between():
    low, middle, high = (
        tabulated("tree", {}, Neighbors.REPLACE, 64, confidence=c) for c in (0.9, 0.93, 0.95)
    )
    assert low < middle < high


@pytest.mark.parametrize(
    "points, confidence", [(1, 0.9), (TABULATED[-1] + 1, 0.9), (64, 0.49), (64, 0.999)]
)
def test_beyond_the_table_there_is_no_answer(points, confidence):
    assert tabulated("flat", {}, Neighbors.REPLACE, points, confidence) is None


def test_an_unknown_method_is_not_in_the_table():
    another = replace(FLAT, name="another")
    assert NoiseLaw(another, (), 64, Neighbors.REPLACE).tabulated(0.9) is None


POINTS = 40


def reach(confidence, neighbors=Neighbors.REPLACE, method="flat"):
    law = NoiseLaw(ecdf_methods()[method], (), POINTS, neighbors)
    return law.simulated(np.array([confidence]))[0]


def largest(error, curve):
    return np.abs(error - curve * error[-1]).max()


@pytest.mark.few(2)
@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize("epsilon", ["0.1", "1", "20"])
@pytest.mark.parametrize("curve", ["early", "late", "even"])
def test_noise_exceeds_the_reach_as_rarely_as_it_says(neighbors, epsilon, curve):
    shares = {
        "early": np.ones(POINTS),
        "late": np.r_[np.zeros(POINTS - 1), 1.0],
        "even": np.arange(1, POINTS + 1) / POINTS,
    }[curve]
    method, noise = ecdf_methods()["tree"], SeededNoise(11)
    nothing = np.zeros(POINTS, dtype=np.int64)
    if neighbors is Neighbors.REPLACE:
        shares = np.zeros(POINTS)  # sums are divided by the public total
    found = []
    for _ in range(700):
        gate = Gate(Ledger(neighbors=neighbors), noise)
        error = method.run(nothing, loss=Loss(epsilon), gate=gate)
        found.append(largest(error, shares) * float(epsilon))
    limit = reach(0.9, neighbors, "tree")
    # Seven hundred cases at 90 % have a standard deviation of 1.1 %.
    assert np.mean(np.array(found) <= limit) > 0.86
    assert np.mean(np.array(found) <= 0.6 * limit) < 0.86 or epsilon == "20"


def test_a_higher_confidence_reaches_farther():
    assert reach(0.5) < reach(0.9) < reach(0.99)


def test_the_same_question_has_the_same_answer():
    assert reach(0.9) == reach(0.9)


def test_an_independent_computation_agrees():
    """The flat method under replace is a bridge of Laplace steps of scale two."""
    steps = np.random.default_rng(0).laplace(scale=2.0, size=(20_000, POINTS))
    sums = np.cumsum(steps, axis=1)
    bridge = sums - sums[:, -1:] * np.arange(1, POINTS + 1) / POINTS
    expected = np.quantile(np.abs(bridge).max(axis=1), 0.9)
    assert reach(0.9) == pytest.approx(expected, rel=0.05)


def test_several_levels_are_the_same_as_one_at_a_time():
    levels = np.array([0.5, 0.9])
    found = NoiseLaw(FLAT, (), POINTS, Neighbors.REPLACE).simulated(levels)
    assert found.tolist() == [reach(0.5), reach(0.9)]


def test_the_table_is_simulated_for_every_choice_and_relation(monkeypatch):
    """With three grids and few draws: as many rows as grids, which the committed table has too."""
    monkeypatch.setattr(noise_law, "TABULATED", (4, 8, 16))
    monkeypatch.setattr(noise_law, "_REACH_TABLE_LONG", 8)
    monkeypatch.setattr(noise_law, "_REACH_TABLE_MANY", 40)
    monkeypatch.setattr(noise_law, "_REACH_TABLE_FEW", 20)
    found = noise_law._simulate()
    assert found.keys() == noise_law._table().keys()
    for rows in found.values():
        assert [len(row) for row in rows] == [len(noise_law._LEVELS)] * 3
        assert all(row == sorted(row) for row in rows)
