"""Exact output probabilities of the sparse vector variants, and what they lose: no noise is drawn.

These are functions of public example scores, for tests, the audit and teaching; none of them is a
release.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations, product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import quad
from scipy.special import logsumexp

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import PublishedClusters, PublishedSparseVector, SparseVector
from dpcore.mechanisms.counts.clusters_as_published import nearest
from dpcore.mechanisms.threshold.sparse_vector import fill_up, threshold_cells
from dpcore.privacy import Number


@dataclass(frozen=True)
class Asked:
    """The same question and answer, so many times in a row.

    Parameters
    ----------
    score : float
        The exact score, less the threshold before noise.
    passed : bool
        The answer.
    times : int, default 1
    value : float, optional
        The number that is released with a success by a variant with numeric answers, less the
        threshold; the success alone if left out.
    """

    score: float
    passed: bool
    times: int = 1
    value: float | None = None


@dataclass(frozen=True, kw_only=True)
class Comparisons:
    """One of the algorithms 1 to 7 for scores of sensitivity 1 and a public threshold.

    Parameters
    ----------
    algorithm : int
        As Lyu, Su and Li number them.
    threshold_scale, query_scale : float
        Of the Laplace noise; a query scale of 0 is no noise.
    cutoff : int
    stops : bool
        Whether it stops after `cutoff` successes.
    refresh : bool
        Whether the threshold noise is drawn again after every success.
    numeric : bool
        Whether a success is answered by the noisy score.
    declared : float
        The epsilon that the project charges for it; what was claimed if it is BROKEN.

    Examples
    --------
    >>> one = Comparisons.of(1, epsilon=1, cutoff=3)
    >>> round(one.threshold_scale, 6), round(one.query_scale, 6), one.declared
    (2.0, 12.0, 1.0)
    """

    algorithm: int
    threshold_scale: float
    query_scale: float
    cutoff: int
    stops: bool
    refresh: bool
    numeric: bool
    declared: float

    @classmethod
    def of(
        cls,
        algorithm: int,
        *,
        epsilon: Number,
        cutoff: int = 1,
        monotone: bool = False,
        ratio: str = "1:1",
    ) -> Comparisons:
        """Read the scales off the mechanism that is really run.

        Parameters
        ----------
        algorithm : int
            1 to 7.
        epsilon : int, float, str or Fraction
            The published one.
        cutoff : int, default 1
            The c.
        monotone : bool, default False
            Algorithm 7 then needs half of the query noise, and Algorithm 4 declares less.
        ratio : str, default "1:1"
            Of Algorithm 7, see `dpcore.mechanisms.RATIOS`.
        """
        _check.integer_in_range(1, 7, algorithm=algorithm)
        if algorithm == 7:
            return cls.of_mechanism(
                SparseVector(
                    epsilon=epsilon,
                    k=cutoff,
                    threshold=0.0,
                    ratio=ratio,
                    monotone=monotone,
                    whole=True,
                )
            )
        return cls.of_mechanism(
            PublishedSparseVector(
                variant=algorithm,
                epsilon=epsilon,
                cutoff=cutoff,
                threshold=0.0,
                monotone=monotone,
                whole=True,
            )
        )

    @classmethod
    def of_mechanism(cls, mechanism: SparseVector | PublishedSparseVector) -> Comparisons:
        """Read the scales, in units of the scores, off a mechanism with a public threshold."""
        cell = mechanism.grid.cell
        if isinstance(mechanism, SparseVector):
            algorithm, cutoff = 7, mechanism.k
            stops, refresh, numeric = True, False, False
        else:
            algorithm, cutoff, table = mechanism.variant, mechanism.cutoff, mechanism.table
            stops, refresh, numeric = table.stops, table.refresh, table.numeric
        return cls(
            algorithm=algorithm,
            threshold_scale=float(mechanism.threshold_scale) * cell,
            query_scale=mechanism.query_scale * cell,
            cutoff=cutoff,
            stops=stops,
            refresh=refresh,
            numeric=numeric,
            declared=float(mechanism.loss.epsilon),
        )


Law: TypeAlias = Mapping[Any, float]


def loss_between(here: Law, there: Law) -> float:
    """The largest absolute log-ratio of two laws; infinite where only one is zero.

    Examples
    --------
    >>> round(loss_between({"a": 0.2, "b": 0.8}, {"a": 0.4, "b": 0.6}), 3)
    0.693
    >>> loss_between({"a": 1.0}, {"a": 0.5, "b": 0.5})
    inf
    """
    worst = 0.0
    outcomes: set[Hashable] = set(here) | set(there)
    for outcome in outcomes:
        p, q = here.get(outcome, 0.0), there.get(outcome, 0.0)
        if (p == 0.0) != (q == 0.0):
            return float("inf")
        if p > 0.0:
            worst = max(worst, abs(float(np.log(p) - np.log(q))))
    return worst


# Nodes of the Gauss-Legendre rule on each panel, panels per scale, and scales to both sides of what
# matters: together exact to about twelve digits.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)

_PANELS, _REACH = 2, 45.0

_MOST_QUERIES = 12


def log_probability(comparisons: Comparisons, asked: Sequence[Asked]) -> float:
    """Logarithm of the probability that these questions get these answers.

    Parameters
    ----------
    comparisons : Comparisons
    asked : sequence of Asked
        In order; nothing after the cut-off.

    Returns
    -------
    float
        Minus infinity for what cannot happen. With `value`s the logarithm of a density.

    Examples
    --------
    >>> ptt = Comparisons.of(5, epsilon=2)
    >>> round(float(np.exp(log_probability(ptt, [Asked(-1, False), Asked(0, True)]))), 3)
    0.316
    >>> log_probability(ptt, [Asked(0, False), Asked(0, True)])
    -inf
    """
    segments = _segments(asked) if comparisons.refresh else [list(asked)]
    return float(sum(_log_of_segment(comparisons, segment) for segment in segments))


def law(comparisons: Comparisons, scores: ArrayLike) -> Law:
    """The probability of every sequence of answers to a few questions.

    Parameters
    ----------
    comparisons : Comparisons
        The values of numeric answers are summed out.
    scores : array, shape (questions,)
        Less the threshold; at most 12.

    Returns
    -------
    dict of tuple of bool to float
        There are no answers after the cut-off.

    Examples
    --------
    >>> found = law(Comparisons.of(1, epsilon=1), [0.0, 0.0])
    >>> {answers: round(p, 3) for answers, p in found.items()}
    {(False, False): 0.292, (False, True): 0.208, (True,): 0.5}
    """
    asked_scores = np.asarray(scores, dtype=np.float64).tolist()
    _check.integer_in_range(0, _MOST_QUERIES, questions=len(asked_scores))
    return {
        answers: float(
            np.exp(
                log_probability(
                    comparisons, [Asked(*pair) for pair in zip(asked_scores, answers, strict=False)]
                )
            )
        )
        for answers in _possible(comparisons, len(asked_scores))
    }


def _possible(comparisons: Comparisons, questions: int) -> Iterator[tuple[bool, ...]]:
    """Sequences of answers that end with the questions or with the last success."""
    seen = set()
    for answers in product((False, True), repeat=questions):
        given = answers
        if comparisons.stops:
            successes = np.flatnonzero(answers)
            if successes.size >= comparisons.cutoff:
                given = answers[: int(successes[comparisons.cutoff - 1]) + 1]
        if given not in seen:
            seen.add(given)
            yield given


def _segments(asked: Sequence[Asked]) -> list[list[Asked]]:
    """Cut a stream after every success: each part has threshold noise of its own."""
    parts: list[list[Asked]] = [[]]
    for one in asked:
        repeats = one.times if one.passed else 1
        for _ in range(repeats):
            parts[-1].append(Asked(one.score, one.passed, one.times // repeats, one.value))
            if one.passed:
                parts.append([])
    return [part for part in parts if part]


def _log_of_segment(comparisons: Comparisons, asked: list[Asked]) -> float:
    """Integrate over one threshold noise; every answer given it is independent."""
    if not comparisons.query_scale:
        return _log_between(comparisons.threshold_scale, asked)
    ends = [one.value for one in asked if one.value is not None]
    # A number that was released with a success lies above the noisy threshold.
    highest = min(ends, default=np.inf)
    levels, log_widths = threshold_rule(comparisons, asked, highest)
    terms = log_widths - np.abs(levels) / comparisons.threshold_scale
    for one in asked:
        terms += one.times * _log_answer(one, levels, comparisons.query_scale)
    return float(logsumexp(terms)) - float(np.log(2.0 * comparisons.threshold_scale))


def _log_answer(one: Asked, levels: FloatArray, scale: float) -> FloatArray:
    if one.value is not None:
        density = -abs(one.value - one.score) / scale - np.log(2.0 * scale)
        return np.full(levels.size, density)
    gaps = (levels - one.score) / scale
    return log_of_laplace_cdf(-gaps if one.passed else gaps)


def log_of_laplace_cdf(x: FloatArray) -> FloatArray:
    """Logarithm of P(Laplace noise of scale 1 <= x), elementwise.

    Examples
    --------
    >>> np.exp(log_of_laplace_cdf(np.array([0.0, 1.0]))).round(3).tolist()
    [0.5, 0.816]
    """
    tail = 0.5 * np.exp(-np.abs(x))
    logs: FloatArray = np.where(x < 0.0, x - np.log(2.0), np.log1p(-tail))
    return logs


def threshold_rule(
    comparisons: Comparisons, asked: Sequence[Asked], highest: float = np.inf
) -> tuple[FloatArray, FloatArray]:
    """Nodes and log-weights of an integral over the threshold noise, up to `highest`.

    Parameters
    ----------
    asked
        Where the integrand has kinks.

    Examples
    --------
    >>> one = Comparisons.of(1, epsilon=2)
    >>> levels, log_widths = threshold_rule(one, [Asked(3.0, True)])
    >>> float(np.exp(log_widths - np.abs(levels)).sum().round(9))
    2.0
    """
    scale, times = comparisons.query_scale, sum(one.times for one in asked)
    kinks = np.unique([0.0, *(one.score for one in asked)])
    reach = _REACH * comparisons.threshold_scale + scale * (np.log(times) + 5.0)
    edges = np.unique(np.clip([kinks[0] - reach, *kinks, kinks[-1] + reach], None, highest))
    if edges.size < 2:
        edges = np.array([highest - reach, highest])
    width = min(scale, comparisons.threshold_scale) / _PANELS
    grid = np.concatenate(
        [
            np.linspace(low, high, int(np.ceil((high - low) / width)) + 1)[:-1]
            for low, high in pairwise(edges)
        ]
        + [edges[-1:]]
    )
    half = np.diff(grid)[:, None] / 2.0
    nodes = grid[:-1, None] + half * (1.0 + _NODES)
    return nodes.ravel(), np.log(half * _WEIGHTS).ravel()


def _log_between(scale: float, asked: list[Asked]) -> float:
    """Without query noise: the threshold noise lies between all that failed and all that passed."""
    low = max((one.score for one in asked if not one.passed), default=-np.inf)
    high = min((one.score for one in asked if one.passed), default=np.inf)
    if low >= high:
        return -np.inf
    below = np.array([low, high]) / scale
    # On the side of the tail, so that nothing cancels.
    if below[0] > 0.0:
        below = -below[::-1]
    logs = log_of_laplace_cdf(below)
    return float(logs[1] + np.log1p(-np.exp(logs[0] - logs[1])))


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


def acceptance(
    total: float, size: int, threshold: float, *, sum_scale: float, size_scale: float
) -> float:
    """Probability that the noisy centre of one-dimensional points reaches a threshold.

    Parameters
    ----------
    total : float
        Sum of the points of the cluster.
    size : int
        Their number.
    threshold : float
    sum_scale, size_scale : float
        Of the Laplace noise on both; the centre is the noisy sum over the noisy size, at least 1.

    Examples
    --------
    >>> round(acceptance(7.0, 1, 5.0, sum_scale=2.0, size_scale=2.0), 3)
    0.505
    """
    _check.positive(sum_scale=sum_scale, size_scale=size_scale)

    def given(noise: float) -> float:
        gap = (total - threshold * max(size + noise, 1.0)) / sum_scale
        above = 1.0 - 0.5 * np.exp(-gap) if gap > 0 else 0.5 * np.exp(gap)
        return float(above * np.exp(-abs(noise) / size_scale) / (2.0 * size_scale))

    reach = 50.0 * size_scale
    kinks = sorted({-reach, reach, 0.0, 1.0 - size, *_inside(total / threshold - size, reach)})
    pairs = pairwise(kinks)
    return float(sum(quad(given, low, high, epsabs=1e-13, limit=200)[0] for low, high in pairs))


def accepted(
    mechanism: PublishedClusters, points: FloatArray, threshold: float, cluster: int
) -> float:
    """Probability that a cluster of counts is accepted after one round.

    Parameters
    ----------
    mechanism : PublishedClusters
        Of one round, with centres of shape (clusters, 1).
    points : float array, shape (features, 1)
        Counts.
    threshold : float
        The centre of an accepted cluster reaches it.
    cluster : int

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
    return acceptance(
        float(mine.sum()),
        mine.shape[0],
        threshold,
        sum_scale=float(mechanism.sum_scale),
        size_scale=float(mechanism.size_scale),
    )


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


