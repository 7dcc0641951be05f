"""Tents: a partition of unity in integers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.postprocess.tents import fit_tents, fit_tree, tent_sums, tent_unit, tent_weights


@st.composite
def trees(draw):
    first = draw(st.integers(1, 4))
    branching = draw(st.lists(st.integers(2, 4), max_size=3))
    sizes = [first * math.prod(branching[:depth]) for depth in range(len(branching) + 1)]
    generator = np.random.default_rng(draw(st.integers(0, 99)))
    levels = [generator.integers(-50, 50, size) for size in sizes]
    return levels, draw(st.one_of(st.none(), st.floats(-100, 100)))


def tree_consistency_dense(levels, total):
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
def test_tree_consistency_is_the_least_squares_estimate(case):
    levels, total = case
    np.testing.assert_allclose(
        fit_tree(levels, total=total), tree_consistency_dense(levels, total), atol=1e-8
    )


def test_exact_counts_come_back():
    counts = np.arange(12.0)
    levels = [counts.reshape(3, 4).sum(axis=1), counts]
    assert fit_tree(levels).tolist() == pytest.approx(counts.tolist())


@st.composite
def measurements(draw):
    cells = draw(st.integers(1, 30))
    spacings = tuple(draw(st.lists(st.integers(1, 30), max_size=3)))
    generator = np.random.default_rng(draw(st.integers(0, 99)))
    noisy = generator.integers(-50, 50, cells)
    tents = [
        generator.integers(-500, 500, tent_weights(cells, spacing).shape[0]) for spacing in spacings
    ]
    return noisy, tents, spacings, draw(st.one_of(st.none(), st.floats(-100, 100)))


def dense(noisy, tents, spacings, total):
    """Solve the normal equations, with a Lagrange multiplier for the total."""
    rows = [np.eye(noisy.size)]
    rows += [tent_weights(noisy.size, s).toarray() / tent_unit(s) for s in spacings]
    seen = np.concatenate(
        [noisy, *(t / tent_unit(s) for t, s in zip(tents, spacings, strict=True))]
    )
    design = np.concatenate(rows)
    matrix, right = design.T @ design, design.T @ seen
    if total is None:
        return np.linalg.solve(matrix, right)
    ones = np.ones((noisy.size, 1))
    bordered = np.block([[matrix, ones], [ones.T, np.zeros((1, 1))]])
    return np.linalg.solve(bordered, np.append(right, total))[:-1]


@given(measurements())
def test_is_the_least_squares_estimate(case):
    noisy, tents, spacings, total = case
    fitted = fit_tents(noisy, tents, spacings, total=total)
    np.testing.assert_allclose(fitted, dense(noisy, tents, spacings, total), atol=1e-7)


@given(st.lists(st.integers(0, 1000), min_size=2, max_size=300))
def test_exact_measurements_give_the_counts_back(counts):
    cells = np.array(counts)
    spacings = (3, 17)
    tents = [tent_sums(cells, spacing) for spacing in spacings]
    for total in (None, float(cells.sum())):
        np.testing.assert_allclose(fit_tents(cells, tents, spacings, total=total), cells, atol=1e-6)


def test_a_known_total_is_kept():
    fitted = fit_tents(np.array([5, 1, 1]), [], (), total=10.0)
    assert fitted.tolist() == pytest.approx([6.0, 2.0, 2.0])


SHAPES = st.tuples(st.integers(1, 200), st.integers(1, 80))


@given(SHAPES)
def test_every_cell_gives_the_same_total_weight(shape):
    """This is the sensitivity: it holds for every cell of every grid, exactly."""
    weights = tent_weights(*shape).toarray()
    assert np.issubdtype(weights.dtype, np.integer)
    assert (weights >= 0).all()
    assert (weights.sum(axis=0) == tent_unit(shape[1])).all()


@given(SHAPES)
def test_a_cell_belongs_to_at_most_two_neighbouring_tents(shape):
    for column in tent_weights(*shape).toarray().T:
        held = np.flatnonzero(column)
        assert held.size in (1, 2)
        assert held[-1] - held[0] == held.size - 1


@given(SHAPES)
def test_the_row_looks_the_same_from_both_ends(shape):
    weights = tent_weights(*shape).toarray()
    np.testing.assert_array_equal(weights, weights[::-1, ::-1])


def test_weights_fall_linearly_between_peaks():
    weights = tent_weights(12, 4).toarray()
    assert weights[1].tolist() == [0, 0, 1, 3, 5, 7, 7, 5, 3, 1, 0, 0]


@given(SHAPES, st.randoms(use_true_random=False))
def test_sums_are_exact(shape, random):
    counts = np.array([random.randrange(10**9) for _ in range(shape[0])])
    expected = [sum(int(w) * int(c) for w, c in zip(row, counts, strict=True))
                for row in tent_weights(*shape).toarray()]  # fmt: skip
    assert tent_sums(counts, shape[1]).tolist() == expected


@pytest.mark.parametrize("cells, spacing", [(0, 1), (4, 0)])
def test_impossible_shapes_are_refused(cells, spacing):
    with pytest.raises(InvalidArgument):
        tent_weights(cells, spacing)
