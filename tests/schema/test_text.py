"""Texts become sets of words, and no row has more than it may."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from dpcore.schema import Text
from dpcore.schema.text import word_sets

MESSAGES = st.lists(st.none() | st.text("ab cd\n.,ÄÖ1", max_size=60), max_size=8).map(
    lambda texts: pd.Series(texts, dtype="str")
)


def test_words_are_matched_whole_and_in_any_case() -> None:
    column = Text("m", vocabulary=("free", "win"))
    cells = pd.Series(["WIN, win, win!", "freedom", "a free win", None, ""])
    assert word_sets(cells, column).toarray().tolist() == [[0, 1], [0, 0], [1, 1], [0, 0], [0, 0]]


def test_the_first_words_of_the_vocabulary_are_kept() -> None:
    column = Text("m", vocabulary=("zebra", "apple", "mango"), max_words=2)
    marked = word_sets(pd.Series(["apple mango zebra", "mango apple", "mango"]), column)
    assert marked.toarray().tolist() == [[1, 1, 0], [0, 1, 1], [0, 0, 1]]


def test_hashing_is_public_and_stable() -> None:
    # These buckets must never change: a model trained last year counts on them.
    marked = word_sets(pd.Series(["free phone call"]), Text("m", buckets=4096))
    assert marked.indices.tolist() == [1134, 1682, 3484]


def test_numbers_share_a_bucket_by_their_length() -> None:
    column = Text("m", buckets=4096)
    call, other, short = word_sets(
        pd.Series(["08712460324", "09061701461", "87121"]), column
    ).indices.tolist()
    assert call == other != short


def test_words_of_a_vocabulary_keep_their_digits() -> None:
    column = Text("m", vocabulary=("150p", "250p"))
    cells = pd.Series(["now 150p", "now 250P"])
    assert word_sets(cells, column).toarray().tolist() == [[1, 0], [0, 1]]


@given(MESSAGES, st.integers(1, 4))
def test_rows_are_bounded_and_binary(cells: pd.Series, max_words: int) -> None:
    marked = word_sets(cells, Text("m", buckets=16, max_words=max_words))
    assert marked.shape == (len(cells), 16)
    assert (np.diff(marked.indptr) <= max_words).all()
    assert set(marked.data) <= {1.0}
    assert marked.has_canonical_format


@given(MESSAGES)
def test_every_row_stands_for_itself(cells: pd.Series) -> None:
    column = Text("m", buckets=16, max_words=2)
    together = word_sets(cells, column).toarray()
    for row in range(len(cells)):
        alone = word_sets(cells.iloc[[row]], column).toarray()[0]
        np.testing.assert_array_equal(together[row], alone)
