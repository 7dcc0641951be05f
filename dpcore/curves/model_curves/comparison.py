"""Accuracy of private models against epsilon, and running time against the number of records."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from time import perf_counter
from typing import Annotated, Unpack

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.curves import MODELS_AT_ONCE, Filling, Key, fill
from dpcore.curves.model_curves.trainers import EncodedSplit, Measures, Trainer, measured
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.noise import NoiseOff, SeededNoise
from dpcore.privacy import Neighbors
from dpcore.study.baselines import PEER_OF, fit_baseline, fit_reference
from dpcore.study.sections import NoiseChoice

EPSILONS = tuple(map(Fraction, ("0.01", "0.03", "0.1", "0.3", "1", "3", "10")))


@dataclass(frozen=True, kw_only=True)
class AccuracyPlan(_check.Checked):
    """What is computed.

    Parameters
    ----------
    draws
        Models per method and epsilon, each with other noise.
    seed
        Of the first draw's noise; the next draws count on.
    """

    trainers: Sequence[Trainer]
    epsilons: Annotated[Sequence[Fraction], _check.each(_check.positive)] = EPSILONS
    draws: Annotated[int, _check.whole(1, 1000)] = 3
    seed: int = 0
    neighbors: Neighbors = Neighbors.ADD_REMOVE


@dataclass(frozen=True, eq=False)
class AccuracyCurves:
    """What was found.

    Parameters
    ----------
    private : mapping of (method, epsilon) to tuple of Measures
        One per draw.
    noise_free : mapping of (method, epsilon) to Measures
        The same with the noise off: what a method loses against it is what privacy costs.
    reference
        A strong model of scikit-learn, on all features (see `workflow.peers.fit_reference`).
    majority
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
    records: EncodedSplit,
    plan: AccuracyPlan,
    *,
    reference: Measures | None = None,
    **filling: Unpack[Filling],
) -> AccuracyCurves:
    """Train every method at every epsilon, and test all models on the same records.

    Noise is simulated: draw d of a method at an epsilon is what a workflow with seed plus d trains,
    so a point of the curve is a model that can be looked at.

    Parameters
    ----------
    records
        For the private models, with the chosen features.
    reference
        Of the strong model on all features, where a study has fitted it; if left out, it is fitted
        to the features of `records`.
    kept, progress
        See `fill`.

    References
    ----------
    F. Zafarani, C. Clifton (2020), Differentially private naive Bayes classifier using smooth
    sensitivity, Figures 4 to 12.
    """
    strong: Key = ("reference", records.digest)
    tasks: dict[Key, Callable[[], Measures]] = {}
    if reference is None:
        tasks[strong] = partial(_reference, records)
    seeds = [None, *(plan.seed + draw for draw in range(plan.draws))]
    keys: dict[tuple[str, Fraction], list[Key]] = {}
    # Epsilon after epsilon: what the models of one share is then at hand.
    for epsilon, seed, one in product(plan.epsilons, seeds, plan.trainers):
        key: Key = ("accuracy", records.digest, one, epsilon, seed, plan.neighbors)
        keys.setdefault((one.method, epsilon), []).append(key)
        tasks[key] = partial(_cell, records, one, epsilon, seed, plan.neighbors)
    found = fill(tasks, at_once=MODELS_AT_ONCE, **filling)
    return AccuracyCurves(
        {place: tuple(found[key] for key in listed[1:]) for place, listed in keys.items()},
        {place: found[listed[0]] for place, listed in keys.items()},
        found[strong] if reference is None else reference,
        _majority(records),
    )


def _cell(
    records: EncodedSplit, one: Trainer, epsilon: Fraction, seed: int | None, neighbors: Neighbors
) -> Measures:
    """One model; with the noise off if there is no seed."""
    noise = NoiseOff() if seed is None else NoiseChoice(seed).source("train")
    model = one.fit(records, epsilon=epsilon, neighbors=neighbors, noise=noise, again=True)
    fitted = model.model_
    return _tested(lambda rows: fitted.probabilities(fitted.scores(rows)), records)


def _reference(records: EncodedSplit) -> Measures:
    fitted = fit_reference(records.train)

    def spread_out(_: BoundedRows) -> FloatArray:
        # A class that it never saw has no chance.
        probability = np.zeros((_y(records).size, records.n_classes))
        probability[:, fitted.classes] = fitted.predict_proba(records.test)
        return probability

    return _tested(spread_out, records)


