"""The table of reaches against fresh simulations, on its own numbers of points and between them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.evaluation.ecdf.methods import ecdf_methods
from dpcore.evaluation.ecdf.noise_law import simulated_reach
from dpcore.evaluation.ecdf.reach_table import TABULATED, tabulated_reach
from dpcore.privacy import Ledger
from dpcore.release import Gate
from tests.evaluation.roc._coverage import fewest

CASES = [
    pytest.param(name, parameters, id=f"{name} {' '.join(parameters.values())}".strip())
    for name, method in ecdf_methods().items()
    for parameters in [
        dict(zip([p.name for p in method.parameters], values, strict=True))
        for values in product(*(p.choices for p in method.parameters))
    ]
]


def tabulated(name, parameters, neighbors, points, confidence=0.9):
    return tabulated_reach(
        name, parameters, points=points, neighbors=neighbors, confidence=confidence
    )


@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize("name, parameters", CASES)
def test_the_table_agrees_with_a_simulation(name, parameters, neighbors):
    """A quantile of 400 draws has a standard error of about 2.5 %; between two numbers of points
    the larger answer is given, which is too much by an eighth at most."""
    for points in (32, 255, 300):
        if name in {"binary", "haar"} and points not in TABULATED:
            assert tabulated(name, parameters, neighbors, points) is None
            continue
        simulated = simulated_reach(
            ecdf_methods()[name],
            parameters,
            points=points,
            neighbors=neighbors,
            confidence=np.array([0.9]),
            draws=400,
        )[0]
        found = tabulated(name, parameters, neighbors, points)
        assert found == pytest.approx(simulated, rel=0.13)
        assert 0.7 * found != pytest.approx(simulated, rel=0.13)


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
    assert tabulated("another", {}, Neighbors.REPLACE, 64) is None
