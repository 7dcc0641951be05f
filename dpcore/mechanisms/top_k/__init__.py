"""Choosing the best of many scored candidates, one of them or k."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.samplers import exponential_noise
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, exact

# The candidates that every take adds noise to one by one; the others are thinned.
_HEAD = 4096


class NoisyTop:
    """Candidates with private scores in cells, of which tops are taken with exponential noise.

    Parameters
    ----------
    cells : int array, shape (candidates,)
        Scores on the grid of a `FixedPoint`.
    most
        How many will be taken in all.

    Sensitivity
        None by itself: the mechanisms that take from it choose the scale.

    Notes
    -----
    Noise is never negative, so a top of m never contains a candidate whose noisy score is below the
    m-th largest *exact* score. For the many small scores only the noise that reaches so high is
    drawn: the result has the same law as adding noise to all of them.

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> NoisyTop(np.array([5, 90, 40]), 2).take(2, 1.0, SeededNoise(0)).tolist()
    [1, 2]
    """

    def __init__(self, cells: IntArray, most: int) -> None:
        if most > cells.size:
            requirement = f"at most the number of candidates, {cells.size}"
            raise InvalidArgument("k", most, requirement)
        self._cells = cells
        width = max(_HEAD, most)
        split = np.argpartition(-cells, width) if cells.size > width else np.arange(cells.size)
        head, self._tail = split[:width], split[width:]
        self._head = head[np.argsort(-cells[head], kind="stable")]
        self._tail_best = int(cells[self._tail].max()) if self._tail.size else 0
        self._left = np.ones(cells.size, dtype=np.bool_)

    def left(self) -> IntArray:
        """Positions not taken yet."""
        return np.flatnonzero(self._left)

    def take(self, size: int, scale: float, noise: NoiseSource) -> IntArray:
        """Remove and return the `size` candidates that are largest with fresh noise, ascending.

        Equal noisy scores go to the lower position, which is public.
        """
        head = self._head[self._left[self._head]]
        positions, drawn = head, exponential_noise.exponential_cells(scale, head.size, noise)
        if self._tail.size:
            # Each take removes at most what `most` allowed for, so the head holds `size` still.
            bar = float(self._cells[head[size - 1]] - self._tail_best)
            reached, more = exponential_noise.thinned_cells(scale, bar, self._tail.size, noise)
            still = self._left[self._tail[reached]]
            positions = np.append(positions, self._tail[reached[still]])
            drawn = np.append(drawn, more[still])
        chosen = largest(self._cells[positions] + drawn, positions, size)
        self._left[chosen] = False
        return chosen


def largest(noisy: IntArray, positions: IntArray, size: int) -> IntArray:
    """The positions of the `size` largest, ascending; ties go to the lower position."""
    bar = np.partition(noisy, noisy.size - size)[noisy.size - size]
    above = positions[noisy > bar]
    ties = np.sort(positions[noisy == bar])[: size - above.size]
    return np.sort(np.append(above, ties))


# Pairs of a place and a distinct score that a mechanism may keep: some 2 GB of memory.
_MOST_PAIRS = 3 * 10**7


@dataclass(frozen=True, kw_only=True)
class TopChoice(exponential_noise.ScoredChoice):
    """Base: public numbers of a choice of k. A mechanism adds its `guarantee` and its `draw`.

    Parameters
    ----------
    k : int
        How many to choose; at least 1.
    epsilon, sensitivity, monotone, whole, neighbors
        As in `ScoredChoice`.

    Sensitivity
        Argued by the caller, per candidate (L-infinity); see `FixedPoint` for the grid.

    Examples
    --------
    >>> choice = TopChoice(epsilon=1, k=3, whole=True)
    >>> str(choice.loss), choice.moves == 2 * choice.grid.steps
    ('epsilon 1', True)
    """

    k: _check.Count

    guarantee: ClassVar[Guarantee]

    @property
    def cell_scale(self) -> float:
        """Scale of the noise, in cells, where each of k picks costs epsilon / k."""
        return exponential_noise.tail_scale(self.moves, exact(self.epsilon) / self.k)

    def cells(self, value: FloatArray) -> IntArray:
        """The scores, of shape (candidates,), on the grid; there must be k of them."""
        found = self.grid.of(value)
        if self.k > found.size:
            raise InvalidArgument("k", self.k, f"at most the number of candidates, {found.size}")
        return found

    def without_noise(self, value: FloatArray) -> IntArray:
        """The k candidates with the largest scores, ascending; for simulations only."""
        cells = self.cells(value)
        return largest(cells, np.arange(cells.size), self.k)

    def few_cells(self, value: FloatArray) -> IntArray:
        """`cells`, with so few distinct values that k of each can be kept in memory.

        Where k times the number of candidates, a public number, is small they are `cells`. Where it
        is not, they are whole multiples of `grid.steps`, in a window that holds the k-th largest.

        Sensitivity
            That of `cells`: no score moves by more than `grid.steps`, and all in one direction if
            monotone. Rounding down to multiples of `grid.steps` moves by one multiple at most and
            turns no order round; so do the largest and the k-th largest score, the ends of the
            window, which are made of these two, and cutting to a window whose ends do.
        """
        cells = self.cells(value)
        kinds = max(_MOST_PAIRS // self.k, 1)
        if cells.size <= kinds:
            return cells
        multiples = cells // self.grid.steps
        kth = np.partition(multiples, -self.k)[-self.k]
        top = min(multiples.max(), kth + (kinds - 1) // 2)
        return np.clip(multiples, top - (kinds - 1), top) * self.grid.steps


# Tuned on Zipf, item count and histogram profiles, and public: they decide accuracy, not privacy.
_SHARE_OF_THE_NUMBER = Fraction(1, 20)

_STEP = Fraction(6, 5)

_NOISE_FACTOR = 0.6

_BLOCKS = 8

# Of the epsilon for the number. The rest pays for rounding: of 2^61 cells doubles tell 2^53 apart.
_LEFT = 1.0 - 2.0**-9

_FIRST_WEIGHT, _WEIGHT_SLOPE = Fraction(1, 5), Fraction(8, 5)


@dataclass(frozen=True, kw_only=True)
class BestTop(TopChoice):
    """Choose privately how many candidates stand out, pick those, and fill up at random.

    Parameters
    ----------
    epsilon, k, sensitivity, monotone, whole, neighbors
        As in `TopChoice`.

    Sensitivity
        Argued by the caller, per candidate (L-infinity); see `FixedPoint` for the grid.
        Let q_(m) be the m-th largest score, G(m) = q_(m) less a public multiple of the noise that
        picking m would need, and m+ the next larger m. G falls in m, and each G(m) moves by at most
        one step, as order statistics do. The utility of m is
        u(m) = -max(0, -G(m)) - max(0, G(m+)), without the second term at m = k. As
        G(m+) <= G(m), at most one term is not 0, so u too moves by at most one step: if the active
        term changes, G crossed 0 and neither term exceeds one step.
    Privacy
        m is chosen by the exponential mechanism at epsilon / 20, of which 2^-9 pays for what
        utilities are rounded by. If m = k, the rest is one `OneShot`. Otherwise the m ranks form 8
        blocks, each a `OneShot` on the candidates that are left, with a share of epsilon per rank
        that grows from block to block; these shares add up to 19 epsilon / 20 exactly. The k - m
        candidates that fill up are uniformly random among those left, whatever their scores.

    References
    ----------
    The mechanism and the proof above are the project's own.

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> mechanism = BestTop(epsilon=100, k=2, monotone=True)
    >>> mechanism.draw(np.array([1.0, 9.0, 5.0]), SeededNoise(0)).tolist()
    [1, 2]
    """

    guarantee: ClassVar[Guarantee] = Guarantee.proven("BestTop, proof under Privacy")

    @property
    def for_the_number(self) -> Fraction:
        """The epsilon that chooses how many to pick."""
        return exact(self.epsilon) * _SHARE_OF_THE_NUMBER

    @property
    def for_the_picks(self) -> Fraction:
        """The epsilon that picks them."""
        return exact(self.epsilon) - self.for_the_number

    @property
    def numbers(self) -> IntArray:
        """The numbers m that may be picked, falling from k to 1."""
        falling = [self.k]
        while falling[-1] > 1:
            falling.append(int(falling[-1] / _STEP))
        return np.array(falling)

    def log_weights(self, cells: IntArray) -> FloatArray:
        """Unnormalised log-probability of each of `numbers`, from the scores in cells."""
        numbers, size = self.numbers, cells.size
        ranked = -np.partition(-cells, numbers - 1)[numbers - 1].astype(np.float64)
        noise = self.moves * numbers * (np.log(size / numbers) + 1.0) / float(self.for_the_picks)
        above = ranked - _NOISE_FACTOR * noise
        utilities = np.minimum(above, 0.0)
        utilities[1:] -= np.maximum(above[:-1], 0.0)
        return utilities * (_LEFT * float(self.for_the_number) / (2 * self.grid.steps))

    def blocks(self, number: int) -> list[tuple[int, float]]:
        """How many candidates each `OneShot` takes, and its scale in cells."""
        if number == self.k:
            return [(number, exponential_noise.tail_scale(self.moves, self.for_the_picks / number))]
        bounds = [number * block // _BLOCKS for block in range(_BLOCKS + 1)]
        shares = [
            (stop - start, _FIRST_WEIGHT + _WEIGHT_SLOPE * Fraction(start + stop, 2 * number))
            for start, stop in pairwise(bounds)
            if stop > start
        ]
        each = self.for_the_picks / sum(size * weight for size, weight in shares)
        scale = partial(exponential_noise.tail_scale, self.moves)
        return [(size, scale(weight * each)) for size, weight in shares]

    def draw(self, value: FloatArray, noise: NoiseSource) -> IntArray:
        """Draw k positions, ascending, from scores of shape (candidates,)."""
        cells = self.cells(value)
        number = int(self.numbers[noise.choose(self.log_weights(cells))])
        pool = NoisyTop(cells, number)
        picked = [pool.take(size, scale, noise) for size, scale in self.blocks(number)]
        left, more = pool.left(), self.k - number
        if more:
            # The candidates with the smallest of equally distributed numbers are random ones.
            picked.append(left[np.argpartition(noise.uniform(left.size), more - 1)[:more]])
        return np.sort(np.concatenate(picked))


@dataclass(frozen=True, kw_only=True)
class OneShot(TopChoice):
    """Add exponential noise to every score and release the *set* of the k largest.

    Parameters
    ----------
    epsilon, k, sensitivity, monotone, whole, neighbors
        As in `TopChoice`.

    Sensitivity
        Argued by the caller, per candidate (L-infinity); see `FixedPoint` for the grid.
    Privacy
        epsilon-DP. Let M be the largest noisy score of the candidates outside of a set S, with its
        position to break ties. S comes out if all of its scores beat M, so
        P(S) = E_M[product over i in S of P(Z >= M - q_i)], each tail exponential with scale b.
        Raising the scores in S by up to one step multiplies P(S) by something between 1 and
        e^(k/b). Raising the others by up to one step raises M by at most one step and multiplies
        P(S) by something between e^(-k/b) and 1. Monotone scores do both or the opposite of both,
        so b = k steps / epsilon is enough; in general one may rise and the other fall, and b is
        twice that. The argument uses the tail of Z only, as it is really drawn (`tail_scale`).

    References
    ----------
    The proof above is the project's own; for k = 1 the mechanism is permute-and-flip: Z. Ding,
    D. Kifer, S. M. Saghaian N. E., T. Steinke, Y. Wang, Y. Xiao, D. Zhang (2021), The
    permute-and-flip mechanism is identical to report-noisy-max with exponential noise.
    arXiv:2105.07260

    Examples
    --------
    >>> from fractions import Fraction
    >>> OneShot(epsilon=Fraction(1, 2), k=3, monotone=True, whole=True).scale
    6.00000...
    """

    guarantee: ClassVar[Guarantee] = Guarantee.proven("OneShot, proof under Privacy")

    @property
    def scale(self) -> float:
        """Mean of the noise in units of the scores."""
        return self.cell_scale * self.grid.cell

    def draw(self, value: FloatArray, noise: NoiseSource) -> IntArray:
        """Draw k positions, ascending, from scores of shape (candidates,)."""
        return self.draw_many(value, 1, noise)[0]

    def draw_many(self, value: FloatArray, times: int, noise: NoiseSource) -> list[IntArray]:
        """Draw so many sets, each as `draw` does; together they cost so many times the loss."""
        cells, scale = self.grid.of(value), self.cell_scale
        return [NoisyTop(cells, self.k).take(self.k, scale, noise) for _ in range(times)]
