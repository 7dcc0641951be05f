"""Feature selectors: rows of features in, a set of features out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, cast

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.kinds.kind import EPSILON, Kind, ledger_target
from dpcore.audit.outputs import numbers
from dpcore.audit.pair import Pair
from dpcore.audit.target import Target
from dpcore.noise import NoiseSource
from dpcore.privacy import Ledger, Neighbors
from dpcore.registry import Method
from dpcore.selection import select_features, selectors
from dpcore.selection.problem import Selector

__all__ = ["KIND", "feature_pairs", "selecting"]

# The row in which neighbours differ changes the best feature, the best two and those above 1.5.
_ROWS = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0))
_MORE, _OTHER = (0, 0, 1, 1), (1, 1, 0, 0)
_ROW_BOUND, _MAX_ROWS = 2, 8
_RULES = {"top_k": 2, "threshold": 1.5}
# A raised threshold is one that none of so few rows passes.
_PARAMETERS = {"boost": 0.0}


def feature_pairs(neighbors: Neighbors) -> tuple[Pair, ...]:
    """Three short rows, and one more or another with as many ones as a row may have.

    Examples
    --------
    >>> [pair.words for pair in feature_pairs(Neighbors.ADD_REMOVE)]
    ['one row more, with two features']
    """
    base, labels = np.array(_ROWS, dtype=np.float64), np.array([1, 0, 1])
    there = (np.vstack([base, _MORE]), np.append(labels, 1))
    if neighbors is Neighbors.ADD_REMOVE:
        return (Pair(here=(base, labels), there=there, words="one row more, with two features"),)
    other = (np.vstack([base, _OTHER]), np.append(labels, 0))
    words = "one row has two features instead of two others, and the other class"
    return (Pair(here=other, there=there, words=words, neighbors=neighbors),)


def selecting(
    name: str,
    neighbors: Neighbors,
    *,
    score: str = "total-count",
    epsilon: float | Fraction = EPSILON,
    most: int = _ROW_BOUND,
    **stated: Any,
) -> Any:
    """A call of that selector, for `ledger_target`.

    Parameters
    ----------
    name : str
    neighbors : Neighbors
    score : str
    epsilon : float or Fraction, default 1
    most : int
        The row bound.
    **stated
        The rule (``top_k`` or ``threshold``) and parameters of the selector.
    """
    selector = cast(Selector, selectors()[name])
    if selector.spends and not stated:
        taken = {parameter.name for parameter in selector.parameters}
        stated = {name: value for name, value in _PARAMETERS.items() if name in taken}
        stated[selector.rules[0]] = _RULES[selector.rules[0]]

    def call(data: Any, noise: NoiseSource, ledger: Ledger) -> FloatArray:
        chosen = select_features(
            *data,
            method=name,
            score=score,
            epsilon=epsilon if selector.spends else None,
            max_nonzeros=most,
            max_rows=_MAX_ROWS,
            neighbors=neighbors,
            noise=noise,
            ledger=ledger,
            **stated,
        )
        flags = np.zeros(data[0].shape[1])
        flags[chosen.selected] = 1.0
        return np.concatenate([flags, numbers(chosen.scores)])

    return call


def _target(method: Method, neighbors: Neighbors, epsilon: Fraction = EPSILON) -> Target:
    example = feature_pairs(neighbors)[0].here
    call = selecting(method.name, neighbors, epsilon=epsilon)
    return ledger_target(method, neighbors, call, example)


KIND = Kind(
    name="selection method",
    package="dpcore.selection.methods",
    methods=selectors,
    target=_target,
    pairs=lambda method, neighbors: feature_pairs(neighbors),
)
