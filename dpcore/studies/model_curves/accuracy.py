"""Accuracy of private models against epsilon, with the non-private models and the majority."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.noise import SeededNoise
from dpcore.privacy import Neighbors
from dpcore.studies.model_curves.measures import Measures, measured
from dpcore.studies.model_curves.trainer import Records, Trainer
from dpcore.studies.selection.cells import Progress, fill
from dpcore.studies.workflow.peers import fit_peer
from dpcore.studies.workflow.sections import NoiseChoice

__all__ = ["EPSILONS", "AccuracyCurves", "AccuracyPlan", "accuracy_curves"]

EPSILONS = tuple(map(Fraction, ("0.01", "0.03", "0.1", "0.3", "1", "3", "10")))
Key = tuple[object, ...]


@dataclass(frozen=True, kw_only=True)
class AccuracyPlan:
    """What is computed.

    Parameters
    ----------
    trainers : sequence of Trainer
    epsilons : sequence of Fraction
    draws : int
        Models per method and epsilon, each with other noise.
    seed : int
        Of the first draw's noise; the next draws count on.
    neighbors : Neighbors
    """

    trainers: Sequence[Trainer]
    epsilons: Sequence[Fraction] = EPSILONS
    draws: int = 3
    seed: int = 0
    neighbors: Neighbors = Neighbors.ADD_REMOVE

    def __post_init__(self) -> None:
        _check.integer_in_range(1, 1000, draws=self.draws)
        for epsilon in self.epsilons:
            _check.positive(epsilon=epsilon)


@dataclass(frozen=True, eq=False)
class AccuracyCurves:
    """What was found.

    Parameters
    ----------
    private : mapping of (method, epsilon) to tuple of Measures
        One per draw.
    peers : mapping of kind to Measures
        scikit-learn's model of each kind among the methods, trained without noise on all features.
    majority : Measures
        Of a model that names the largest class of the training records every time.
    """

    private: Mapping[tuple[str, Fraction], tuple[Measures, ...]]
    peers: Mapping[str, Measures]
    majority: Measures

    def mean(self, method: str, epsilon: Fraction, measure: str) -> float:
        """Mean of a measure over the draws."""
        return float(np.mean(self._values(method, epsilon, measure)))

    def spread(self, method: str, epsilon: Fraction, measure: str) -> float:
        """Standard deviation of a measure over the draws."""
        return float(np.std(self._values(method, epsilon, measure)))

    def _values(self, method: str, epsilon: Fraction, measure: str) -> list[float]:
        return [getattr(one, measure) for one in self.private[method, epsilon]]


def accuracy_curves(
    records: Records,
    plan: AccuracyPlan,
    *,
    peer_records: Records | None = None,
    kept: MutableMapping[Key, Measures] | None = None,
    progress: Progress | None = None,
) -> AccuracyCurves:
    """Train every method at every epsilon, and test all models on the same records.

    Noise is simulated: draw d of a method at an epsilon is what a workflow with seed plus d trains,
    so a point of the curve is a model that can be looked at.

    Parameters
    ----------
    records : Records
        For the private models, with the chosen features.
    plan : AccuracyPlan
    peer_records : Records, optional
        For the non-private models, with all features; `records` if left out.
    kept, progress
        See `fill`.

    References
    ----------
    F. Zafarani, C. Clifton (2020), Differentially private naive Bayes classifier using smooth
    sensitivity, Figures 4 to 12.
    """
    places: dict[Key, tuple[str, Fraction] | str] = {}
    tasks: dict[Key, Callable[[], Measures]] = {}
    beside = peer_records or records
    for kind in dict.fromkeys(one.kind for one in plan.trainers):
        key: Key = ("peer", beside.digest, kind)
        places[key], tasks[key] = kind, partial(_peer, beside, kind)
    for draw in range(plan.draws):
        for one in plan.trainers:
            for epsilon in plan.epsilons:
                seed = plan.seed + draw
                key = ("accuracy", records.digest, one, epsilon, seed, plan.neighbors)
                places[key] = one.method, epsilon
                tasks[key] = partial(_cell, records, one, epsilon, seed, plan.neighbors)
    found = fill(tasks, kept=kept, progress=progress)
    private: dict[tuple[str, Fraction], tuple[Measures, ...]] = {}
    peers: dict[str, Measures] = {}
    for key, cell in found.items():
        place = places[key]
        if isinstance(place, str):
            peers[place] = cell
        else:
            private[place] = (*private.get(place, ()), cell)
    return AccuracyCurves(private, peers, _majority(records))


def _cell(
    records: Records, one: Trainer, epsilon: Fraction, seed: int, neighbors: Neighbors
) -> Measures:
    noise = NoiseChoice(seed).source("train")
    assert isinstance(noise, SeededNoise)
    model = one.fit(
        records.train,
        n_classes=records.n_classes,
        epsilon=epsilon,
        neighbors=neighbors,
        noise=noise,
    )
    return _tested(model.predict_proba, records)


def _peer(records: Records, kind: str) -> Measures:
    fitted = fit_peer(kind, records.train)

    def spread_out(_: object) -> FloatArray:
        # A class that the peer never saw has no chance.
        probability = np.zeros((_y(records).size, records.n_classes))
        probability[:, fitted.classes] = fitted.predict_proba(records.test)
        return probability

    return _tested(spread_out, records)


def _majority(records: Records) -> Measures:
    train = records.train.y
    assert train is not None
    largest = int(np.bincount(train, minlength=records.n_classes).argmax())
    always = np.zeros((_y(records).size, records.n_classes))
    always[:, largest] = 1.0
    return measured(always, _y(records), positive=records.positive)


def _tested(predict: Callable[[object], FloatArray], records: Records) -> Measures:
    y = _y(records)
    # scikit-learn refuses to score no records at all.
    none = np.zeros((0, records.n_classes))
    probability = predict(records.test.matrix) if y.size else none
    return measured(probability, y, positive=records.positive)


def _y(records: Records) -> IntArray:
    assert records.test.y is not None
    return records.test.y
