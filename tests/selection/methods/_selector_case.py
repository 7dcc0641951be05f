"""What the test of every top-k selector needs: a selection and what it charged."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore import Loss, SeededNoise
from dpcore.selection import SelectionRelease, select_top_k

SCORES = np.array([5.0, 900.0, 20.0, 700.0, 0.0, 31.0])


def pick(method: str, epsilon: float = 1000.0, k: int = 2, **arguments: Any) -> SelectionRelease:
    """Select from `SCORES`, and check that everything was charged in one line."""
    defaults = {"noise": SeededNoise(0), "monotone": True}
    picked = select_top_k(SCORES, k=k, epsilon=epsilon, method=method, **(defaults | arguments))
    assert [charge.loss for charge in picked.charges] == [Loss(epsilon)]
    return picked


def misses(method: str, monotone: bool, draws: int = 1500, **arguments: Any) -> float:
    """How often the lower of two scores, 2 apart, is chosen at epsilon 1."""
    chosen = [
        select_top_k(
            [2.0, 0.0],
            k=1,
            epsilon=1,
            method=method,
            monotone=monotone,
            noise=SeededNoise(seed),
            **arguments,
        ).selected[0]
        for seed in range(draws)
    ]
    return float(np.mean(chosen))
