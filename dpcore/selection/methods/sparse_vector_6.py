"""Noisycut without a cut-off by its number (Algorithm 6)."""

from __future__ import annotations

from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS
from dpcore.selection.methods.published import published
from dpcore.selection.problem import Selector

__all__ = ["METHOD"]

METHOD = Selector(
    name="sparse-vector-6",
    title="Sparse vector, Algorithm 6",
    summary="Noise on threshold and scores, and no cut-off.",
    run=published(6),
    guarantee=PUBLISHED_SPARSE_VECTORS[6].guarantee,
    reference="Lee and Clifton 2014 without its cut-off; Chen et al. 2015",
    rules=("threshold",),
)
