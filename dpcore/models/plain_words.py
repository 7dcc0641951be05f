"""The words of a text, counted as shares of it, in standard parts of scikit-learn."""

from __future__ import annotations

from sklearn.decomposition import TruncatedSVD
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, Normalizer, SplineTransformer

from dpcore.models.terms import BagTerm

__all__ = ["word_shares"]


def word_shares(term: BagTerm) -> FeatureUnion:
    """Columns that are linear in what the term adds to a score, to be fitted on public rows.

    The public rows are one text without words and one with all words: their only direction is the
    number of words, which is how it gets into the columns without code of our own. Dividing a text
    by max(words / least, 1) makes its entries `least` times the shares of `shares_of_text`.

    Returns
    -------
    FeatureUnion
        Of width words + 2: least times each word's share, a column of no use, and 1 - length.

    Examples
    --------
    >>> import numpy as np
    >>> term = BagTerm(0, 3, 2, np.zeros((1, 3)), np.zeros(1))
    >>> shares = word_shares(term).fit([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
    >>> shares.transform(np.array([[1.0, 1.0, 1.0]])).round(6).tolist()
    [[0.666667, 0.666667, 0.666667, 1.0, 0.25]]
    """
    width = term.stop - term.start
    counted = make_pipeline(_number(), MinMaxScaler(feature_range=(0.0, width / term.least)))
    both = FeatureUnion([("words", "passthrough"), ("number", counted)])
    divided = Pipeline([("both", both), ("divided", Normalizer(norm="max"))])
    # On the way from 0 to 2 * least words, the first of two tents falls from 1 to 0.
    end = 2.0 * term.least / width**0.5
    tent = SplineTransformer(degree=1, knots=[[0.0], [end]], include_bias=False)
    return FeatureUnion([("shares", divided), ("length", make_pipeline(_number(), tent))])


def _number() -> TruncatedSVD:
    """The number of words over the root of the number of columns."""
    return TruncatedSVD(n_components=1, random_state=0)
