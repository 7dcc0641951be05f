"""Choose all k by one draw: a sequence by its largest regret, or a set by its worst member."""

from __future__ import annotations

import math
from bisect import insort
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from scipy.special import gammaln, logsumexp

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms.top_k import TopChoice
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee


@dataclass(frozen=True, kw_only=True)
class CanonicalTop(TopChoice):
    """Draw a set S with probability proportional to exp(rate ((1-g) min in S - g max outside)).

    Parameters
    ----------
    epsilon, k, sensitivity, monotone, whole, neighbors
        As in `TopChoice`.
    outside : float, default 0.5
        The weight g of the best candidate outside; the worst inside has 1 - g. From 0 to 1.

    Sensitivity
        Argued by the caller, per candidate (L-infinity); see `FixedPoint` for the grid. If scores
        rise by up to one step, so do the minimum and the maximum, and the utility of every set
        moves by something between -g and 1 - g steps; falling scores give the opposite. In general
        it moves by at most one step either way.
    Privacy
        epsilon-DP. The exponential mechanism pays for the *range* of the change of all utilities
        together: one step for monotone scores (rate epsilon / step), two in general.

        Weights are logarithms in double precision. For up to 10^7 candidates each is off by 1.1e-7
        at most as measured against exact numbers of sets, hence a chance by twice that, and a ratio
        of two by four times: the rate is that of an epsilon smaller by 2^-20, twice as much, and
        for more candidates in proportion. Picks that are uniform are off by far less.

    Notes
    -----
    Let i be the rank of the best outside and j that of the worst inside. All ranks above i are in,
    and k - i of the j - i - 1 between them. The number of such sets, summed over all j of one score
    (the hockey-stick identity), is a difference of two binomials, so k weights per distinct score
    decide. Where k times the number of candidates is beyond memory, scores are merged first
    (`TopChoice.few_cells`).

    References
    ----------
    M. Shekelyan, G. Loukides (2022), Differentially private top-k selection via canonical Lipschitz
    mechanism. arXiv:2201.13376

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> mechanism = CanonicalTop(epsilon=100, k=2, monotone=True)
    >>> mechanism.draw(np.array([1.0, 9.0, 5.0]), SeededNoise(0)).tolist()
    [1, 2]
    """

    outside: _check.Share = 0.5

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "McSherry and Talwar 2007, Theorem 6, on a utility of range 1"
    )

    def cell_rate(self, size: int) -> float:
        """Factor of the utility of so many candidates in the exponent, per cell."""
        return self.left_by(Fraction(max(size, 10**7), 10**7 * 2**20)) / self.moves

    def draw(self, value: FloatArray, noise: NoiseSource) -> IntArray:
        """Draw k positions, ascending, from scores of shape (candidates,)."""
        cells = self.few_cells(value)
        if self.k == cells.size:
            return np.arange(self.k)
        order = np.argsort(-cells, kind="stable")
        # Counted from the largest: how far apart two scores are is rounded, not how large they are.
        scaled = (cells[order] - cells.max()).astype(np.float64)
        scaled *= self.cell_rate(cells.size)
        return np.sort(order[self._ranks(scaled, noise)])

    def _ranks(self, ranked: FloatArray, noise: NoiseSource) -> IntArray:
        """Draw the ranks (from 0) of a set, from scores in falling order times the rate."""
        k, groups = self.k, _groups(ranked, self.k)
        inside = (1.0 - self.outside) * ranked[groups[:, 1] - 1]
        best_outside = np.arange(1, k + 1)
        log_factorials = gammaln(np.arange(ranked.size + 1) + 1.0)
        weights = inside + _log_sets(best_outside[:, None], groups, k, log_factorials)
        weights -= (self.outside * ranked[:k])[:, None]
        exactly_the_top = (1.0 - self.outside) * ranked[k - 1] - self.outside * ranked[k]
        left_out = noise.choose(np.append(logsumexp(weights, axis=1), exactly_the_top))
        if left_out == k:
            return np.arange(k)
        first, last = groups[noise.choose(weights[left_out])]
        worst = np.arange(first, last + 1)
        free, wanted = worst - left_out - 2, k - left_out - 1
        place = int(worst[noise.choose(_log_binomial(free, wanted, log_factorials))]) - 1
        between = np.arange(left_out + 1, place)
        mixed = between[np.argsort(noise.uniform(between.size))[:wanted]]
        return np.concatenate([np.arange(left_out), mixed, [place]])


