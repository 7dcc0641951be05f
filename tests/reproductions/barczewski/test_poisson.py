"""The paper's synthetic records."""

from __future__ import annotations

import numpy as np

from reproductions.barczewski.poisson import poisson_records


def test_counts_are_poisson() -> None:
    counts = poisson_records(3.0, 2**15, 1).counts
    # Mean and variance are 3; five standard errors.
    assert abs(counts.mean() - 3) < 5 * (3 / 2**15) ** 0.5
    assert abs(counts.var() - 3) < 5 * (21 / 2**15) ** 0.5


def test_a_seed_repeats_them() -> None:
    first, again, other = (poisson_records(1.0, 64, seed).counts for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()
