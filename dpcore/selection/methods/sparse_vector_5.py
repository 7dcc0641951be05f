"""Private threshold testing by its number (Algorithm 5)."""

from __future__ import annotations

from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS
from dpcore.selection.methods.published import published
from dpcore.selection.problem import Selector

__all__ = ["METHOD"]

METHOD = Selector(
    name="sparse-vector-5",
    title="Sparse vector, Algorithm 5",
    summary="A noisy threshold, and no noise on the scores at all.",
    run=published(5),
    guarantee=PUBLISHED_SPARSE_VECTORS[5].guarantee,
    reference="Stoddard, Chen and Machanavajjhala 2014, Section 3.4: private threshold testing",
    rules=("threshold",),
)