def _groups(ranked: FloatArray, k: int) -> IntArray:
    """First and last rank (from 1) of each run of equal scores among the ranks beyond k."""
    ends = np.append(np.flatnonzero(np.diff(ranked[k:])) + k + 1, ranked.size)
    return np.column_stack([np.append(k, ends[:-1]) + 1, ends])


def _log_binomial(n: IntArray, m: IntArray | int, log_factorials: FloatArray) -> FloatArray:
    result: FloatArray = log_factorials[n] - log_factorials[m] - log_factorials[n - m]
    return result


def _log_sets(
    left_out: IntArray, groups: IntArray, k: int, log_factorials: FloatArray
) -> FloatArray:
    """Log-number of sets by rank of the best outside (rows) and group of the worst inside."""
    first, last = groups[:, 0], groups[:, 1]
    wanted = k - left_out
    single = _log_binomial(first - left_out - 1, wanted, log_factorials)
    upper = _log_binomial(last - left_out, wanted + 1, log_factorials)
    # Sets that end before the group: none if it starts right after what must be chosen.
    before = first - 1 - left_out
    some = before > wanted
    lower = _log_binomial(np.where(some, before, wanted + 1), wanted + 1, log_factorials)
    fall = _log_fall(before, last - first + 1, wanted, lower - upper)
    share = np.where(some & (last > first), fall, -np.inf)
    return np.where(last == first, single, upper + np.log(-np.expm1(share)))


# Of so long a way to the least number a sum of logarithms is an integral; eight points find it.
_LONG, (_NODES, _WEIGHTS) = 2**10, np.polynomial.legendre.leggauss(8)


def _log_fall(n: IntArray, more: IntArray, m: IntArray, difference: FloatArray) -> FloatArray:
    """Log of binomial(n, m + 1) over binomial(n + more, m + 1), of whose logs it is the difference.

    Where they are near each other, that is rounded by a large part of what it is. Then it is found
    as the sum of log(1 - (m + 1) / x) over x = n + 1, ..., n + more, to 1e-7 of it.
    """
    near = (n - m > _LONG) & (difference > -1.0)
    middle, half = np.where(near, n + (more + 1) / 2.0, np.inf), more / 2.0
    points = zip(_NODES, _WEIGHTS, strict=True)
    parts = (weight * np.log1p(-(m + 1) / (middle + half * node)) for node, weight in points)
    return np.where(near, half * sum(parts), difference)


@dataclass(frozen=True, kw_only=True)
class JointTop(TopChoice):
    """Draw an ordered k by the exponential mechanism on minus its largest regret.

    The regret at place i is the i-th largest score less the score that was put there.

    Parameters
    ----------
    epsilon, k, sensitivity, monotone, whole, neighbors
        As in `TopChoice`.

    Sensitivity
        Argued by the caller, per candidate (L-infinity); see `FixedPoint` for the grid. A regret is
        a difference of two scores that rise or fall together if monotone: it moves by at most one
        step, in general by two; so does the largest of them.
    Privacy
        epsilon-DP: the exponential mechanism with rate epsilon / (2 steps), half of it in general,
        and of an epsilon that is smaller by what rounding costs. That is 2^-26 for sums of
        logarithms in double precision, which are off by a hundredth of it as measured, and 2^-50
        for each of k places and n candidates: a place takes one of up to n by 2^52 numbers, times
        n and rounded, so that each has its share of them but for two at most.

    Notes
    -----
    Let A_i be the candidates whose regret at place i is at most r; A_1 is part of A_2 and so on, so
    the sequences of regret at most r number the product of (size of A_i less i - 1). Raising r
    past one (place, distinct score) after the other, larger places first, each step adds a product
    in which one factor is replaced by the number of candidates with that score.

    Where k times the number of candidates is beyond memory, scores are merged first, whatever they
    are (`TopChoice.few_cells`): the number of distinct scores is private and decides nothing.

    References
    ----------
    J. Gillenwater, M. Joseph, A. Muñoz, M. Ribero Diaz (2022), A joint exponential mechanism for
    differentially private top-k, ICML. arXiv:2201.12333

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> mechanism = JointTop(epsilon=100, k=2, monotone=True)
    >>> mechanism.draw(np.array([1.0, 9.0, 5.0]), SeededNoise(0)).tolist()
    [1, 2]
    """

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "Gillenwater et al. 2022, the joint exponential mechanism"
    )

    def cell_rate(self, size: int) -> float:
        """Factor of the utility of so many candidates in the exponent, per cell."""
        return self.left_by(Fraction(1, 2**26) + Fraction(self.k * size, 2**50)) / (2 * self.moves)

    def draw(self, value: FloatArray, noise: NoiseSource) -> IntArray:
        """Draw k positions, in the order of the sequence, from scores of shape (candidates,)."""
        cells = self.few_cells(value)
        order = np.argsort(-cells, kind="stable")
        ranked = cells[order]
        starts = np.append(0, np.flatnonzero(np.diff(ranked)) + 1)
        sizes = np.diff(np.append(starts, ranked.size))
        events = _Events.of(ranked, starts, sizes, self.k)
        number = noise.choose(events.log_counts() - self.cell_rate(cells.size) * events.regrets)
        return order[_sequence(events, number, noise)]


