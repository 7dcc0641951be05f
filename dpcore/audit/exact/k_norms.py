"""Losses of K-norm noise: the norm of the change times the rate."""

from __future__ import annotations

import numpy as np

from dpcore.audit.exact.law import ExactLaw
from dpcore.audit.pair import Pair
from dpcore.mechanisms.counts.k_norm_counts import KNormCounts
from dpcore.mechanisms.counts.k_norm_histograms import KNormHistograms

__all__ = ["EXACT"]


def _loss(mechanism: KNormCounts | KNormHistograms, pair: Pair) -> float:
    """Density exp(-rate norm(b)), so a shift costs rate times its norm, reached far out."""
    moved = np.abs(np.asarray(pair.there) - np.asarray(pair.here))
    if isinstance(mechanism, KNormCounts):
        return float(mechanism.rate) * float(moved.max())
    edges = np.cumsum(mechanism.sizes)[:-1]
    norms = [part.sum(axis=1) for part in np.split(moved, edges, axis=1)]
    return mechanism.rate * float(np.max(norms, axis=0).sum())


EXACT = ExactLaw(mechanisms=(KNormCounts, KNormHistograms), loss=_loss)
