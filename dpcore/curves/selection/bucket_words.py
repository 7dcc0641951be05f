"""Names for buckets of hashed words, read off the records as a simulation may."""

import numpy as np
import pandas as pd

from dpcore.schema import Schema, Text
from dpcore.schema.encoding import word_sets


def bucket_words(texts: pd.Series, column: Text) -> dict[int, str]:
    """The word of each bucket that most texts have (private).

    Parameters
    ----------
    texts : Series of shape (n,)
    column
        With buckets.

    Returns
    -------
    dict of int to str
        Buckets without a word are left out; of equally frequent words the first in the alphabet.

    Examples
    --------
    >>> bucket_words(pd.Series(["tea tea", "Tea"]), Text("drink", buckets=2)).values()
    dict_values(['tea'])
    """
    # A second of start-up, which only texts are worth.
    from sklearn.feature_extraction.text import CountVectorizer

    present = texts.dropna().astype("str").tolist()
    counter = CountVectorizer(binary=True)
    try:
        counts = np.asarray(counter.fit_transform(present).sum(axis=0)).ravel()
    except ValueError:
        # There is no word in any text.
        return {}
    words = counter.get_feature_names_out()
    places = word_sets(pd.Series(words), column).indices
    # Rare words first, so that frequent ones take their place.
    order = np.lexsort((np.arange(words.size)[::-1], counts))
    return {int(places[index]): str(words[index]) for index in order.tolist()}


def readable_names(names: tuple[str, ...], frame: pd.DataFrame, schema: Schema) -> tuple[str, ...]:
    """Names of features, those of buckets with the word that they mostly stand for (private).

    Examples
    --------
    >>> from dpcore.schema import Label
    >>> schema = Schema([Text("drink", buckets=2), Label("y", classes=("n", "y"))])
    >>> names = readable_names(
    ...     ("drink:0", "drink:1"), pd.DataFrame({"drink": ["tea", "tea"]}), schema
    ... )
    >>> sorted(name.partition(" ")[2] for name in names)
    ['', 'tea']
    """
    found: dict[str, str] = {}
    for column in schema.features:
        if isinstance(column, Text) and not column.vocabulary:
            words = bucket_words(frame[column.name], column)
            found |= {f"{column.name}:{bucket}": word for bucket, word in words.items()}
    return tuple(f"{name} {found[name]}" if name in found else name for name in names)
