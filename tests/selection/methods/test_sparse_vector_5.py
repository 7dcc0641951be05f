"""Algorithm 5 is declared with its verdict and its rules; test_published runs it."""

from __future__ import annotations

from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS
from dpcore.selection.methods.sparse_vector_5 import METHOD


def test_the_declaration() -> None:
    assert METHOD.name == "sparse-vector-5"
    assert METHOD.guarantee is PUBLISHED_SPARSE_VECTORS[5].guarantee
    assert METHOD.rules == ("threshold",)
    assert METHOD.guarantee.word == "BROKEN"
