"""Algorithm 4 is declared with its verdict and its rules; test_published runs it."""

from __future__ import annotations

from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS
from dpcore.selection.methods.sparse_vector_4 import METHOD


def test_the_declaration() -> None:
    assert METHOD.name == "sparse-vector-4"
    assert METHOD.guarantee is PUBLISHED_SPARSE_VECTORS[4].guarantee
    assert METHOD.rules == ("top_k", "threshold")
