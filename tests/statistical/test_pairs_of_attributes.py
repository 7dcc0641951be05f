"""Pairs are chosen, and what they say is told, by the laws that are charged for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpcore import Ledger, Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.models.additive import AdditiveModel
from dpcore.models.class_sizes import ClassSizes
from dpcore.models.logistic.pairs import Pairs, worthwhile
from dpcore.models.training import Training
from dpcore.release import Gate
from dpcore.schema import Feature, FeatureSpace
from tests.statistical.fit import FALSE_ALARM, chi_square_p, continuous_p

SOURCES = [SeededNoise(424242), SystemNoise()]
FACTORS = [(1.0, True), (0.7, False), (1.3, False)]
SIZES = ClassSizes(np.array([40.0, 40.0]), 1.0)

pytestmark = [pytest.mark.statistical, pytest.mark.few(1)]


@dataclass(frozen=True)
class Telling(Gate):
    """A gate that remembers what it was given, and what it gave away for it."""

    told: dict[str, tuple[Any, Any]] = field(default_factory=dict)

    def release(self, mechanism: Any, value: Any, *, label: str) -> Any:
        found = super().release(mechanism, value, label=label)
        self.told[label] = (value, found)
        return found


@dataclass(frozen=True)
class Told(Pairs):
    """Pairs of which is known what they say, however the records lie."""

    known: tuple[float, ...] = ()

    def says(self, training: Training, variance: float) -> np.ndarray:
        return np.array(self.known)


def releases(
    known: tuple[float, ...], neighbors: Neighbors, noise: Any, times: int
) -> list[dict[str, tuple[Any, Any]]]:
    """What `worthwhile` was given and gave away for an epsilon of 5, so often."""
    nobody = FeatureSpace((Feature("x", "numeric", "x", (0.0, 1.0)),))
    data = Training.of(BoundedRows.of(np.zeros((0, 1)), nobody), np.zeros(0, dtype=np.int64), 2)
    model = AdditiveModel("sigmoid", np.zeros(1), ())
    chosen = tuple(combinations(range(4), 2))[: len(known)]
    pairs, told = Told(model, (), (2, 2, 2, 2), chosen, known), []
    for _ in range(times):
        gate = Telling(Ledger(Loss(5), neighbors), noise)
        worthwhile(pairs, data, SIZES, loss=Loss(5), gate=gate)
        told.append(gate.told)
    return told


@pytest.mark.parametrize("noise", SOURCES)
@pytest.mark.parametrize("neighbors", Neighbors)
def test_what_pairs_say_is_told_with_the_noise_of_four_records(
    neighbors: Neighbors, noise: Any
) -> None:
    """Two fifths of epsilon 5 for four sums, each of which one record moves by one step."""
    told = releases((0.0, 40.0, -7.5, 3.0), neighbors, noise, 3_000)
    drawn = np.concatenate(
        [found - value for value, found in (one["worth of pairs"] for one in told)]
    )
    for factor, fits in FACTORS:
        law: Callable[..., Any] = stats.laplace(scale=factor * 4 * neighbors.steps / 2).cdf
        assert (continuous_p(drawn, law) > FALSE_ALARM) is fits, factor


@pytest.mark.parametrize("noise", SOURCES)
@pytest.mark.parametrize("neighbors", Neighbors)
def test_four_of_six_pairs_are_chosen_as_often_as_the_exponential_mechanism_would(
    neighbors: Neighbors, noise: Any
) -> None:
    """A fifth of epsilon 5: half of it for a utility that moves by one step either way."""
    # As far apart, in steps, for either relation: noise 30 % off is then always seen.
    says = 1.5 * neighbors.steps * np.array([12.0, 0.0, 9.0, 5.0, 7.0, 2.0])
    told = releases(tuple(says), neighbors, noise, 2_000)
    sets = list(combinations(range(6), 4))
    best = np.array(
        [0.5 * says[[*some]].min() - 0.5 * np.delete(says, some).max() for some in sets]
    )
    chosen = [tuple(one["choice of pairs"][1].tolist()) for one in told]
    observed = np.array([chosen.count(some) for some in sets])
    for factor, fits in FACTORS:
        weights = np.exp((best - best.max()) / (2 * factor * neighbors.steps))
        assert (chi_square_p(observed, weights / weights.sum()) > FALSE_ALARM) is fits, factor
