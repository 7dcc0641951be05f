"""Algorithm 6 is declared with its verdict and its rules; test_published runs it."""

from __future__ import annotations

from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS
from dpcore.selection.methods.noisycut_published import METHOD


def test_the_declaration() -> None:
    assert METHOD.name == "noisycut-published"
    assert METHOD.guarantee is PUBLISHED_SPARSE_VECTORS[6].guarantee
    assert METHOD.rules == ("threshold",)
