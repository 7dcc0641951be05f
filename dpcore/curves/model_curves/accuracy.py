"""Accuracy of private models against epsilon, with the noise off, the reference, the majority."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.curves.model_curves.measures import Measures, measured
from dpcore.curves.model_curves.trainer import Records, Trainer
from dpcore.curves.selection.cells import Progress, fill
from dpcore.noise import NoiseOff
from dpcore.privacy import Neighbors
from dpcore.study.peers import fit_reference
from dpcore.study.sections import NoiseChoice

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
    noise_free : mapping of (method, epsilon) to Measures
        The same with the noise off: what a method loses against it is what privacy costs.
    reference : Measures
        A strong model of scikit-learn, on all features (see `workflow.peers.fit_reference`).
    majority : Measures
        Of a model that names the largest class of the training records every time.
    """

    private: Mapping[tuple[str, Fraction], tuple[Measures, ...]]
    noise_free: Mapping[tuple[str, Fraction], Measures]
    reference: Measures
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
    all_features: Records | None = None,
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
    all_features : Records, optional
        For the reference; `records` if left out.
    kept, progress
        See `fill`.

    References
    ----------
    F. Zafarani, C. Clifton (2020), Differentially private naive Bayes classifier using smooth
    sensitivity, Figures 4 to 12.
    """
    beside = all_features or records
    reference: Key = ("reference", beside.digest)
    tasks: dict[Key, Callable[[], Measures]] = {reference: partial(_reference, beside)}
    seeds = [None, *(plan.seed + draw for draw in range(plan.draws))]
    keys: dict[tuple[str, Fraction], list[Key]] = {}
    for seed in seeds:
        for one in plan.trainers:
            for epsilon in plan.epsilons:
                key: Key = ("accuracy", records.digest, one, epsilon, seed, plan.neighbors)
                keys.setdefault((one.method, epsilon), []).append(key)
                tasks[key] = partial(_cell, records, one, epsilon, seed, plan.neighbors)
    found = fill(tasks, kept=kept, progress=progress)
    return AccuracyCurves(
        {place: tuple(found[key] for key in listed[1:]) for place, listed in keys.items()},
        {place: found[listed[0]] for place, listed in keys.items()},
        found[reference],
        _majority(records),
    )


def _cell(
    records: Records, one: Trainer, epsilon: Fraction, seed: int | None, neighbors: Neighbors
) -> Measures:
    """One model; with the noise off if there is no seed."""
    model = one.fit(
        records.train,
        n_classes=records.n_classes,
        epsilon=epsilon,
        neighbors=neighbors,
        noise=NoiseOff() if seed is None else NoiseChoice(seed).source("train"),
    )
    return _tested(model.predict_proba, records)


def _reference(records: Records) -> Measures:
    fitted = fit_reference(records.train)

    def spread_out(_: object) -> FloatArray:
        # A class that it never saw has no chance.
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
