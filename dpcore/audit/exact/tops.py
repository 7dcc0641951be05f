"""Exact losses of the mechanisms that keep the largest of scores with exponential noise."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.exact.law import ExactLaw
from dpcore.audit.exact.quadrature import pieces
from dpcore.audit.pair import Pair
from dpcore.mechanisms import BestTop, OneShot, PermuteAndFlip
from dpcore.selection.exact import Law, loss_between

__all__ = ["EXACT", "top_sets"]

# Past the largest score the integrand falls like exp(-(set size) m / scale).
_REACH = 45.0


def top_sets(scores: FloatArray, k: int, scale: float) -> dict[tuple[int, ...], float]:
    """The law of the set of the k largest of scores plus exponential noise.

    Parameters
    ----------
    scores : float array, shape (candidates,)
    k : int
    scale : float
        Mean of the noise.

    Notes
    -----
    P(S) is the integral over m of the density of the largest of the others at m times the chance
    that all of S exceed m, by Gauss-Legendre quadrature between the kinks.

    Examples
    --------
    >>> law = top_sets(np.array([0.0, 1.0]), 1, 1.0)
    >>> round(law[(0,)], 6) == round(float(np.exp(-1) / 2), 6)
    True
    """
    everyone = range(scores.size)
    if k == scores.size:
        return {tuple(everyone): 1.0}
    return {
        chosen: _chance(scores, np.array(chosen), scale) for chosen in combinations(everyone, k)
    }


def _chance(scores: FloatArray, chosen: Any, scale: float) -> float:
    rest = np.delete(scores, chosen)
    start = rest.max()
    kinks = np.unique(np.append(scores[chosen][scores[chosen] > start], start))
    ends = np.append(kinks, kinks[-1] + scale * np.linspace(0.0, _REACH, 31)[1:])
    m, weights = pieces(ends)
    reach = np.exp(-(m[:, np.newaxis] - rest) / scale)
    below = 1.0 - reach
    density = np.zeros(m.size)
    for best in range(rest.size):
        density += reach[:, best] / scale * np.delete(below, best, axis=1).prod(axis=1)
    above = np.exp(-np.maximum(m[:, np.newaxis] - scores[chosen], 0.0) / scale).prod(axis=1)
    return float((weights * density * above).sum())


def _peeled(scores: FloatArray, k: int, scale: float) -> dict[tuple[int, ...], float]:
    """The law of k single choices, one after the other."""
    law: dict[tuple[int, ...], float] = {(): 1.0}
    for _ in range(k):
        longer: dict[tuple[int, ...], float] = {}
        for chosen, chance in law.items():
            left = [i for i in range(scores.size) if i not in chosen]
            for (place,), more in top_sets(scores[left], 1, scale).items():
                longer[(*chosen, left[place])] = chance * more
        law = longer
    return law


def _best(mechanism: BestTop, scores: FloatArray) -> Law:
    """The law of `BestTop`: number, blocks and random rest, summed out."""
    weights = np.exp(mechanism.log_weights(mechanism.grid.of(scores)))
    law: dict[Hashable, float] = {}
    everyone = set(range(scores.size))
    for number, share in zip(mechanism.numbers.tolist(), weights / weights.sum(), strict=True):
        picked: dict[frozenset[int], float] = {frozenset(): float(share)}
        for size, scale in mechanism.blocks(number):
            picked = _with_block(picked, scores, size, scale * mechanism.grid.cell)
        for chosen, chance in picked.items():
            left, more = sorted(everyone - chosen), mechanism.k - number
            for filled in combinations(left, more):
                whole = chosen | frozenset(filled)
                law[whole] = law.get(whole, 0.0) + chance / comb(len(left), more)
    return law


def _with_block(
    before: dict[frozenset[int], float], scores: FloatArray, size: int, scale: float
) -> dict[frozenset[int], float]:
    after: dict[frozenset[int], float] = {}
    for chosen, chance in before.items():
        left = [i for i in range(scores.size) if i not in chosen]
        for places, more in top_sets(scores[left], size, scale).items():
            whole = chosen | {left[place] for place in places}
            after[whole] = after.get(whole, 0.0) + chance * more
    return after


def _law(mechanism: OneShot | PermuteAndFlip | BestTop, scores: FloatArray) -> Law:
    if isinstance(mechanism, BestTop):
        return _best(mechanism, scores)
    scale = mechanism.cell_scale * mechanism.grid.cell
    law = top_sets if isinstance(mechanism, OneShot) else _peeled
    return law(scores, mechanism.k, scale)


def _loss(mechanism: OneShot | PermuteAndFlip | BestTop, pair: Pair) -> float:
    here, there = (np.asarray(side, dtype=np.float64) for side in (pair.here, pair.there))
    return loss_between(_law(mechanism, here), _law(mechanism, there))


EXACT = ExactLaw(mechanisms=(OneShot, PermuteAndFlip, BestTop), loss=_loss)
