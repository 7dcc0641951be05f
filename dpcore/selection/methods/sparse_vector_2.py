"""The sparse vector technique of the textbook (Algorithm 2)."""

from __future__ import annotations

from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS
from dpcore.selection.methods.cut_off import CUTOFF
from dpcore.selection.methods.published import published
from dpcore.selection.problem import Selector

__all__ = ["METHOD"]

METHOD = Selector(
    name="sparse-vector-2",
    title="Sparse vector, Algorithm 2",
    summary="The textbook version: a fresh noisy threshold after every success.",
    run=published(2),
    guarantee=PUBLISHED_SPARSE_VECTORS[2].guarantee,
    reference="Dwork and Roth 2014, Algorithm 2 of Section 3.6",
    parameters=(CUTOFF,),
)
