"""Texts as sets of words, on a public list of words or buckets."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from dpcore.schema.cells import texts
from dpcore.schema.columns import Text
from dpcore.schema.matrix import SparseMatrix

_DIGITS_AS_ZERO = str.maketrans("123456789", "0" * 9)


def word_sets(cells: pd.Series, column: Text) -> SparseMatrix:
    """Mark the words of every text.

    Texts are lower-cased and cut into words of two or more letters or digits. Before words are
    hashed every digit becomes 0, so that numbers share a bucket by their length: a number itself
    hardly ever comes twice, but that there is one of eleven digits says much. A missing text has
    no words. A cell that is no text is spelled by itself (`dpcore.schema.cells.cell_text`), so that
    no other record has a say in its words.

    Parameters
    ----------
    cells : Series of shape (n,)
    column : Text

    Returns
    -------
    csr_array of shape (n, column.width)
        Zeros and ones, at most `column.max_words` ones in a row. A longer text keeps the first
        words of the vocabulary, or the lowest buckets: a public order, the same for every row.

    Examples
    --------
    >>> column = Text("message", vocabulary=("free", "win"), max_words=1)
    >>> word_sets(pd.Series(["Win a FREE phone", "see you", None]), column).toarray().tolist()
    [[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    """
    # A second of start-up, which only texts are worth.
    from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer

    written = texts(cells)
    if not written:
        return csr_array((0, column.width))
    if column.vocabulary:
        vectorizer = CountVectorizer(vocabulary=list(column.vocabulary), binary=True)
    else:
        vectorizer = HashingVectorizer(
            n_features=column.buckets,
            preprocessor=_shape,
            binary=True,
            norm=None,
            alternate_sign=False,
        )
    marked = csr_array(vectorizer.transform(written), dtype=np.float64)
    marked.sort_indices()
    return _first_in_each_row(marked, column.max_words)


def _shape(text: str) -> str:
    return text.lower().translate(_DIGITS_AS_ZERO)


def _first_in_each_row(marked: SparseMatrix, most: int) -> SparseMatrix:
    lengths = np.diff(marked.indptr)
    place_in_row = np.arange(marked.nnz) - np.repeat(marked.indptr[:-1], lengths)
    kept = marked.indices[place_in_row < most]
    row_ends = np.concatenate(([0], np.cumsum(np.minimum(lengths, most))))
    return csr_array((np.ones(kept.size), kept, row_ends), shape=marked.shape)