def _running_sums(numbers: FloatArray) -> FloatArray:
    """Sums of the first 1, 2, ... numbers, each the sum of two sums of about the root as many.

    One addition after the other would round millions of times, each by a part of the whole sum.
    """
    width = math.isqrt(numbers.size) + 1
    runs = np.zeros((width, width))
    runs.ravel()[: numbers.size] = numbers
    inner = runs.cumsum(axis=1)
    before = np.append(0.0, inner[:-1, -1].cumsum())
    return np.asarray((inner + before[:, None]).ravel()[: numbers.size], dtype=np.float64)


@dataclass(frozen=True)
class _Events:
    """Every (place, distinct score), in the order in which a rising regret admits them."""

    places: IntArray
    starts: IntArray
    sizes: IntArray
    regrets: FloatArray
    k: int

    @classmethod
    def of(cls, ranked: IntArray, starts: IntArray, sizes: IntArray, k: int) -> _Events:
        regrets = ranked[:k, None] - ranked[starts]
        places = np.broadcast_to(np.arange(k)[:, None], regrets.shape)
        # lexsort: by regret, among equals the larger place first.
        by = np.lexsort((-places.ravel(), regrets.ravel()))
        group = by % starts.size
        sorted_regrets: FloatArray = regrets.ravel()[by].astype(np.float64)
        return cls(by // starts.size, starts[group], sizes[group], sorted_regrets, k)

    def log_counts(self) -> FloatArray:
        """Logarithm of the number of sequences that each event is the last to admit."""
        before = np.maximum(self.starts - self.places, 0)
        after = np.maximum(self.starts + self.sizes - self.places, 0)
        # Factors that are still zero are counted; the others' logarithms are added up.
        zeros = self.k - np.cumsum((before == 0) & (after > 0))
        logs = np.log(np.maximum(after, 1)) - np.log(np.maximum(before, 1))
        others = _running_sums(logs) - np.log(np.maximum(after, 1))
        new = np.log(np.maximum(after - before, 1))
        return np.where((zeros == 0) & (after > 0), others + new, -np.inf)

    def admitted(self, number: int) -> IntArray:
        """How many of the best candidates each place may take, after that event."""
        sizes = np.zeros(self.k, dtype=np.int64)
        seen = slice(0, number + 1)
        np.maximum.at(sizes, self.places[seen], (self.starts + self.sizes)[seen])
        return sizes


def _sequence(events: _Events, number: int, noise: NoiseSource) -> IntArray:
    """Draw ranks uniformly among the sequences that event `number` is the last to admit."""
    admitted, last = events.admitted(number), int(events.places[number])
    numbers = noise.uniform(events.k)
    taken: list[int] = []
    ranks = np.zeros(events.k, dtype=np.int64)
    for place in range(events.k):
        if place == last:
            # As whole numbers: the sum of two doubles might be rounded to the next score's rank.
            rank = int(events.starts[number]) + int(numbers[place] * events.sizes[number])
        else:
            rank = int(numbers[place] * (admitted[place] - place))
            for other in taken:
                rank += other <= rank
        insort(taken, rank)
        ranks[place] = rank
    return ranks
