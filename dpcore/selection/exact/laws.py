"""Probabilities of comparisons, and of answers by integration over the threshold noise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any, TypeAlias

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, FloatArray
from dpcore.mechanisms import PublishedSparseVector, SparseVector
from dpcore.mechanisms.threshold.sparse_vector_as_published import sparse_vector_algorithm
from dpcore.privacy import Number


@dataclass(frozen=True)
class Asked:
    """The same question and answer, so many times in a row.

    Parameters
    ----------
    score
        The exact score, less the threshold before noise.
    passed
        The answer.
    value
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
    algorithm
        As Lyu, Su and Li number them.
    threshold_scale, query_scale
        Of the Laplace noise; a query scale of 0 is no noise.
    stops
        Whether it stops after `cutoff` successes.
    refresh
        Whether the threshold noise is drawn again after every success.
    numeric
        Whether a success is answered by the noisy score.
    declared
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
        algorithm
            1 to 7.
        epsilon : int, float, str or Fraction
            The published one.
        cutoff
            The c.
        monotone
            Algorithm 7 then needs half of the query noise, and Algorithm 4 declares less.
        ratio
            Of Algorithm 7, see `RATIOS`.
        """
        _check.integer_in_range(1, 7, algorithm=algorithm)
        facts = {"ratio": ratio, "threshold": 0.0, "monotone": monotone, "whole": True}
        made = sparse_vector_algorithm(algorithm, epsilon=epsilon, cutoff=cutoff, **facts)
        return cls.of_mechanism(made)

    @classmethod
    def of_mechanism(cls, mechanism: SparseVector | PublishedSparseVector) -> Comparisons:
        """Read the scales, in units of the scores, off a mechanism with a public threshold."""
        cell, table = mechanism.grid.cell, mechanism.table
        return cls(
            algorithm=mechanism.variant,
            threshold_scale=float(mechanism.threshold_scale) * cell,
            query_scale=mechanism.query_scale * cell,
            cutoff=mechanism.cutoff,
            declared=float(mechanism.loss.epsilon),
            **{name: getattr(table, name) for name in ("stops", "refresh", "numeric")},
        )


Law: TypeAlias = Mapping[Any, float]


# Of what neither law has with this chance one may be zero for being too small for a double.
_LIKELY = 1e-250


def loss_between(here: Law, there: Law) -> float:
    """The largest absolute log-ratio of two laws; infinite where only one is zero.

    What both have with a chance below 1e-250 counts for nothing.

    Examples
    --------
    >>> round(loss_between({"a": 0.2, "b": 0.8}, {"a": 0.4, "b": 0.6}), 3)
    0.693
    >>> loss_between({"a": 1.0}, {"a": 0.5, "b": 0.5})
    inf
    """
    worst = 0.0
    for outcome in {*here, *there}:
        p, q = here.get(outcome, 0.0), there.get(outcome, 0.0)
        if max(p, q) >= _LIKELY:
            if min(p, q) == 0.0:
                return float("inf")
            worst = max(worst, abs(float(np.log(p) - np.log(q))))
    return worst


# Nodes of the Gauss-Legendre rule on each panel, panels per scale, and scales to both sides of what
# matters: together exact to about twelve digits.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)

_PANELS, _REACH = 2, 45.0


def log_probability(comparisons: Comparisons, asked: Sequence[Asked]) -> float:
    """Logarithm of the probability that these questions get these answers.

    Parameters
    ----------
    asked
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
    # After every success the same questions may come again.
    segments = Counter(_segments(asked) if comparisons.refresh else [tuple(asked)])
    return float(sum(n * _log_of_segment(comparisons, one) for one, n in segments.items()))


def law(comparisons: Comparisons, scores: ArrayLike) -> Law:
    """The probability of every sequence of answers to a few questions.

    Parameters
    ----------
    comparisons
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
    _check.integer_in_range(0, 12, questions=len(asked_scores))
    found = {}
    for answers in _possible(comparisons, len(asked_scores)):
        asked = [Asked(*pair) for pair in zip(asked_scores, answers, strict=False)]
        found[answers] = float(np.exp(log_probability(comparisons, asked)))
    return found


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


def _segments(asked: Sequence[Asked]) -> list[tuple[Asked, ...]]:
    """Cut a stream after every success: each part has threshold noise of its own."""
    parts: list[list[Asked]] = [[]]
    for one in asked:
        repeats = one.times if one.passed else 1
        for _ in range(repeats):
            parts[-1].append(Asked(one.score, one.passed, one.times // repeats, one.value))
            if one.passed:
                parts.append([])
    return [tuple(part) for part in parts if part]


def _log_of_segment(comparisons: Comparisons, asked: Sequence[Asked]) -> float:
    """Integrate over one threshold noise; every answer given it is independent."""
    if not comparisons.query_scale:
        return _log_between(comparisons.threshold_scale, asked)
    ends = [one.value for one in asked if one.value is not None]
    # A number that was released with a success lies above the noisy threshold.
    highest = min(ends, default=np.inf)
    levels, terms = threshold_rule(comparisons, asked, highest)
    for one in asked:
        terms += one.times * _log_answer(one, levels, comparisons.query_scale)
    # As `logsumexp` has it, which asks first what its argument is; no term is infinite.
    top = terms.max()
    return float(top + np.log(np.exp(terms - top).sum()))


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
    return np.where(x < 0.0, x - np.log(2.0), np.log1p(-0.5 * np.exp(-np.abs(x))))


def threshold_rule(
    comparisons: Comparisons, asked: Sequence[Asked], highest: float = np.inf
) -> tuple[FloatArray, FloatArray]:
    """Nodes of an integral over the threshold noise, up to `highest`, and logs of their chances.

    Parameters
    ----------
    asked
        Where the integrand has kinks.

    Examples
    --------
    >>> one = Comparisons.of(1, epsilon=2)
    >>> levels, log_chances = threshold_rule(one, [Asked(3.0, True)])
    >>> float(np.exp(log_chances).sum().round(9))
    1.0
    """
    scale, of_noise = comparisons.query_scale, comparisons.threshold_scale
    reach = _REACH * of_noise + scale * (np.log(sum(one.times for one in asked)) + 5.0)
    kinks = sorted({0.0, *(one.score for one in asked)})
    edges = sorted({min(end, highest) for end in (kinks[0] - reach, *kinks, kinks[-1] + reach)})
    if len(edges) < 2:
        edges = [highest - reach, highest]
    pieces = [
        np.linspace(low, high, int(np.ceil(_PANELS * (high - low) / min(scale, of_noise))) + 1)[:-1]
        for low, high in pairwise(edges)
    ]
    grid = np.concatenate([*pieces, edges[-1:]])
    half = np.diff(grid)[:, None] / 2.0
    levels = (grid[:-1, None] + half * (1.0 + _NODES)).ravel()
    density = -np.abs(levels) / of_noise - np.log(2.0 * of_noise)
    return levels, (np.log(half) + np.log(_WEIGHTS)).ravel() + density


def _log_between(scale: float, asked: Sequence[Asked]) -> float:
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