def _majority(records: EncodedSplit) -> Measures:
    train = records.train.y
    assert train is not None
    largest = int(np.bincount(train, minlength=records.n_classes).argmax())
    always = np.zeros((_y(records).size, records.n_classes))
    always[:, largest] = 1.0
    return measured(always, _y(records), positive=records.positive)


def _tested(predict: Callable[[BoundedRows], FloatArray], records: EncodedSplit) -> Measures:
    y = _y(records)
    # scikit-learn refuses to score no records at all.
    none = np.zeros((0, records.n_classes))
    probability = predict(records.test_rows) if y.size else none
    return measured(probability, y, positive=records.positive)


def _y(records: EncodedSplit) -> IntArray:
    assert records.test.y is not None
    return records.test.y


SIZES = (500, 1_000, 2_000, 5_000, 10_000, 20_000)

# Each is timed again until so many seconds are gone, but so often at least and at most.
_PATIENCE, _LEAST, _MOST = 0.1, 2, 12


@dataclass(frozen=True, kw_only=True)
class RuntimePlan(_check.Checked):
    """What is measured.

    Parameters
    ----------
    sizes
        Numbers of records, increasing.
    """

    trainers: Sequence[Trainer]
    sizes: Annotated[Sequence[int], _check.each(_check.whole(1, 10_000_000))] = SIZES
    epsilon: Fraction = Fraction(1)
    seed: int = 0
    neighbors: Neighbors = Neighbors.ADD_REMOVE


@dataclass(frozen=True, eq=False)
class Runtimes:
    """Seconds that training takes.

    Parameters
    ----------
    private : mapping of (method, records) to float
    peers : mapping of (kind, records) to float
        scikit-learn's model of each kind among the methods, without noise.
    """

    private: Mapping[tuple[str, int], float]
    peers: Mapping[tuple[str, int], float]


def runtimes(records: EncodedSplit, plan: RuntimePlan, **filling: Unpack[Filling]) -> Runtimes:
    """Time every method at every size: the best of two runs or, of quick ones, of up to twelve.

    The training records are taken over and over until there are as many as asked for, so that
    records of a small sample come up more than once.

    Parameters
    ----------
    records
        One training record or more.
    kept, progress
        See `fill`.

    References
    ----------
    F. Zafarani, C. Clifton (2020), Differentially private naive Bayes classifier using smooth
    sensitivity, Figure 13.
    """
    tasks: dict[Key, Callable[[], float]] = {}
    peers: dict[Key, tuple[str, int]] = {}
    private: dict[Key, tuple[str, int]] = {}
    for size in plan.sizes:
        kept = np.arange(size) % records.train.matrix.shape[0]
        sized = replace(records, train=records.train.rows(kept))
        for kind in dict.fromkeys(PEER_OF.get(one.kind, one.kind) for one in plan.trainers):
            key: Key = ("peer runtime", records.digest, kind, size)
            peers[key] = kind, size
            tasks[key] = partial(_timed, partial(fit_baseline, kind, sized.train))
        for one in plan.trainers:
            key = ("runtime", records.digest, one, size, plan.epsilon, plan.neighbors)
            private[key] = one.method, size
            tasks[key] = partial(_timed, partial(_fitted, sized, one, plan))
    found = fill(tasks, **filling)
    of_peers = {place: found[key] for key, place in peers.items()}
    return Runtimes({place: found[key] for key, place in private.items()}, of_peers)


def growth(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """The exponent b of seconds ~ sizes^b that fits best in logarithms.

    Examples
    --------
    >>> round(growth([10, 100, 1000], [0.2, 2.0, 20.0]), 3)
    1.0
    """
    return float(np.polyfit(np.log(sizes), np.log(np.maximum(seconds, 1e-9)), 1)[0])


def _fitted(records: EncodedSplit, one: Trainer, plan: RuntimePlan) -> object:
    noise = SeededNoise(plan.seed)
    return one.fit(records, epsilon=plan.epsilon, neighbors=plan.neighbors, noise=noise)


def _timed(run: Callable[[], object]) -> float:
    seconds: list[float] = []
    while len(seconds) < _LEAST or (sum(seconds) < _PATIENCE and len(seconds) < _MOST):
        start = perf_counter()
        run()
        seconds.append(perf_counter() - start)
    return min(seconds)
