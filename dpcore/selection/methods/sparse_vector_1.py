"""The sparse vector technique with half of the budget on the threshold (Algorithm 1)."""

from __future__ import annotations

from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS
from dpcore.selection.methods.cut_off import CUTOFF
from dpcore.selection.methods.published import published
from dpcore.selection.problem import Selector

__all__ = ["METHOD"]

METHOD = Selector(
    name="sparse-vector-1",
    title="Sparse vector, Algorithm 1",
    summary="Threshold noise once, query noise that grows with the cut-off c.",
    run=published(1),
    guarantee=PUBLISHED_SPARSE_VECTORS[1].guarantee,
    reference="Lyu, Su and Li 2017, Algorithm 1",
    parameters=(CUTOFF,),
)
