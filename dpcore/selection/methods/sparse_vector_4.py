"""The sparse vector variant for frequent itemsets, at its true loss (Algorithm 4)."""

from __future__ import annotations

from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS
from dpcore.selection.methods.cut_off import CUTOFF
from dpcore.selection.methods.published import published
from dpcore.selection.problem import Selector

__all__ = ["METHOD"]

METHOD = Selector(
    name="sparse-vector-4",
    title="Sparse vector, Algorithm 4",
    summary="Query noise without the cut-off c, run at its true loss.",
    run=published(4),
    guarantee=PUBLISHED_SPARSE_VECTORS[4].guarantee,
    reference="Lee and Clifton 2014: frequent itemsets",
    parameters=(CUTOFF,),
)
