"""Pairs of labelled scores, for all evaluators."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from dpcore.audit.pair import Pair
from dpcore.data.counting import ScoreHistogram
from dpcore.privacy import Neighbors

__all__ = ["odd_score_pairs", "score_pairs"]

_CELLS = 256
_LABELS = (0, 0, 0, 1, 1)
_SCORES = (0.05, 0.2, 0.6, 0.4, 0.9)


def _histogram(labels: tuple[Any, ...], scores: tuple[Any, ...]) -> ScoreHistogram:
    return ScoreHistogram.from_arrays(labels, scores, cells=_CELLS)


def score_pairs(neighbors: Neighbors) -> tuple[Pair, ...]:
    """A handful of scores, and one more or another at the far end of either class.

    Few records, so that one of them counts.

    Examples
    --------
    >>> [pair.words for pair in score_pairs(Neighbors.ADD_REMOVE)][:1]
    ['one positive of score 0.99 more']
    """
    return tuple(_pairs(neighbors))


def odd_score_pairs(neighbors: Neighbors) -> tuple[Pair, ...]:
    """The same scores, and one record more, or another, that is not stored as they are.

    Under replace it has a class and a score, since else it would be no record of the histogram.

    Examples
    --------
    >>> [pair.words for pair in odd_score_pairs(Neighbors.REPLACE)]
    ['one record whose label and score are texts']
    """
    here, words = _histogram(_LABELS, _SCORES), "one record whose label and score are texts"
    odd: dict[str, tuple[Any, Any]] = {words: ("1.0", " 9.9e-1")}
    if neighbors is Neighbors.ADD_REMOVE:
        odd |= {
            "one record without a score": (1, None),
            "one record of an undeclared class, with an infinite score": ("perhaps", math.inf),
        }
    else:
        here = _histogram((*_LABELS, 0), (*_SCORES, 0.01))
    return tuple(
        Pair(
            here=here,
            there=_histogram((*_LABELS, label), (*_SCORES, score)),
            words=words,
            neighbors=neighbors,
        )
        for words, (label, score) in odd.items()
    )


def _pairs(neighbors: Neighbors) -> Iterator[Pair]:
    for label, score in ((1, 0.99), (0, 0.01)):
        word = "positive" if label else "negative"
        there = _histogram((*_LABELS, label), (*_SCORES, score))
        if neighbors is Neighbors.ADD_REMOVE:
            here, words = _histogram(_LABELS, _SCORES), f"one {word} of score {score} more"
        else:
            other = "negative" if label else "positive"
            here = _histogram((*_LABELS, 1 - label), (*_SCORES, 1 - score))
            words = f"one {word} of score {score} instead of a {other} of {1 - score:.2g}"
        yield Pair(here=here, there=there, words=words, neighbors=neighbors)
