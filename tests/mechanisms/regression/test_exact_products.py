"""Products and sums of rows against rational arithmetic: nothing is lost, however many records."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from dpcore.mechanisms.regression import exact_products
from dpcore.mechanisms.regression.exact_products import (
    Residuals,
    added_sums,
    chunks_of,
    collapse,
    on_grid,
    row_sums,
    row_times,
)


def grid_rows(n: int, p: int, seed: int) -> np.ndarray:
    rows = np.random.default_rng(seed).uniform(-1, 1, (n, p))
    return np.asarray(on_grid(rows))


def rational(summands: list[np.ndarray] | np.ndarray) -> np.ndarray:
    """The exact sum of summands, as fractions."""
    return sum(np.vectorize(Fraction, otypes=[object])(part) for part in summands)  # type: ignore[return-value]


@given(st.integers(0, 5), st.integers(1, 5), st.integers(0, 99))
def test_the_grid_shrinks_rows_and_moves_them_little(n: int, p: int, seed: int) -> None:
    rows = np.random.default_rng(seed).uniform(-1, 1, (n, p))
    cut = np.asarray(on_grid(rows))
    assert (np.abs(cut) <= np.abs(rows)).all()
    assert (np.abs(cut - rows) < 2.0**-24).all()
    np.testing.assert_array_equal(cut * 2.0**24, np.rint(cut * 2.0**24))
    np.testing.assert_array_equal(on_grid(csr_array(rows)).toarray(), cut)


def test_the_grid_leaves_whole_numbers_and_the_argument_alone() -> None:
    rows = csr_array(np.array([[1.0, 0.0, 0.3]]))
    assert on_grid(rows).toarray()[0, :2].tolist() == [1.0, 0.0]
    assert rows.toarray()[0, 2] == 0.3


@given(
    st.integers(1, 40),
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=3),
    st.booleans(),
)
def test_margins_are_right_to_the_last_place(p: int, scales: list[float], sparse: bool) -> None:
    rows = grid_rows(6, p, p)
    vectors = np.random.default_rng(0).normal(size=(p, len(scales))) * scales
    summands = row_times(csr_array(rows) if sparse else rows, vectors)
    assert summands.shape[1:] == (6, len(scales))
    found = collapse(summands)
    largest = np.abs(vectors).max()
    for i in range(6):
        for k in range(len(scales)):
            exact = sum(
                (Fraction(x) * Fraction(w) for x, w in zip(rows[i], vectors[:, k], strict=True)),
                Fraction(0),
            )
            error = abs(Fraction(found[i, k]) - exact)
            unseen = max(Fraction(largest), Fraction(1, 2**500)) * p / 2**60
            assert error <= abs(exact) * Fraction(1, 2**52) + unseen


def test_cancelling_margins_keep_their_digits() -> None:
    """Where a plain product has nothing but rounding left."""
    rows = np.array([[1.0, 1.0, 2.0**-20]])
    vectors = np.array([[1e8], [-1e8], [1.1e-3]])
    assert collapse(row_times(rows, vectors))[0, 0] == pytest.approx(1.1e-3 * 2.0**-20, rel=1e-4)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("width, spare", [(1, 0), (3, 0), (1, 2)])
def test_sums_over_chunks_are_exact(
    monkeypatch: pytest.MonkeyPatch, sparse: bool, width: int, spare: int
) -> None:
    monkeypatch.setattr(exact_products, "_CHUNK_BITS", 5)
    rng = np.random.default_rng(width)
    rows, whole = grid_rows(150, 4, 1), rng.integers(-1, 2, (150, width)).astype(float)
    if spare:
        whole = rng.integers(-56, 57, (150, width)) / 16
    fraction = rng.uniform(0, 0.5 / width, (150, width)) * 10.0 ** rng.integers(-18, 1, (150, 1))
    chunks = chunks_of(csr_array(rows) if sparse else rows)
    assert len(chunks) == 5
    parts = [Residuals(part, whole[place], fraction[place]) for place, part in chunks]
    found = row_sums(parts, (4, width), spare=spare)
    exact = rational([rows.T]).dot(rational([whole, fraction]))
    assert np.abs(rational(found) - exact).max() <= Fraction(150, 2**72)
    assert np.abs(collapse(found) - exact.astype(float)).max() <= 1e-14


@pytest.mark.parametrize("cuts", [(1,), (0, 2, 5), (1, 2, 3, 4)])
def test_sums_of_parts_add_up_to_those_of_all_to_the_last_bit(
    monkeypatch: pytest.MonkeyPatch, cuts: tuple[int, ...]
) -> None:
    monkeypatch.setattr(exact_products, "_CHUNK_BITS", 4)
    # Large and of one sign: sums pass 2^53 units of their slice.
    rows = np.full((160, 1), 1.0 - 2.0**-24)
    fraction = np.random.default_rng(0).uniform(0.5, 1.0, (160, 1))
    chunks = [
        Residuals(part, 0 * fraction[place], fraction[place]) for place, part in chunks_of(rows)
    ]
    edges = [0, *cuts, len(chunks)]
    parts = [row_sums(chunks[slice(*pair)], (1, 1)) for pair in pairwise(edges)]
    found, whole = added_sums(parts), row_sums(chunks, (1, 1))
    assert np.split(whole, 2)[1].any(), "something to be lost"
    assert rational(found) == rational(whole)
    np.testing.assert_array_equal(collapse(found), collapse(whole))


def test_a_pivot_takes_exactly_what_the_others_add() -> None:
    rng = np.random.default_rng(0)
    rows, pivot = grid_rows(50, 3, 2), rng.integers(0, 4, 50)
    fraction = rng.dirichlet(np.ones(4), 50)
    fraction[np.arange(50), pivot] = 0.0
    found = row_sums([Residuals(rows, np.zeros((50, 4)), fraction, pivot)], (3, 4))
    np.testing.assert_array_equal(rational(found).sum(axis=1), [0, 0, 0])
    balanced = fraction.copy()
    balanced[np.arange(50), pivot] = -fraction.sum(axis=1)
    np.testing.assert_allclose(collapse(found), rows.T @ balanced, atol=1e-12)


def test_long_sums_that_cancel_keep_their_digits() -> None:
    """Sorted labels: partial sums reach half the records, and the total is tiny."""
    n = 200_000
    rows = np.ones((n, 1))
    fraction = np.where(np.arange(n) < n / 2, 0.1, -0.1)[:, np.newaxis]
    fraction[0] += 2.0**-50
    parts = [
        Residuals(part, 0 * fraction[place], fraction[place]) for place, part in chunks_of(rows)
    ]
    found = collapse(row_sums(parts, (1, 1)))
    assert found[0, 0] == pytest.approx(float(fraction[0, 0] - 0.1), rel=1e-3)


def test_no_records() -> None:
    parts = [
        Residuals(rows, np.zeros((0, 2)), np.zeros((0, 2)))
        for _, rows in chunks_of(np.zeros((0, 3)))
    ]
    assert (collapse(row_sums(parts, (3, 2))) == 0).all()
    assert row_times(np.zeros((0, 3)), np.zeros((3, 2))).shape[1:] == (0, 2)
