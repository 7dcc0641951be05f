"""Standard parts count shares and lengths as the model's own term does."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from dpcore.models.plain_words import word_shares
from dpcore.models.terms import BagTerm
from dpcore.models.terms.bag import shares_of_text


@given(
    width=st.integers(2, 300),
    least=st.integers(1, 12),
    seed=st.integers(0, 2**16),
    density=st.floats(0.0, 1.0),
)
@settings(max_examples=40, deadline=None)
def test_shares_and_lengths(width: int, least: int, seed: int, density: float) -> None:
    words = (np.random.default_rng(seed).random((9, width)) < density).astype(float)
    words[0], words[1] = 0.0, 1.0
    term = BagTerm(0, width, least, np.zeros((1, width)), np.zeros(1))
    columns = word_shares(term).fit(np.array([np.zeros(width), np.ones(width)]))
    for rows in (words, csr_array(words)):
        found = columns.transform(rows)
        found = found if isinstance(found, np.ndarray) else found.toarray()
        expected = shares_of_text(csr_array(words), least).toarray()
        np.testing.assert_allclose(found[:, :width] / least, expected, atol=1e-12)
        lengths = np.minimum(words.sum(axis=1) / (2.0 * least), 1.0)
        np.testing.assert_allclose(found[:, -1], 1.0 - lengths, atol=1e-12)
