"""Exact losses of choices: above a threshold, of a holdout's answers, of the top k."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, permutations, product
from math import comb
from typing import Any, TypeAlias

import numpy as np

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.audit.attack import HoldoutAnswers
from dpcore.audit.exact import ExactLaw
from dpcore.audit.target import Pair
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import PublishedSparseVector, SparseVector
from dpcore.mechanisms.threshold.reusable_holdout import CELLS
from dpcore.mechanisms.top_k import BestTop, OneShot, TopChoice
from dpcore.mechanisms.top_k.joint import CanonicalTop, JointTop
from dpcore.mechanisms.top_k.peeling import ExponentialPeeling, PermuteAndFlip
from dpcore.selection.exact import passing_law
from dpcore.selection.exact.laws import Asked, Comparisons, Law, log_probability, loss_between

# Numeric answers that are tried, up to so many scales of the noise from the largest score.
_VALUES, _THRESHOLD_REACH = 81, 10.0

# Of the sets that were picked so far.
Chances: TypeAlias = dict[frozenset[int], float]


def _sparse_vectors_loss(vector: SparseVector | PublishedSparseVector, pair: Pair) -> float:
    """The largest loss over the patterns in which equal candidates get equal answers.

    Candidates with the same scores on both data sets form a group; in a pattern each group fails or
    passes as a whole, those that fail are visited first (the order is public), and then at most as
    many as the cut-off pass. The loss of the best pattern is a loss of the mechanism.

    A threshold between the scores, and visiting again, take the law of all that can be released.
    """
    if isinstance(vector, SparseVector) and (vector.retraverse or vector.threshold is None):
        return loss_between(passing_law(vector, pair.d), passing_law(vector, pair.d_prime))
    if vector.threshold is None:
        raise InvalidArgument("threshold", None, "public, where the exact loss is asked for")
    comparisons = Comparisons.of_mechanism(vector)
    level = vector.threshold + vector.raised_by * vector.grid.cell
    both = np.stack([np.asarray(side, dtype=np.float64) for side in (pair.d, pair.d_prime)])
    groups, sizes = np.unique(both - level, axis=1, return_counts=True)
    worst = 0.0
    for passed in product((False, True), repeat=sizes.size):
        mask = np.array(passed)
        if comparisons.stops and sizes[mask].sum() > comparisons.cutoff:
            continue
        for value in _values(comparisons, groups[:, mask]):
            here, there = (
                log_probability(comparisons, _asked(comparisons, side, sizes, mask, value))
                for side in groups
            )
            if not (np.isneginf(here) and np.isneginf(there)):
                worst = max(worst, abs(here - there))
    return worst


def _values(comparisons: Comparisons, passing: FloatArray) -> Iterator[float | None]:
    """Numbers that all successes are answered by; None where success is all that is said."""
    if not comparisons.numeric or not passing.size:
        yield None
        return
    reach = _THRESHOLD_REACH * comparisons.query_scale
    yield from np.linspace(passing.max() - reach, passing.max() + reach, _VALUES).tolist()


def _asked(
    laws: Comparisons, scores: FloatArray, sizes: IntArray, passed: BoolArray, value: float | None
) -> list[Asked]:
    """A pattern as a stream: before each success of a refreshed threshold a share of the failures.

    Without fresh thresholds the order of the answers does not matter.
    """
    failures = sizes[~passed]
    successes = _times(scores[passed], sizes[passed], True, value)
    if not laws.refresh:
        return [*_times(scores[~passed], failures, False), *successes]
    each = [replace(one, times=1) for one in successes for _ in range(one.times)]
    runs = max(len(each), 1)
    shares = [failures * (run + 1) // runs - failures * run // runs for run in range(runs)]
    return [
        one
        for run, share in enumerate(shares)
        for one in (*_times(scores[~passed], share, False), *each[run : run + 1])
    ]


def _times(
    scores: FloatArray, sizes: IntArray, passed: bool, value: float | None = None
) -> list[Asked]:
    pairs = zip(scores.tolist(), sizes.tolist(), strict=True)
    return [Asked(score, passed, size, value) for score, size in pairs if size]


def _holdouts_loss(mechanism: HoldoutAnswers, pair: Pair) -> float | None:
    """The largest loss over the question that is corrected first, or none.

    Up to it everything is one run of AboveThreshold on the differences. Its answer has fresh noise,
    and far out on the side of the larger mean it costs the whole shift; so it always adds up.
    """
    holdout = mechanism.holdout
    if holdout.budget != 1:
        return None
    scale = float(holdout.scale) / (holdout.records * CELLS)
    comparisons = Comparisons(
        algorithm=1, threshold_scale=2 * scale, query_scale=4 * scale, cutoff=1, stops=True,
        refresh=False, numeric=False, declared=float(holdout.loss.epsilon),
    )  # fmt: skip
    held = [np.asarray(side, dtype=np.float64).mean(axis=1) for side in (pair.d, pair.d_prime)]
    trained = np.asarray(mechanism.train, dtype=np.float64).mean(axis=1)
    gaps = [(np.abs(side - trained) - holdout.threshold).tolist() for side in held]
    worst = _apart(comparisons, gaps, len(trained), corrected=False)
    for place in range(len(trained)):
        shift = float(abs(held[0][place] - held[1][place])) / scale
        worst = max(worst, _apart(comparisons, gaps, place, corrected=True) + shift)
    return worst


def _apart(laws: Comparisons, gaps: list[list[float]], passed: int, *, corrected: bool) -> float:
    """Log-ratio of "so many answers from training, and then perhaps one that is corrected"."""
    asked = (
        [Asked(gap, place == passed) for place, gap in enumerate(side[: passed + corrected])]
        for side in gaps
    )
    here, there = (log_probability(laws, side) for side in asked)
    return abs(here - there)


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(24)


def pieces(ends: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Gauss-Legendre points and weights for every interval between neighbouring ends.

    Examples
    --------
    >>> points, weights = pieces(np.array([0.0, 1.0, 3.0]))
    >>> round(float((weights * points**2).sum()), 9)
    9.0
    """
    half = np.diff(ends)[:, np.newaxis] / 2.0
    middle = ends[:-1, np.newaxis] + half
    return (middle + half * _NODES).ravel(), (half * _WEIGHTS).ravel()


