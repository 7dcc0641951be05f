"""Purity index: it sees absent features too, so every score can move."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from dpcore import Neighbors
from dpcore.selection.scores.purity_index import METHOD, purity_index
from dpcore.selection.scores.score import PublicRows


def test_by_hand() -> None:
    rows = csr_array(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]))
    assert purity_index(rows, np.array([1, 0, 0, 0, 1])).tolist() == [1.0, 1.0]
    assert purity_index(rows, np.array([1, 1, 0, 0, 0])).tolist() == [3.0, 2.0]


def test_the_footnote_of_the_paper_is_false() -> None:
    """Flipping one label moves features by 2 that are 0 in both records: not 2 s, but 2 |F|."""
    rows = csr_array(np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]))
    moved = purity_index(rows, np.array([1, 1])) - purity_index(rows, np.array([0, 1]))
    assert np.abs(moved).tolist() == [0.0, 2.0, 2.0, 2.0]
    s = 1
    assert np.abs(moved).sum() > 2 * s
    facts = PublicRows(neighbors=Neighbors.REPLACE, bound=s, features=4)
    assert METHOD.l1_sensitivity(facts) == 8
