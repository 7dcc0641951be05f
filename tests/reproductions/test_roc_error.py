"""Median areas."""

from __future__ import annotations

import numpy as np

from dpcore.data.counting import ScoreHistogram
from reproductions.roc_error import median_area

RNG = np.random.default_rng(3)
LABELS = RNG.integers(0, 2, 4000)
SCORES = ScoreHistogram.from_arrays(LABELS, np.clip(RNG.normal(0.4 + 0.2 * LABELS, 0.2), 0, 1))


def test_areas_shrink_with_epsilon_and_repeat() -> None:
    loud, quiet, again = (
        median_area(SCORES, "quantile-bins", epsilon, runs=5) for epsilon in ("0.05", "5", "5")
    )
    assert quiet < loud
    assert quiet == again


def test_replacing_a_record_costs_more() -> None:
    add, replaced = (
        median_area(SCORES, "laplace", "0.1", runs=15, neighbors=relation)
        for relation in ("add-remove", "replace")
    )
    assert add < replaced
