"""Texts: shares of words, mean weights, lengths."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from dpcore.models.terms import BagTerm
from dpcore.models.terms.bag import shares_of_text
from tests.models._records import all_records, training

ROWS = training(all_records(2), 2).rows
TERM = BagTerm(3, 6, 2, np.array([[5.0, 7.0, -3.0]]), np.array([10.0]))


def test_a_score_is_the_mean_weight_and_the_length() -> None:
    words = ROWS.indicators[:, 3:].toarray()
    counts = words.sum(axis=1)
    expected = words @ TERM.weights[0] / np.maximum(counts, 2) + 10 * np.minimum(counts / 4, 1)
    np.testing.assert_allclose(TERM.scores(ROWS)[:, 0], expected)
    assert set(counts) == {0.0, 2.0}, "a text of three words is cut to two"


@pytest.mark.parametrize("least", [1, 3, 10])
def test_shares_keep_their_bounds(least: int) -> None:
    rng = np.random.default_rng(0)
    words = csr_array((rng.random((50, 20)) < rng.random((50, 1))).astype(float))
    shares = shares_of_text(words, least).toarray()
    assert shares.sum(axis=1).max() <= 1 + 1e-12
    assert (shares**2).sum(axis=1).max() <= 1 / least + 1e-12
    np.testing.assert_array_equal(shares > 0, words.toarray() > 0)


def test_a_text_without_words_is_nothing() -> None:
    assert shares_of_text(csr_array((2, 4)), 5).nnz == 0
