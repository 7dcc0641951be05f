"""Tents: a partition of unity in integers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.postprocess.tents import tent_sums, tent_unit, tent_weights

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
