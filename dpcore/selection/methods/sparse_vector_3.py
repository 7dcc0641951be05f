"""The sparse vector technique of the lecture notes, as published (Algorithm 3)."""

from __future__ import annotations

from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS
from dpcore.selection.methods.cut_off import CUTOFF
from dpcore.selection.methods.published import published
from dpcore.selection.problem import Selector

__all__ = ["METHOD"]

METHOD = Selector(
    name="sparse-vector-3",
    title="Sparse vector, Algorithm 3",
    summary="Answers a success by its noisy score, which gives the threshold away.",
    run=published(3),
    guarantee=PUBLISHED_SPARSE_VECTORS[3].guarantee,
    reference="Roth 2011, lecture notes",
    parameters=(CUTOFF,),
)
