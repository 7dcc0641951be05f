"""Noise that does not hide, and published ways of choosing: what gives a record away."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.demonstrations import Preset, preset, preset_of
from dpcore.audit.exact import exact_loss
from dpcore.audit.exact.noise import loss_of_fixed_outputs
from dpcore.audit.mechanism_cases.number_cases import grouped
from dpcore.audit.mechanism_cases.score_cases import passes
from dpcore.audit.method_targets import HOLDOUTS, ledger_target, selecting
from dpcore.audit.target import Pair, Redrawn, Target, mechanism_target, released
from dpcore.evaluation.holdout import ZumelHoldout, holdout_methods
from dpcore.mechanisms import Geometric, Laplace, PublishedSmoothMedians, PublishedSparseVector
from dpcore.mechanisms.counts.clusters_as_published import Clusters, PublishedClusters
from dpcore.mechanisms.smooth.cauchy import PublishedSmoothCauchy
from dpcore.mechanisms.smooth.statistics import Deviation
from dpcore.noise import NoiseSource, SeededNoise
from dpcore.privacy import Guarantee, Ledger, Loss, Neighbors
from dpcore.selection import selectors
from dpcore.selection.exact.one_round import only_the_second
from dpcore.selection.methods.sparse_vector import published_at
from dpcore.selection.scoring import RowBound, problem_of, scored_records

_METHOD = holdout_methods()["naive-reuse"]
_NAIVE_REUSE_PAIR = HOLDOUTS.pairs(_METHOD, Neighbors.REPLACE)[0]
_naive_reuse_target = partial(HOLDOUTS.target, _METHOD, Neighbors.REPLACE)


def _without_a_law(name: str, pair: Pair, target: Callable[[], Target]) -> Preset:
    """What draws the same from the same data each time."""
    return preset(name, pair, target, lambda: loss_of_fixed_outputs(target(), pair))


_REUSE = _without_a_law("naive-reuse", _NAIVE_REUSE_PAIR, _naive_reuse_target)

_TOLERANCE, _RECORDS = "0.04", 100


def _zumel_published_pair() -> Pair:
    """Holdout scores of 0.02, which is half of the tolerance, and of 0.03."""
    here, there = np.zeros((1, _RECORDS)), np.zeros((1, _RECORDS))
    here[0, :2], there[0, :3] = 1.0, 1.0
    words = f"2 or 3 of {_RECORDS} holdout records are improved, and no training record"
    return Pair(here, there, words, Neighbors.REPLACE)


def _zumel_published_target() -> Target:
    def call(holdout: Any, noise: NoiseSource, ledger: Ledger) -> Any:
        opened = ZumelHoldout(
            [0.0], holdout[0], tolerance=_TOLERANCE, questions=1, noise=noise, ledger=ledger
        )
        return opened.answers([[0.0]], holdout)

    method = holdout_methods()["zumel-published"]
    return ledger_target(method, Neighbors.REPLACE, call, _zumel_published_pair().d)


_ZUMEL_PUBLISHED = preset("zumel-published", _zumel_published_pair(), _zumel_published_target)

_LAPLACE = preset_of(
    "laplace",
    Laplace(epsilon=1),
    Pair(np.array([0.0]), np.array([1.0]), "a sum of 0 against one of 1"),
)


def _known_seed_target() -> Target:
    once = mechanism_target(Geometric(epsilon=1))

    def sample(data: Any, trials: int, noise: NoiseSource) -> FloatArray:
        # Whoever knows the seed draws the same noise: one output for each data set.
        return np.repeat(once.sample(data, 1, SeededNoise(7)), trials, axis=0)

    known = Guarantee.broken("whoever knows the seed subtracts the noise")
    name = "geometric noise with a known seed"
    return replace(once, name=name, guarantee=known, sample=sample)


_SEED_PAIR = Pair(np.array([3]), np.array([4]), "a count of 3 against 4")

_KNOWN_SEED = _without_a_law("known-seed", _SEED_PAIR, _known_seed_target)


@dataclass(frozen=True, kw_only=True)
class ComparedCounts:
    """A selector of features by their total counts, on two neighbouring tables.

    Parameters
    ----------
    name
        Of the selector.
    variant
        The number of the algorithm that it runs.
    row_bound
        The most features in one row.
    pair
        Of rows of ones and zeros, and labels; one relation between neighbours.
    """

    name: str
    variant: int
    epsilon: int
    threshold: float
    row_bound: int
    pair: Pair

    def target(self) -> Target:
        """The selector, as it selects by the threshold."""
        neighbors = self.pair.neighbors
        told: dict[str, Any] = {"epsilon": self.epsilon, "most": self.row_bound}
        call = selecting(self.name, neighbors, threshold=self.threshold, **told)
        target = ledger_target(selectors()[self.name], neighbors, call, self.pair.d)
        names = tuple(f"feature {at + 1}?" for at in range(self.pair.d[0].shape[1]))
        return replace(target, sample=self.sample, columns=names, singly=False)

    def sample(self, data: Any, trials: int, noise: NoiseSource) -> FloatArray:
        """What the selector answers, feature by feature, so many times.

        The records are counted once, by its own reader; its mechanism alone is drawn anew.
        """
        mechanism, counts = self._asked(data)
        answers = released(Redrawn(mechanism, trials), counts, noise)
        selected = np.zeros((trials, counts.size))
        for row, answer in zip(selected, answers, strict=True):
            row[answer.passed] = 1.0
        return selected

    def exact(self) -> float | None:
        """The exact loss of its mechanism on the counts of both tables."""
        mechanism, here = self._asked(self.pair.d)
        _, there = self._asked(self.pair.d_prime)
        return exact_loss(mechanism, replace(self.pair, d=here, d_prime=there))

    def preset(self, name: str) -> Preset:
        """The demonstration of it, under that name."""
        return preset(name, self.pair, self.target, self.exact)

    def _asked(self, data: Any) -> tuple[PublishedSparseVector, FloatArray]:
        """The mechanism of the selector, and what it compares."""
        bound, neighbors = RowBound(most=self.row_bound), self.pair.neighbors
        told: dict[str, Any] = {"score": "total-count", "bound": bound, "neighbors": neighbors}
        _, counts, records = scored_records(*data, space=None, **told)
        problem = problem_of(counts, records, top_k=None, threshold=self.threshold)
        return published_at(Loss(self.epsilon), self.variant, problem), counts


_LOW = 5 * (-1.0,)

_SMOOTH_PUBLISHED_MECHANISM = PublishedSmoothCauchy(epsilon=0.1, statistic=Deviation())

_ONE_MORE = "five numbers at the lower bound, and one at the upper bound more"

_SMOOTH_PAIR = Pair(grouped(_LOW), grouped((*_LOW, 1.0)), _ONE_MORE)

_SMOOTH_PUBLISHED = preset_of("smooth-published", _SMOOTH_PUBLISHED_MECHANISM, _SMOOTH_PAIR)


_MEDIANS_PUBLISHED_MECHANISM = PublishedSmoothMedians(
    epsilon=1,
    selection_epsilon=10,
    positions=np.linspace(0.0, 1.0, 9),
    cuts=np.array([0, 8]),
    neighbors=Neighbors.REPLACE,
)

# Records in the cells 1 and 6, and then both in cell 6.
_APART, _BESIDE = np.cumsum([0, 1, 0, 0, 0, 0, 1, 0, 0]), np.cumsum([0, 0, 0, 0, 0, 0, 2, 0, 0])

_MOVES = "one of two scores moves from 0.06 to 0.69, beside the other"

_MEDIANS_PAIR = Pair(_APART, _BESIDE, _MOVES, Neighbors.REPLACE)

_MEDIANS_PUBLISHED = preset_of("recursive-medians", _MEDIANS_PUBLISHED_MECHANISM, _MEDIANS_PAIR)


_THRESHOLD = 5.0

_CLUSTERS_MECHANISM = PublishedClusters(epsilon=1, centres=np.array([[3.0], [10.0]]), rounds=1)


def _accepted(found: Clusters) -> FloatArray:
    """Which features are selected: those of clusters whose centre reaches the threshold."""
    accepted: FloatArray = (found.centres[found.members, 0] >= _THRESHOLD).astype(np.float64)
    return accepted


_CLUSTERS_PAIR = Pair(
    np.array([[6.0], [7.0]]), np.array([[6.0], [6.0]]), "feature counts 6 and 7 against 6 and 6"
)


def _clusters_loss() -> float:
    sides = (_CLUSTERS_PAIR.d, _CLUSTERS_PAIR.d_prime)
    here, there = (only_the_second(_CLUSTERS_MECHANISM, side, _THRESHOLD) for side in sides)
    return math.inf if here > there == 0.0 else abs(math.log(here / there))


_CLUSTERS = preset(
    "clusters",
    _CLUSTERS_PAIR,
    partial(mechanism_target, _CLUSTERS_MECHANISM, name="cluster-published", read=_accepted),
    _clusters_loss,
)


_HALF = 100


def _swapped() -> Pair:
    """One row of features that are on, and the same number of others instead."""
    row = np.repeat([0.0, 1.0], _HALF)[np.newaxis]
    label = np.zeros(1, dtype=np.int64)
    words = f"one row has {_HALF} features instead of {_HALF} others"
    return Pair((row, label), (1.0 - row, label), words, Neighbors.REPLACE)


_NOISYCUT_CASE = ComparedCounts(
    name="noisycut-published", variant=6, epsilon=1, threshold=0.0, row_bound=_HALF, pair=_swapped()
)

_NOISYCUT = _NOISYCUT_CASE.preset("noisycut")


def _crossing(fails: int, passing: int) -> Pair:
    here = np.repeat([0.0, 1.0], [fails, passing])
    falling = "one falls" if passing == 1 else f"{passing} fall"
    words = f"{fails} scores rise from 0 to 1, and {falling} from 1 to 0"
    return Pair(here, 1.0 - here, words, Neighbors.REPLACE)


_SPARSE_VECTOR_3_FAILS = 30


_SPARSE_VECTOR_3 = preset_of(
    "sparse-vector-3",
    PublishedSparseVector(
        variant=3, epsilon=1, cutoff=1, threshold=0.0, neighbors=Neighbors.REPLACE
    ),
    _crossing(_SPARSE_VECTOR_3_FAILS, 1),
    called="sparse-vector-3",
    read=passes(_SPARSE_VECTOR_3_FAILS + 1),
)


_CUTOFF, _SPARSE_VECTOR_4_FAILS = 10, 40

_SPARSE_VECTOR_4_MECHANISM = PublishedSparseVector(
    variant=4, epsilon=1, cutoff=_CUTOFF, threshold=0.0, neighbors=Neighbors.REPLACE
)


_SPARSE_VECTOR_4_PAIR = _crossing(_SPARSE_VECTOR_4_FAILS, _CUTOFF)


def _sparse_vector_4_target() -> Target:
    """The mechanism, held to the epsilon of its publication and not to its true loss."""
    read = passes(_SPARSE_VECTOR_4_FAILS + _CUTOFF)
    own = mechanism_target(_SPARSE_VECTOR_4_MECHANISM, read=read)
    name = "sparse-vector-4 at its published epsilon"
    told = Guarantee.broken("its true loss is (1 + 6c)/4 times the published epsilon")
    return replace(own, name=name, loss=Loss(1), guarantee=told)


_true_loss = partial(exact_loss, _SPARSE_VECTOR_4_MECHANISM, _SPARSE_VECTOR_4_PAIR)

_SPARSE_VECTOR_4 = preset(
    "sparse-vector-4", _SPARSE_VECTOR_4_PAIR, _sparse_vector_4_target, _true_loss
)


def _threshold_testing_pair() -> Pair:
    """Total counts (1, 2) against (2, 2)."""
    here, record = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    labels = np.zeros(3, dtype=np.int64)
    there = np.vstack([here, record]), labels
    return Pair((here, labels[:2]), there, "feature counts 1 and 2 against 2 and 2")


_THRESHOLD_TESTING_CASE = ComparedCounts(
    name="threshold-testing-published",
    variant=5,
    epsilon=2,
    threshold=2.0,
    row_bound=2,
    pair=_threshold_testing_pair(),
)


PRESET: tuple[Preset, ...] = (_LAPLACE, _KNOWN_SEED, _SMOOTH_PUBLISHED, _MEDIANS_PUBLISHED, _REUSE)
PRESET += (_ZUMEL_PUBLISHED, _CLUSTERS, _NOISYCUT, _SPARSE_VECTOR_3, _SPARSE_VECTOR_4)
PRESET += (_THRESHOLD_TESTING_CASE.preset("threshold-testing"),)