def _inside(kink: float, reach: float) -> list[float]:
    return [kink] if abs(kink) < reach else []


@dataclass(frozen=True)
class Counterexample:
    """What two neighbours say to the same answer.

    Parameters
    ----------
    comparisons : Comparisons
        The variant, with the epsilon that it `declared`.
    here, there : tuple of Asked
        The same answers to the scores of both data sets.
    log_here, log_there : float
        Logarithms of their probabilities, or densities if an answer is a number.
    """

    comparisons: Comparisons
    here: tuple[Asked, ...]
    there: tuple[Asked, ...]
    log_here: float
    log_there: float

    @property
    def loss(self) -> float:
        """Absolute log-ratio; infinite if only one data set can give the answer."""
        if np.isneginf(self.log_here) != np.isneginf(self.log_there):
            return float("inf")
        return abs(self.log_here - self.log_there)


def counterexample(
    algorithm: int,
    *,
    epsilon: Number,
    cutoff: int = 1,
    monotone: bool = False,
    size: int = 1_000_000,
    ratio: str = "1:1",
) -> Counterexample:
    """The neighbours on which an algorithm loses most, with exact probabilities of both.

    For Algorithms 1, 2, 4 and 7: `size` questions fail, whose scores rise from 0 to 1, and c pass,
    whose scores fall; the loss tends to what the variant truly costs as `size` grows. Algorithm 3:
    the same with one success that is answered by the number 0. Algorithm 5: scores (-1, 0) against
    (0, 0). Algorithm 6: as many pass as fail. Scores are less the threshold; monotone ones never
    fall.

    Parameters
    ----------
    algorithm : int
        1 to 7.
    epsilon : int, float, str or Fraction
        The published one.
    cutoff : int, default 1
    monotone : bool, default False
        Whether all scores move in the same direction.
    size : int, default 1000000
        How many questions fail (and pass, for Algorithm 6).
    ratio : str, default "1:1"
        Of Algorithm 7.

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Section 3 and appendix. doi:10.14778/3055330.3055331

    Examples
    --------
    >>> round(counterexample(6, epsilon=1, size=20).loss, 1)
    17.1
    >>> counterexample(5, epsilon=1).loss
    inf
    """
    _check.integer_in_range(1, None, size=size)
    comparisons = Comparisons.of(
        algorithm, epsilon=epsilon, cutoff=cutoff, monotone=monotone, ratio=ratio
    )
    here, there = _questions(comparisons, size, fall=0.0 if monotone else 1.0)
    return Counterexample(
        comparisons,
        here,
        there,
        log_probability(comparisons, here),
        log_probability(comparisons, there),
    )


def _questions(
    comparisons: Comparisons, size: int, fall: float
) -> tuple[tuple[Asked, ...], tuple[Asked, ...]]:
    fails = Asked(0.0, False, size), Asked(1.0, False, size)
    if comparisons.algorithm == 3:
        return (fails[0], Asked(fall, True, 1, 0.0)), (fails[1], Asked(0.0, True, 1, 0.0))
    if comparisons.algorithm == 5:
        return (Asked(-1.0, False), Asked(0.0, True)), (Asked(0.0, False), Asked(0.0, True))
    if comparisons.algorithm == 6:
        return (fails[0], Asked(fall, True, size)), (fails[1], Asked(0.0, True, size))
    # So far below that each success needs the tail of its noise.
    low = -20.0 * comparisons.query_scale
    if comparisons.refresh:
        runs = comparisons.cutoff
        return (fails[0], Asked(low, True)) * runs, (fails[1], Asked(low - fall, True)) * runs
    passes = Asked(low, True, comparisons.cutoff), Asked(low - fall, True, comparisons.cutoff)
    return (fails[0], passes[0]), (fails[1], passes[1])
