"""The two passes over a tree: least squares, against dense linear algebra."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.postprocess.tree_consistency import fit_tree


@st.composite
def trees(draw):
    first = draw(st.integers(1, 4))
    branching = draw(st.lists(st.integers(2, 4), max_size=3))
    sizes = [first * math.prod(branching[:depth]) for depth in range(len(branching) + 1)]
    generator = np.random.default_rng(draw(st.integers(0, 99)))
    levels = [generator.integers(-50, 50, size) for size in sizes]
    return levels, draw(st.one_of(st.none(), st.floats(-100, 100)))


def dense(levels, total):
    leaves = levels[-1].size
    design = np.concatenate(
        [np.kron(np.eye(level.size), np.ones(leaves // level.size)) for level in levels]
    )
    matrix, right = design.T @ design, design.T @ np.concatenate(levels)
    if total is None:
        return np.linalg.solve(matrix, right)
    ones = np.ones((leaves, 1))
    bordered = np.block([[matrix, ones], [ones.T, np.zeros((1, 1))]])
    return np.linalg.solve(bordered, np.append(right, total))[:-1]


@given(trees())
def test_is_the_least_squares_estimate(case):
    levels, total = case
    np.testing.assert_allclose(fit_tree(levels, total=total), dense(levels, total), atol=1e-8)


def test_exact_counts_come_back():
    counts = np.arange(12.0)
    levels = [counts.reshape(3, 4).sum(axis=1), counts]
    assert fit_tree(levels).tolist() == pytest.approx(counts.tolist())
