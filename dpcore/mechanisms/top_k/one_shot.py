"""Choose several candidates at once by noisy score; best spends on those that stay recognisable."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms.samplers.exponential_noise import tail_scale
from dpcore.mechanisms.top_k import NoisyTop, TopChoice
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, exact

# Tuned on Zipf, item count and histogram profiles, and public: they decide accuracy, not privacy.
_SHARE_OF_THE_NUMBER = Fraction(1, 20)

_STEP = Fraction(6, 5)

_NOISE_FACTOR = 0.6

_BLOCKS = 8

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
        m is chosen by the exponential mechanism at epsilon / 20. If m = k, the rest is one
        `OneShot`. Otherwise the m ranks form 8 blocks, each a `OneShot` on the candidates that are
        left, with a share of epsilon per rank that grows from block to block; these shares add up
        to 19 epsilon / 20 exactly. The k - m candidates that fill up are uniformly random among
        those left, whatever their scores.

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
        return utilities * (float(self.for_the_number) / (2 * self.grid.steps))

    def blocks(self, number: int) -> list[tuple[int, float]]:
        """How many candidates each `OneShot` takes, and its scale in cells."""
        if number == self.k:
            return [(number, tail_scale(self.moves, self.for_the_picks / number))]
        bounds = [number * block // _BLOCKS for block in range(_BLOCKS + 1)]
        shares = [
            (stop - start, _FIRST_WEIGHT + _WEIGHT_SLOPE * Fraction(start + stop, 2 * number))
            for start, stop in pairwise(bounds)
            if stop > start
        ]
        total = sum(size * weight for size, weight in shares)
        return [
            (size, tail_scale(self.moves, self.for_the_picks * weight / total))
            for size, weight in shares
        ]

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
