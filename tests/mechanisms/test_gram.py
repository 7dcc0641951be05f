"""Weighed products of rows, cut into pieces: those of plain matrices."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from dpcore.mechanisms import gram as module
from dpcore.mechanisms.gram import gram


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("n", [0, 1, 7, 8, 50])
def test_it_is_the_plain_product(monkeypatch: pytest.MonkeyPatch, n: int, sparse: bool) -> None:
    monkeypatch.setattr(module, "_CACHED_ROWS", 8)
    rng = np.random.default_rng(n)
    rows = rng.uniform(-1, 1, (n, 5)) * (rng.random((n, 5)) < 0.5)
    scale = rng.random(n)
    found = gram(csr_array(rows) if sparse else rows, scale)
    np.testing.assert_allclose(found, rows.T @ np.diag(scale) @ rows, atol=1e-12)


def test_some_rows_of_a_larger_matrix() -> None:
    """Their entries do not begin at zero."""
    rows = csr_array(np.eye(6) + np.eye(6, k=1))
    part = rows[2:5]
    np.testing.assert_array_equal(gram(part, np.ones(3)), (part.T @ part).toarray())
