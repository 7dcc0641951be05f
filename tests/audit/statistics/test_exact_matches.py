"""Exact matches see outputs that repeat."""

from __future__ import annotations

import numpy as np

from dpcore.audit.statistics import exact_matches
from tests.audit.statistics._samples import RNG, separation, shifted


def test_exact_matches_of_outputs_that_repeat() -> None:
    def pairs(side: int) -> np.ndarray:
        """Each number is fair on either side; together they agree or differ."""
        first = RNG.integers(0, 2, 800)
        return np.column_stack([first, first if side else 1 - first]).astype(float)

    assert separation(exact_matches, pairs) == 1.0
    assert exact_matches(shifted(1), shifted(0)) == []
