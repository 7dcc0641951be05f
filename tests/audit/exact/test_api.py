"""Finding the laws."""

from __future__ import annotations

from dpcore.audit.exact.api import exact_laws
from dpcore.mechanisms import (
    CanonicalTop,
    OneShot,
    SparseVector,
)
from dpcore.mechanisms.counts.k_norm_counts import KNormCounts


def test_every_law_is_found() -> None:
    assert {OneShot, CanonicalTop, SparseVector, KNormCounts} <= set(exact_laws())
