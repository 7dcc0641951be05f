"""Published ways of choosing features, and the outputs that give a record away."""

import math

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.demonstrations import Preset, preset_of
from dpcore.audit.demonstrations.noise import ComparedCounts
from dpcore.audit.mechanism_cases.score_cases import passes
from dpcore.audit.target import Pair, Target, mechanism_target
from dpcore.mechanisms import PublishedSparseVector
from dpcore.mechanisms.counts.clusters_as_published import Clusters, PublishedClusters
from dpcore.privacy import Guarantee, Loss, Neighbors
from dpcore.selection.exact import only_the_second

_THRESHOLD = 5.0

_CLUSTERS_MECHANISM = PublishedClusters(epsilon=1, centres=np.array([[3.0], [10.0]]), rounds=1)


def _accepted(found: Clusters) -> FloatArray:
    """Which features are selected: those of clusters whose centre reaches the threshold."""
    accepted: FloatArray = (found.centres[found.members, 0] >= _THRESHOLD).astype(np.float64)
    return accepted


_CLUSTERS_PAIR = Pair(
    d=np.array([[6.0], [7.0]]),
    d_prime=np.array([[6.0], [6.0]]),
    words="feature counts 6 and 7 against 6 and 6",
)


def _exact() -> float:
    sides = (_CLUSTERS_PAIR.d, _CLUSTERS_PAIR.d_prime)
    here, there = (only_the_second(_CLUSTERS_MECHANISM, side, _THRESHOLD) for side in sides)
    return math.inf if here > there == 0.0 else abs(math.log(here / there))


_CLUSTERS = preset_of(
    _CLUSTERS_MECHANISM,
    _CLUSTERS_PAIR,
    called="cluster-published",
    read=_accepted,
    name="clusters",
    title="Cluster selection leaks through its clusters",
    story=(
        "Only the centres get noise; which feature belongs to which cluster is exact. Two features "
        "of equal counts are always selected together, so selecting one alone gives the data away."
    ),
    shows=("cluster-published", "PublishedClusters"),
    trials=4000,
    exact=_exact,
)


_HALF = 100


def _noisycut_pair() -> Pair:
    """One row of features that are on, and the same number of others instead."""
    row = np.repeat([0.0, 1.0], _HALF)[np.newaxis]
    label = np.zeros(1, dtype=np.int64)
    return Pair(
        d=(row, label),
        d_prime=(1.0 - row, label),
        words=f"one row has {_HALF} features instead of {_HALF} others",
        neighbors=Neighbors.REPLACE,
    )


_NOISYCUT_CASE = ComparedCounts(
    name="noisycut-published",
    variant=6,
    epsilon=1,
    threshold=0.0,
    row_bound=_HALF,
    pair=_noisycut_pair(),
)

_NOISYCUT = Preset(
    name="noisycut",
    title="Sparse vector, the variants: no cut-off (Algorithm 6)",
    story=(
        "Every score is compared with noise of a fixed scale, however many there are. Each answer "
        "leaks a little, and the leaks add up: 20 + 20 scores cost 17, 80 + 80 cost 71."
    ),
    shows=(_NOISYCUT_CASE.name, "sparse-vector-6"),
    target=_NOISYCUT_CASE.target,
    pair=_NOISYCUT_CASE.pair,
    trials=800,
    exact=_NOISYCUT_CASE.exact,
)


_SPARSE_VECTOR_3_FAILS = 30


def _sparse_vector_3_pair() -> Pair:
    here = np.concatenate([np.zeros(_SPARSE_VECTOR_3_FAILS), [1.0]])
    return Pair(
        d=here,
        d_prime=1.0 - here,
        words=f"{_SPARSE_VECTOR_3_FAILS} scores of 0 rise to 1, and one of 1 falls to 0",
        neighbors=Neighbors.REPLACE,
    )


