"""The fit to noisy tents: generalised least squares, against dense linear algebra."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.postprocess.tent_consistency import fit_tents
from dpcore.postprocess.tents import tent_sums, tent_unit, tent_weights


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
