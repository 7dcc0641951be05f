"""Exact losses of the mechanisms that choose whole sets or sequences, by enumeration."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations, permutations
from typing import TypeAlias

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.exact.law import ExactLaw
from dpcore.audit.pair import Pair
from dpcore.mechanisms import CanonicalTop, ExponentialPeeling, JointTop
from dpcore.selection.exact import Law, loss_between

__all__ = ["EXACT"]

_Chooser: TypeAlias = CanonicalTop | JointTop | ExponentialPeeling


def _canonical(mechanism: CanonicalTop, cells: FloatArray) -> dict[Hashable, float]:
    """Exponent of every set: worst member against the best candidate that is left out."""
    exponents: dict[Hashable, float] = {}
    for chosen in combinations(range(cells.size), mechanism.k):
        rest = np.delete(cells, chosen)
        inside = (1.0 - mechanism.outside) * cells[list(chosen)].min()
        outside = mechanism.outside * rest.max() if rest.size else 0.0
        exponents[chosen] = mechanism.cell_rate * (inside - outside)
    return exponents


def _joint(mechanism: JointTop, cells: FloatArray) -> dict[Hashable, float]:
    """Exponent of every sequence: minus the largest regret."""
    ranked = np.sort(cells)[::-1][: mechanism.k]
    return {
        chosen: -mechanism.cell_rate * float((ranked - cells[list(chosen)]).max())
        for chosen in permutations(range(cells.size), mechanism.k)
    }


def _peeled(mechanism: ExponentialPeeling, cells: FloatArray) -> Law:
    """Sums over the orders in which a set can be chosen, one exponential mechanism at a time."""
    law: dict[Hashable, float] = {}
    for order in permutations(range(cells.size), mechanism.k):
        left, chance = cells / mechanism.cell_scale, 1.0
        for place in order:
            chance *= float(np.exp(left[place] - np.logaddexp.reduce(left)))
            left[place] = -np.inf
        law[frozenset(order)] = law.get(frozenset(order), 0.0) + chance
    return law


def _law(mechanism: _Chooser, scores: FloatArray) -> Law:
    cells = mechanism.grid.of(scores).astype(np.float64)
    if isinstance(mechanism, ExponentialPeeling):
        return _peeled(mechanism, cells)
    if isinstance(mechanism, CanonicalTop):
        exponents = _canonical(mechanism, cells)
    else:
        exponents = _joint(mechanism, cells)
    values = np.array(list(exponents.values()))
    chances = np.exp(values - np.logaddexp.reduce(values))
    return dict(zip(exponents, chances.tolist(), strict=True))


def _loss(mechanism: _Chooser, pair: Pair) -> float:
    here, there = (np.asarray(side, dtype=np.float64) for side in (pair.here, pair.there))
    return loss_between(_law(mechanism, here), _law(mechanism, there))


EXACT = ExactLaw(mechanisms=(CanonicalTop, JointTop, ExponentialPeeling), loss=_loss)
