"""Words that share cells: fewer with more noise, no more sensitive, and undone word by word."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dpcore.models.naive_bayes.word_cells import fold_words, unfold_words, word_cells

SHARES = arrays(
    np.float64, st.tuples(st.integers(1, 3), st.integers(1, 40)), elements=st.sampled_from([0, 1])
)


@given(width=st.integers(1, 10_000), records=st.floats(-1e6, 1e6), more=st.floats(0, 1e6))
def test_more_records_never_mean_fewer_cells(width: int, records: float, more: float) -> None:
    cells = word_cells(width, records)
    assert 1 <= cells <= word_cells(width, records + more) <= width
    assert cells <= max(6 * records, 1)


@given(shares=SHARES, cells=st.integers(1, 50))
def test_folding_makes_no_change_larger(shares: np.ndarray, cells: int) -> None:
    folded = fold_words(shares / 2.0**24, cells)
    assert folded.shape == (shares.shape[0], cells)
    assert np.abs(folded).sum() == np.abs(shares / 2.0**24).sum()
    changes = np.where(np.arange(shares.size).reshape(shares.shape) % 2, shares, -shares)
    assert np.abs(fold_words(changes, cells)).sum() <= np.abs(changes).sum()


@given(shares=SHARES, cells=st.integers(1, 50))
def test_a_text_scores_what_its_cells_score(shares: np.ndarray, cells: int) -> None:
    table = np.random.default_rng(0).integers(-9, 9, (1, cells)).astype(float)
    words = unfold_words(table, shares.shape[1])
    np.testing.assert_array_equal(shares @ words.T, fold_words(shares, cells) @ table.T)
