"""How far noise reaches: at once where it is tabulated, simulated where it is not."""

from __future__ import annotations

import time

import numpy as np
import pytest

from dpcore import Neighbors
from dpcore.evaluation.ecdf.methods import ecdf_methods
from dpcore.evaluation.ecdf.noise_law import simulated_reach
from dpcore.evaluation.ecdf.noise_reach import noise_reach
from dpcore.evaluation.ecdf.reach_table import TABULATED

FLAT = ecdf_methods()["flat"]


def reach(points: int, method: str = "flat", confidence: float = 0.9) -> float:
    declared = ecdf_methods()[method]
    return noise_reach(
        declared,
        declared.check({}),
        points=points,
        neighbors=Neighbors.REPLACE,
        confidence=confidence,
    )


@pytest.mark.parametrize("method", ecdf_methods())
def test_a_slider_over_the_grid_waits_for_nothing(method: str) -> None:
    """Processor time of numbers of points that were never asked for."""
    reach(64, method)
    between = () if method in {"binary", "haar"} else (77, 333, 1234, 5000, 16_000)
    start = time.process_time()
    for points in (16, 256, 1024, 4096, 2**15, *between):
        reach(points, method)
    assert time.process_time() - start < 0.05


def test_what_the_table_lacks_is_simulated() -> None:
    simulated = simulated_reach(
        FLAT, {}, points=90, neighbors=Neighbors.REPLACE, confidence=np.array([0.3])
    )
    assert reach(90, confidence=0.3) == simulated[0]


def test_it_reaches_farther_on_longer_grids_and_at_higher_confidence() -> None:
    found = [reach(points) for points in (4, 30, 200, 3000, TABULATED[-1])]
    assert found == sorted(found)
    assert reach(100, confidence=0.6) < reach(100) < reach(100, confidence=0.993)