_SPARSE_VECTOR_3 = preset_of(
    PublishedSparseVector(
        variant=3, epsilon=1, cutoff=1, threshold=0.0, neighbors=Neighbors.REPLACE
    ),
    _sparse_vector_3_pair(),
    called="sparse-vector-3",
    read=passes(_SPARSE_VECTOR_3_FAILS + 1),
    name="sparse-vector-3",
    title="Sparse vector, the variants: numeric answers (Algorithm 3)",
    story=(
        "The score that passed is answered with the noise that let it pass, so the noisy threshold "
        "lies below it. The breach is in rare answers: the exact loss shows it, draws hardly do."
    ),
    shows=("sparse-vector-3",),
    trials=20_000,
    drawn=False,
)


_CUTOFF, _SPARSE_VECTOR_4_FAILS = 10, 40

_SPARSE_VECTOR_4_MECHANISM = PublishedSparseVector(
    variant=4, epsilon=1, cutoff=_CUTOFF, threshold=0.0, neighbors=Neighbors.REPLACE
)


def _sparse_vector_4_pair() -> Pair:
    here = np.repeat([0.0, 1.0], [_SPARSE_VECTOR_4_FAILS, _CUTOFF])
    return Pair(
        d=here,
        d_prime=1.0 - here,
        words=f"{_SPARSE_VECTOR_4_FAILS} scores rise from 0 to 1, and {_CUTOFF} fall from 1 to 0",
        neighbors=Neighbors.REPLACE,
    )


def _target() -> Target:
    """The mechanism, held to the epsilon of its publication and not to its true loss."""
    own = mechanism_target(
        _SPARSE_VECTOR_4_MECHANISM, read=passes(_SPARSE_VECTOR_4_FAILS + _CUTOFF)
    )
    return Target(
        name="sparse-vector-4 at its published epsilon",
        loss=Loss(1),
        guarantee=Guarantee.broken("its true loss is (1 + 6c)/4 times the published epsilon"),
        neighbors=own.neighbors,
        sample=own.sample,
    )


_SPARSE_VECTOR_4 = preset_of(
    _SPARSE_VECTOR_4_MECHANISM,
    _sparse_vector_4_pair(),
    name="sparse-vector-4",
    title="Sparse vector, the variants: noise that ignores the cut-off (Algorithm 4)",
    story=(
        "Its query noise does not grow with the number of answers. Held to the published epsilon "
        "of 1 it fails; this project declares the true loss, (1 + 6c)/4, which is 15.25 here."
    ),
    shows=("sparse-vector-4",),
    target=_target,
    trials=20_000,
)


def _threshold_testing_pair() -> Pair:
    """Total counts (1, 2) against (2, 2)."""
    here, record = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    return Pair(
        d=(here, np.zeros(2, dtype=np.int64)),
        d_prime=(np.vstack([here, record]), np.zeros(3, dtype=np.int64)),
        words="feature counts 1 and 2 against 2 and 2",
    )


_THRESHOLD_TESTING_CASE = ComparedCounts(
    name="threshold-testing-published",
    variant=5,
    epsilon=2,
    threshold=2.0,
    row_bound=2,
    pair=_threshold_testing_pair(),
)

_THRESHOLD_TESTING = Preset(
    name="threshold-testing",
    title="Private threshold testing gives itself away",
    story=(
        "All features are compared with one noisy threshold, and their own counts get no noise. "
        "Equal counts are then answered alike, always: one answer is possible on one data set only."
    ),
    shows=(_THRESHOLD_TESTING_CASE.name, "sparse-vector-5"),
    target=_THRESHOLD_TESTING_CASE.target,
    pair=_THRESHOLD_TESTING_CASE.pair,
    trials=2000,
    exact=_THRESHOLD_TESTING_CASE.exact,
)

PRESET = (_CLUSTERS, _NOISYCUT, _SPARSE_VECTOR_3, _SPARSE_VECTOR_4, _THRESHOLD_TESTING)
