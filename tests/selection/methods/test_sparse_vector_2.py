"""Algorithm 2 is declared with its verdict and its rules; test_published runs it."""

from __future__ import annotations

from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS
from dpcore.selection.methods.sparse_vector_2 import METHOD


def test_the_declaration() -> None:
    assert METHOD.name == "sparse-vector-2"
    assert METHOD.guarantee is PUBLISHED_SPARSE_VECTORS[2].guarantee
    assert METHOD.rules == ("top_k", "threshold")
