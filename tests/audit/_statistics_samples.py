"""Outputs that differ in one way each, and how well a statistic sees it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpcore.audit.statistics import OutputStatistic

RNG = np.random.default_rng(0)


def separation(
    fit: Callable[[np.ndarray, np.ndarray], list[OutputStatistic]],
    draw: Callable[[int], np.ndarray],
) -> float:
    """Share of pairs of fresh outputs that the statistic puts in the right order."""
    statistic = fit(draw(1), draw(0))[0]
    here, there = statistic.score(draw(1)), statistic.score(draw(0))
    return float((here[:, None] > there).mean() + 0.5 * (here[:, None] == there).mean())


def shifted(side: int) -> np.ndarray:
    """The third of five numbers moves by one scale of its noise."""
    return RNG.laplace(size=(1500, 5)) + side * np.array([0, 0, 1, 0, 0])


def wider(side: int) -> np.ndarray:
    """The same median, and four times the width."""
    return RNG.standard_cauchy(size=(1500, 1)) * (1 + 3 * side)


def spread(side: int) -> np.ndarray:
    """Forty numbers that move a little each."""
    return RNG.normal(size=(1500, 40)) + 0.25 * side
