"""How long training takes as the number of records grows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from time import perf_counter

import numpy as np

from dpcore import _check
from dpcore.curves.model_curves.trainer import Records, Trainer
from dpcore.curves.selection.cells import Progress, fill
from dpcore.noise import SeededNoise
from dpcore.privacy import Neighbors
from dpcore.schema import Design
from dpcore.study.peers import fit_peer

__all__ = ["SIZES", "RuntimePlan", "Runtimes", "growth", "runtimes"]

SIZES = (500, 1_000, 2_000, 5_000, 10_000, 20_000)
# Each is timed again until so many seconds are gone, but so often at least and at most.
_PATIENCE, _LEAST, _MOST = 0.3, 2, 12
Key = tuple[object, ...]


@dataclass(frozen=True, kw_only=True)
class RuntimePlan:
    """What is measured.

    Parameters
    ----------
    trainers : sequence of Trainer
    sizes : sequence of int
        Numbers of records, increasing.
    epsilon : Fraction
    seed : int
    neighbors : Neighbors
    """

    trainers: Sequence[Trainer]
    sizes: Sequence[int] = SIZES
    epsilon: Fraction = Fraction(1)
    seed: int = 0
    neighbors: Neighbors = Neighbors.ADD_REMOVE

    def __post_init__(self) -> None:
        for size in self.sizes:
            _check.integer_in_range(1, 10_000_000, sizes=size)


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


def runtimes(
    records: Records,
    plan: RuntimePlan,
    *,
    kept: MutableMapping[Key, float] | None = None,
    progress: Progress | None = None,
) -> Runtimes:
    """Time every method at every size: the best of two runs or, of quick ones, of up to twelve.

    The training records are taken over and over until there are as many as asked for, so that
    records of a small sample come up more than once.

    Parameters
    ----------
    records : Records
        One training record or more.
    plan : RuntimePlan
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
        sized = replace(records, train=_sized(records.train, size))
        for kind in dict.fromkeys(one.kind for one in plan.trainers):
            key: Key = ("peer runtime", records.digest, kind, size)
            peers[key] = kind, size
            tasks[key] = partial(_timed, partial(fit_peer, kind, sized.train))
        for one in plan.trainers:
            key = ("runtime", records.digest, one, size, plan.epsilon, plan.neighbors)
            private[key] = one.method, size
            tasks[key] = partial(_timed, partial(_fitted, sized, one, plan))
    found = fill(tasks, kept=kept, progress=progress)
    return Runtimes(
        {place: found[key] for key, place in private.items()},
        {place: found[key] for key, place in peers.items()},
    )


def growth(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """The exponent b of seconds ~ sizes^b that fits best in logarithms.

    Examples
    --------
    >>> round(growth([10, 100, 1000], [0.2, 2.0, 20.0]), 3)
    1.0
    """
    return float(np.polyfit(np.log(sizes), np.log(np.maximum(seconds, 1e-9)), 1)[0])


def _sized(train: Design, size: int) -> Design:
    return train.rows(np.arange(size) % train.matrix.shape[0])


def _fitted(records: Records, one: Trainer, plan: RuntimePlan) -> object:
    return one.fit(
        records.train,
        n_classes=records.n_classes,
        epsilon=plan.epsilon,
        neighbors=plan.neighbors,
        noise=SeededNoise(plan.seed),
    )


def _timed(run: Callable[[], object]) -> float:
    seconds: list[float] = []
    while len(seconds) < _LEAST or (sum(seconds) < _PATIENCE and len(seconds) < _MOST):
        start = perf_counter()
        run()
        seconds.append(perf_counter() - start)
    return min(seconds)
