"""Exact losses of the mechanisms that keep the largest of scores with exponential noise."""

from __future__ import annotations

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

__all__ = ["EXACT", "chance_of_best", "top_sets"]

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
    steps = (m[:, np.newaxis] - rest) / scale
    below = -np.expm1(-steps)
    # The derivative of the product of all `below`.
    density = below.prod(axis=1) * (np.exp(-steps) / below).sum(axis=1) / scale
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


def chance_of_best(mechanism: BestTop, scores: FloatArray, wanted: tuple[int, ...]) -> float:
    """Probability that `BestTop` releases one set: number, blocks and random rest, summed out.

    Parameters
    ----------
    mechanism : BestTop
    scores : float array, shape (candidates,)
    wanted : tuple of int
        The k positions.

    Examples
    --------
    >>> mechanism = BestTop(epsilon=1, k=1, monotone=True, whole=True)
    >>> round(chance_of_best(mechanism, np.array([0.0, 0.0, 0.0, 0.0]), (2,)), 6)
    0.25
    """
    weights = np.exp(mechanism.log_weights(mechanism.grid.of(scores)))
    total = 0.0
    for number, share in zip(mechanism.numbers.tolist(), weights / weights.sum(), strict=True):
        picked: dict[frozenset[int], float] = {frozenset(): float(share)}
        for size, scale in mechanism.blocks(number):
            picked = _with_block(picked, scores, wanted, size, scale * mechanism.grid.cell)
        total += sum(picked.values()) / comb(scores.size - number, mechanism.k - number)
    return total


def _with_block(
    before: dict[frozenset[int], float],
    scores: FloatArray,
    wanted: tuple[int, ...],
    size: int,
    scale: float,
) -> dict[frozenset[int], float]:
    """Add a block of picks, all of them wanted."""
    after: dict[frozenset[int], float] = {}
    for chosen, chance in before.items():
        left = np.array([i for i in range(scores.size) if i not in chosen])
        for picks in combinations([i for i in wanted if i not in chosen], size):
            places = np.flatnonzero(np.isin(left, picks))
            more = 1.0 if size == left.size else _chance(scores[left], places, scale)
            whole = chosen | frozenset(picks)
            after[whole] = after.get(whole, 0.0) + chance * more
    return {chosen: chance for chosen, chance in after.items() if chance > 0.0}


def _best(mechanism: BestTop, scores: FloatArray) -> Law:
    return {
        wanted: chance_of_best(mechanism, scores, wanted)
        for wanted in combinations(range(scores.size), mechanism.k)
    }


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
