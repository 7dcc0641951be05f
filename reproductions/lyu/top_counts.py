"""Errors of selecting the largest counts, as the paper measures them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.noise import SeededNoise
from dpcore.noise.seeded import monte_carlo
from dpcore.selection import false_negative_rate, score_error_rate, select_top_k
from reproductions.paper_data import PaperData
from reproductions.rows import Role, Row

DATA = ("kosarak", "retail")
# Shown name -> (selector, its parameters, role).
Methods = Mapping[str, tuple[str, dict[str, Any], Role]]


@dataclass(frozen=True)
class TopCounts:
    """Settings of Figures 4 and 5.

    Parameters
    ----------
    runs
        Each with a new random order of the items, the same for all methods.
    cuts
        How many are selected.
    items
        Of the synthetic counts.
    """

    runs: int = 100
    epsilon: str = "0.1"
    cuts: tuple[int, ...] = (25, 50, 100, 150, 200, 250, 300)
    items: int = 10_000


def zipf(items: int, occurrences: int = 10**6) -> FloatArray:
    """Whole counts proportional to 1, 1/2, 1/3, ...

    Examples
    --------
    >>> zipf(3, 11).tolist()
    [6.0, 3.0, 2.0]
    """
    shares = 1.0 / np.arange(1, items + 1)
    return np.asarray(np.rint(occurrences * shares / shares.sum()), dtype=np.float64)


def measure_top_counts(
    configuration: TopCounts, materials: PaperData, methods: Methods
) -> Iterator[Row]:
    """Mean score error rate and false negative rate on every data set that is there.

    Parameters
    ----------
    methods : mapping of str to (selector, parameters, role)
    """
    profiles = {"Zipf": zipf(configuration.items)}
    for name in DATA:
        if materials.available(name):
            profiles[materials.title(name)] = materials.counts(name)
    for title, counts in profiles.items():
        for shown, (selector, parameters, role) in methods.items():
            for k in configuration.cuts:
                errors = [
                    _errors(counts, k, run, configuration.epsilon, selector, parameters)
                    for run in range(configuration.runs)
                ]
                score, missed = np.mean(errors, axis=0).tolist()
                yield Row(f"{title}, score error rate", shown, role, float(k), score)
                yield Row(f"{title}, false negative rate", shown, role, float(k), missed)


def _errors(
    counts: FloatArray, k: int, run: int, epsilon: str, selector: str, parameters: dict[str, Any]
) -> tuple[float, float]:
    mixed = monte_carlo(1000 * run + k).permutation(counts)
    chosen = select_top_k(
        mixed,
        k=k,
        epsilon=epsilon,
        monotone=True,
        method=selector,
        noise=SeededNoise(run),
        **parameters,
    ).selected
    return score_error_rate(chosen, mixed, k), false_negative_rate(
        chosen, np.argsort(-mixed, kind="stable")[:k]
    )