def _canonical(mechanism: CanonicalTop, cells: FloatArray) -> dict[Hashable, float]:
    """Exponent of every set: worst member against the best candidate that is left out."""
    exponents: dict[Hashable, float] = {}
    for chosen in combinations(range(cells.size), mechanism.k):
        rest = np.delete(cells, chosen)
        inside = (1.0 - mechanism.outside) * cells[list(chosen)].min()
        outside = mechanism.outside * rest.max() if rest.size else 0.0
        exponents[chosen] = mechanism.cell_rate(cells.size) * (inside - outside)
    return exponents


def _joint(mechanism: JointTop, cells: FloatArray) -> dict[Hashable, float]:
    """Exponent of every sequence: minus the largest regret."""
    ranked = np.sort(cells)[::-1][: mechanism.k]
    return {
        chosen: -mechanism.cell_rate(cells.size) * float((ranked - cells[list(chosen)]).max())
        for chosen in permutations(range(cells.size), mechanism.k)
    }


def _subsets_peeled(mechanism: ExponentialPeeling, cells: FloatArray) -> Law:
    """Sums over the orders in which a set can be chosen, one exponential mechanism at a time."""
    law: dict[Hashable, float] = {}
    for order in permutations(range(cells.size), mechanism.k):
        left, chance = cells / mechanism.cell_scale, 1.0
        for place in order:
            chance *= float(np.exp(left[place] - np.logaddexp.reduce(left)))
            left[place] = -np.inf
        law[frozenset(order)] = law.get(frozenset(order), 0.0) + chance
    return law


def _normalised(exponents: dict[Hashable, float]) -> Law:
    values = np.array(list(exponents.values()))
    chances = np.exp(values - np.logaddexp.reduce(values))
    return dict(zip(exponents, chances.tolist(), strict=True))


