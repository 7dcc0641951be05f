"""Published ways of choosing features, and the outputs that give a record away."""

import math
from dataclasses import replace
from functools import partial

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.demonstrations import preset, preset_of
from dpcore.audit.demonstrations.noise import ComparedCounts
from dpcore.audit.exact import exact_loss
from dpcore.audit.mechanism_cases.score_cases import passes
from dpcore.audit.target import Pair, Target, mechanism_target
from dpcore.mechanisms import PublishedSparseVector
from dpcore.mechanisms.counts.clusters_as_published import Clusters, PublishedClusters
from dpcore.privacy import Guarantee, Loss, Neighbors
from dpcore.selection.exact.one_round import only_the_second

_THRESHOLD = 5.0

_CLUSTERS_MECHANISM = PublishedClusters(epsilon=1, centres=np.array([[3.0], [10.0]]), rounds=1)


def _accepted(found: Clusters) -> FloatArray:
    """Which features are selected: those of clusters whose centre reaches the threshold."""
    accepted: FloatArray = (found.centres[found.members, 0] >= _THRESHOLD).astype(np.float64)
    return accepted


_CLUSTERS_PAIR = Pair(
    np.array([[6.0], [7.0]]), np.array([[6.0], [6.0]]), "feature counts 6 and 7 against 6 and 6"
)


def _exact() -> float:
    sides = (_CLUSTERS_PAIR.d, _CLUSTERS_PAIR.d_prime)
    here, there = (only_the_second(_CLUSTERS_MECHANISM, side, _THRESHOLD) for side in sides)
    return math.inf if here > there == 0.0 else abs(math.log(here / there))


_CLUSTERS = preset(
    "clusters",
    _CLUSTERS_PAIR,
    partial(mechanism_target, _CLUSTERS_MECHANISM, name="cluster-published", read=_accepted),
    _exact,
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


def _target() -> Target:
    """The mechanism, held to the epsilon of its publication and not to its true loss."""
    read = passes(_SPARSE_VECTOR_4_FAILS + _CUTOFF)
    own = mechanism_target(_SPARSE_VECTOR_4_MECHANISM, read=read)
    name = "sparse-vector-4 at its published epsilon"
    told = Guarantee.broken("its true loss is (1 + 6c)/4 times the published epsilon")
    return replace(own, name=name, loss=Loss(1), guarantee=told)


_true_loss = partial(exact_loss, _SPARSE_VECTOR_4_MECHANISM, _SPARSE_VECTOR_4_PAIR)

_SPARSE_VECTOR_4 = preset("sparse-vector-4", _SPARSE_VECTOR_4_PAIR, _target, _true_loss)


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

_THRESHOLD_TESTING = _THRESHOLD_TESTING_CASE.preset("threshold-testing")

PRESET = (_CLUSTERS, _NOISYCUT, _SPARSE_VECTOR_3, _SPARSE_VECTOR_4, _THRESHOLD_TESTING)
