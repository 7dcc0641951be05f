"""Cluster selection as published: memberships without noise."""

from __future__ import annotations

import math

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.pair import Pair
from dpcore.audit.presets.preset import Preset
from dpcore.audit.target import mechanism_target
from dpcore.mechanisms.counts.published_clusters import Clusters, PublishedClusters
from dpcore.selection.exact import only_the_second

__all__ = ["PRESET"]

_THRESHOLD = 5.0
_MECHANISM = PublishedClusters(epsilon=1, centres=np.array([[3.0], [10.0]]), rounds=1)


def _accepted(found: Clusters) -> FloatArray:
    """Which features are selected: those of clusters whose centre reaches the threshold."""
    accepted: FloatArray = (found.centres[found.members, 0] >= _THRESHOLD).astype(np.float64)
    return accepted


def _pair() -> Pair:
    return Pair(
        here=np.array([[6.0], [7.0]]),
        there=np.array([[6.0], [6.0]]),
        words="feature counts 6 and 7 against 6 and 6",
    )


def _exact() -> float:
    pair = _pair()
    here, there = (
        only_the_second(_MECHANISM, side, _THRESHOLD) for side in (pair.here, pair.there)
    )
    return math.inf if here > there == 0.0 else abs(math.log(here / there))


PRESET = Preset(
    name="clusters",
    title="Cluster selection leaks through its clusters",
    story=(
        "Only the centres get noise; which feature belongs to which cluster is exact. Two features "
        "of equal counts are always selected together, so selecting one alone gives the data away."
    ),
    shows=("cluster-published", "PublishedClusters"),
    target=lambda: mechanism_target(_MECHANISM, name="cluster-published", read=_accepted),
    pair=_pair,
    trials=4000,
    exact=_exact,
)