# Past the largest score the integrand falls like exp(-(set size) m / scale).
_TOP_K_REACH = 45.0


def top_sets(scores: FloatArray, k: int, scale: float) -> dict[tuple[int, ...], float]:
    """The law of the set of the k largest of scores plus exponential noise.

    Parameters
    ----------
    scores : float array, shape (candidates,)
    scale
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
    sets = combinations(everyone, k)
    return {chosen: _chance(scores, np.array(chosen), scale) for chosen in sets}


def _chance(scores: FloatArray, chosen: Any, scale: float) -> float:
    rest = np.delete(scores, chosen)
    start = rest.max()
    kinks = np.unique(np.append(scores[chosen][scores[chosen] > start], start))
    ends = np.append(kinks, kinks[-1] + scale * np.linspace(0.0, _TOP_K_REACH, 31)[1:])
    m, weights = pieces(ends)
    steps = (m[:, np.newaxis] - rest) / scale
    below = -np.expm1(-steps)
    # The derivative of the product of all `below`.
    density = below.prod(axis=1) * (np.exp(-steps) / below).sum(axis=1) / scale
    above = np.exp(-np.maximum(m[:, np.newaxis] - scores[chosen], 0.0) / scale).prod(axis=1)
    return float((weights * density * above).sum())


def _tops_peeled(scores: FloatArray, k: int, scale: float) -> dict[tuple[int, ...], float]:
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
    scores : float array, shape (candidates,)
    wanted
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
        picked: Chances = {frozenset(): float(share)}
        for size, scale in mechanism.blocks(number):
            picked = _with_block(picked, scores, wanted, size, scale * mechanism.grid.cell)
        total += sum(picked.values()) / comb(scores.size - number, mechanism.k - number)
    return total


def _with_block(
    before: Chances, scores: FloatArray, wanted: tuple[int, ...], size: int, scale: float
) -> Chances:
    """Add a block of picks, all of them wanted."""
    after: Chances = {}
    for chosen, chance in before.items():
        left = np.array([i for i in range(scores.size) if i not in chosen])
        for picks in combinations([i for i in wanted if i not in chosen], size):
            places = np.flatnonzero(np.isin(left, picks))
            more = 1.0 if size == left.size else _chance(scores[left], places, scale)
            whole = chosen | frozenset(picks)
            after[whole] = after.get(whole, 0.0) + chance * more
    return {chosen: chance for chosen, chance in after.items() if chance > 0.0}


def _best(mechanism: BestTop, scores: FloatArray) -> Law:
    sets = combinations(range(scores.size), mechanism.k)
    return {wanted: chance_of_best(mechanism, scores, wanted) for wanted in sets}


# What each releases, from the scores: by the cells that these lie in, or with noise in their units.
_LAWS: Mapping[type, Callable[[Any, FloatArray], Law]] = {
    CanonicalTop: lambda one, scores: _normalised(_canonical(one, _cells(one, scores))),
    JointTop: lambda one, scores: _normalised(_joint(one, _cells(one, scores))),
    ExponentialPeeling: lambda one, scores: _subsets_peeled(one, _cells(one, scores)),
    OneShot: lambda one, scores: top_sets(scores, one.k, one.scale),
    PermuteAndFlip: lambda one, scores: _tops_peeled(scores, one.k, one.cell_scale * one.grid.cell),
    BestTop: _best,
}


def _cells(mechanism: TopChoice, scores: FloatArray) -> FloatArray:
    return mechanism.grid.of(scores).astype(np.float64)


def _tops_loss(mechanism: TopChoice, pair: Pair) -> float:
    law = _LAWS[type(mechanism)]
    here, there = (np.asarray(side, dtype=np.float64) for side in (pair.d, pair.d_prime))
    return loss_between(law(mechanism, here), law(mechanism, there))


EXACT = (
    ExactLaw(mechanisms=(SparseVector, PublishedSparseVector), loss=_sparse_vectors_loss),
    ExactLaw(mechanisms=(HoldoutAnswers,), loss=_holdouts_loss),
    ExactLaw(mechanisms=tuple(_LAWS), loss=_tops_loss),
)
