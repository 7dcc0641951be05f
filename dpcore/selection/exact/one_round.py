"""Exact laws of selectors: one round of noise, and passes through a stream of comparisons."""

from itertools import pairwise, permutations
from typing import TypeAlias

import numpy as np
from scipy.integrate import quad

from dpcore import _check
from dpcore._typing import ArrayLike, FloatArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import PublishedClusters, SparseVector
from dpcore.mechanisms.counts.clusters_as_published import nearest
from dpcore.mechanisms.threshold.sparse_vector import fill_up, threshold_cells
from dpcore.selection.exact.laws import Asked, Comparisons, Law, log_of_laplace_cdf, threshold_rule


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
    _check.integer_in_range(1, 4, candidates=here.size)
    gaps = _gaps(mechanism, here)
    comparisons = Comparisons.of_mechanism(mechanism)
    levels, log_chances = threshold_rule(comparisons, [Asked(gap, True) for gap in gaps.tolist()])
    weights = np.exp(log_chances)
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
            law[outcome] = law.get(outcome, 0.0) + float(weights @ chance) / len(orders)
    return law


def _gaps(mechanism: SparseVector, scores: FloatArray) -> FloatArray:
    """Scores less the raised threshold."""
    cells = mechanism.grid.of(scores)
    level = threshold_cells(mechanism.threshold, mechanism.k, cells, mechanism.grid)
    above = (cells - level - mechanism.raised_by).astype(np.float64)
    return above * mechanism.grid.cell


# Chances of each sequence of those that passed so far, by level of the noisy threshold.
States: TypeAlias = dict[tuple[int, ...], FloatArray]


def _in_order(
    mechanism: SparseVector, order: tuple[int, ...], passes: FloatArray, fails: FloatArray
) -> States:
    """Chance of each sequence of those that passed, by level of the noisy threshold."""
    most = min(mechanism.k, len(order))
    states = [state for size in range(most + 1) for state in permutations(order, size)]
    place = {state: number for number, state in enumerate(states)}
    step = np.zeros((passes.shape[0], len(states), len(states)))
    for state in states:
        now: States = {state: np.ones(passes.shape[0])}
        for candidate in order:
            now = _visited(now, candidate, most, passes[:, candidate], fails[:, candidate])
        for after, chance in now.items():
            step[:, place[state], place[after]] = chance
    rounds = np.linalg.matrix_power(step, mechanism.rounds(len(order)))
    return {state: rounds[:, 0, place[state]] for state in states}


def _visited(
    before: States, candidate: int, most: int, passes: FloatArray, fails: FloatArray
) -> States:
    """Ask about one candidate, unless it or enough others passed already."""
    after: States = {}
    for state, chance in before.items():
        if len(state) == most or candidate in state:
            after[state] = after.get(state, 0.0) + chance
            continue
        after[state] = after.get(state, 0.0) + chance * fails
        after[(*state, candidate)] = chance * passes
    return after


def acceptance(total: float, size: int, bar: float, sum_scale: float, size_scale: float) -> float:
    """Probability that the noisy centre of one-dimensional points reaches a threshold.

    Parameters
    ----------
    total
        Sum of the points of the cluster.
    size
        Their number.
    sum_scale, size_scale
        Of the Laplace noise on both; the centre is the noisy sum over the noisy size, at least 1.

    Examples
    --------
    >>> round(acceptance(7.0, 1, 5.0, sum_scale=2.0, size_scale=2.0), 3)
    0.505
    """
    _check.positive(sum_scale=sum_scale, size_scale=size_scale)

    def given(noise: float) -> float:
        gap = (total - bar * max(size + noise, 1.0)) / sum_scale
        above = 1.0 - 0.5 * np.exp(-gap) if gap > 0 else 0.5 * np.exp(gap)
        return float(above * np.exp(-abs(noise) / size_scale) / (2.0 * size_scale))

    reach = 50.0 * size_scale
    kink = total / bar - size
    kinks = sorted({-reach, reach, 0.0, 1.0 - size, kink if abs(kink) < reach else 0.0})
    pairs = pairwise(kinks)
    return float(sum(quad(given, low, high, epsabs=1e-13, limit=200)[0] for low, high in pairs))


def accepted(mechanism: PublishedClusters, points: FloatArray, bar: float, cluster: int) -> float:
    """Probability that a cluster of counts is accepted after one round.

    Parameters
    ----------
    mechanism
        Of one round, with centres of shape (clusters, 1).
    points : float array, shape (features, 1)
        Counts.
    threshold
        The centre of an accepted cluster reaches it.

    Raises
    ------
    InvalidArgument
        With more rounds: the centres of the next ones are random.

    Examples
    --------
    >>> once = PublishedClusters(epsilon=1, centres=np.array([[3.0], [10.0]]), rounds=1)
    >>> round(accepted(once, np.array([[6.0], [7.0]]), 5.0, 1), 3)
    0.505
    """
    if mechanism.rounds != 1:
        raise InvalidArgument("rounds", mechanism.rounds, "1, for an exact probability")
    mine = points[nearest(points, mechanism.centres) == cluster]
    scales = float(mechanism.sum_scale), float(mechanism.size_scale)
    return acceptance(float(mine.sum()), mine.shape[0], bar, *scales)


def only_the_second(mechanism: PublishedClusters, points: FloatArray, threshold: float) -> float:
    """Probability that the second of two features is accepted and the first is not.

    It is 0 if both are in one cluster: memberships get no noise.

    Parameters
    ----------
    mechanism, points, threshold
        See `accepted`; two points.

    Examples
    --------
    >>> once = PublishedClusters(epsilon=1, centres=np.array([[3.0], [10.0]]), rounds=1)
    >>> [round(only_the_second(once, np.array([[6.0], [second]]), 5.0), 3) for second in (6.0, 7.0)]
    [0.0, 0.295]
    """
    first, second = nearest(points, mechanism.centres).tolist()
    if first == second:
        return 0.0
    chances = [accepted(mechanism, points, threshold, cluster) for cluster in (first, second)]
    return (1.0 - chances[0]) * chances[1]
