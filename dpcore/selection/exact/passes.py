"""The exact law of what sparse vector releases, visited once or again and again."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.mechanisms import SparseVector
from dpcore.mechanisms.threshold.sparse_vector import fill_up, threshold_cells
from dpcore.selection.exact.comparisons import Asked, Comparisons
from dpcore.selection.exact.laws import log_of_laplace_cdf, threshold_rule
from dpcore.selection.exact.losses import Law

__all__ = ["passing_law"]

_MOST_CANDIDATES = 4


def passing_law(mechanism: SparseVector, scores: ArrayLike) -> Law:
    """The probability of everything that `SparseVector` can release.

    Parameters
    ----------
    mechanism : SparseVector
        With or without retraversal, with a public threshold or one between the scores.
    scores : array, shape (candidates,)
        At most 4.

    Returns
    -------
    dict of tuple of int to float
        Who passed, in that order, and then those that are filled up.

    Notes
    -----
    Given the noisy threshold the candidates pass independently, so that one round is a Markov step
    on the sequences of those that passed, and all rounds are a power of it. That is integrated over
    the noise of the threshold, and averaged over the random orders.

    Examples
    --------
    >>> once = SparseVector(epsilon=1, k=1, threshold=0, monotone=True)
    >>> {who: round(p, 3) for who, p in passing_law(once, [0.0, 0.0]).items()}
    {(0,): 0.5, (1,): 0.5}
    >>> again = SparseVector(epsilon=1, k=1, threshold=0, monotone=True, retraverse=True)
    >>> {who: round(p, 3) for who, p in passing_law(again, [0.0, 5.0]).items()}
    {(0,): 0.266, (1,): 0.734}
    """
    here = np.asarray(scores, dtype=np.float64)
    _check.integer_in_range(1, _MOST_CANDIDATES, candidates=here.size)
    gaps = _gaps(mechanism, here)
    comparisons = Comparisons.of_mechanism(mechanism)
    levels, log_widths = threshold_rule(comparisons, [Asked(gap, True) for gap in gaps.tolist()])
    log_weights = log_widths - np.abs(levels) / comparisons.threshold_scale
    weights = np.exp(log_weights) / (2.0 * comparisons.threshold_scale)
    logs = (levels[:, None] - gaps) / comparisons.query_scale
    passes, fails = np.exp(log_of_laplace_cdf(-logs)), np.exp(log_of_laplace_cdf(logs))
    law: dict[tuple[int, ...], float] = {}
    orders = list(permutations(range(here.size)))
    for order in orders:
        for passed, chance in _in_order(mechanism, order, passes, fails).items():
            released = np.array(passed, dtype=np.int64)
            if mechanism.fill:
                released = fill_up(released, np.array(order), mechanism.k)
            outcome = tuple(released.tolist())
            share = float(weights @ chance) / len(orders)
            law[outcome] = law.get(outcome, 0.0) + share
    return law


def _gaps(mechanism: SparseVector, scores: FloatArray) -> FloatArray:
    """Scores less the raised threshold."""
    cells = mechanism.grid.of(scores)
    level = threshold_cells(mechanism.threshold, mechanism.k, cells, mechanism.grid)
    above = (cells - level - mechanism.raised_by).astype(np.float64)
    return above * mechanism.grid.cell


def _in_order(
    mechanism: SparseVector, order: tuple[int, ...], passes: FloatArray, fails: FloatArray
) -> dict[tuple[int, ...], FloatArray]:
    """Chance of each sequence of those that passed, by level of the noisy threshold."""
    most = min(mechanism.k, len(order))
    states = [state for size in range(most + 1) for state in permutations(order, size)]
    place = {state: number for number, state in enumerate(states)}
    step = np.zeros((passes.shape[0], len(states), len(states)))
    for state in states:
        now: dict[tuple[int, ...], FloatArray] = {state: np.ones(passes.shape[0])}
        for candidate in order:
            now = _visited(now, candidate, most, passes[:, candidate], fails[:, candidate])
        for after, chance in now.items():
            step[:, place[state], place[after]] = chance
    rounds = np.linalg.matrix_power(step, mechanism.rounds(len(order)))
    return {state: rounds[:, 0, place[state]] for state in states}


def _visited(
    before: dict[tuple[int, ...], FloatArray],
    candidate: int,
    most: int,
    passes: FloatArray,
    fails: FloatArray,
) -> dict[tuple[int, ...], FloatArray]:
    """Ask about one candidate, unless it or enough others passed already."""
    after: dict[tuple[int, ...], FloatArray] = {}
    for state, chance in before.items():
        if len(state) == most or candidate in state:
            after[state] = after.get(state, 0.0) + chance
            continue
        after[state] = after.get(state, 0.0) + chance * fails
        after[(*state, candidate)] = chance * passes
    return after
