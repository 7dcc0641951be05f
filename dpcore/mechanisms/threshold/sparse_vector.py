"""The sparse vector technique: compare noisy scores with one noisy threshold, until enough pass."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Annotated, ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms.samplers.exponential_noise import (
    LARGEST_CELL,
    FixedPoint,
    ScoredChoice,
    laplace_cells,
    tail_scale,
    thinned_cells,
)
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, exact

RATIOS = ("1:1", "1:3", "1:c", "1:c^(2/3)")

# A threshold far above every score would be traversed for ever: there are about so many comparisons
# at most, and so many rounds where there are many candidates.
_COMPARISONS, _ROUNDS = 2**22, 100

_AT_ONCE = 4096


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One column of the table of the variants.

    Parameters
    ----------
    threshold_share
        The part of epsilon that is called e1; the rest is e2.
    threshold_counts, query_counts
        Whether the noise of the threshold, and of a query, grows with the cut-off c.
    query_factor
        Query noise in units of sensitivity / e2 (times c if it grows with c); 0 is no noise.
    refresh
        Whether the threshold noise is drawn again after every success.
    numeric
        Whether a success is answered by the noisy score.
    stops
        Whether it stops after c successes.
    """

    guarantee: Guarantee
    threshold_share: Fraction = Fraction(1, 2)
    threshold_counts: bool = False
    query_counts: bool = True
    query_factor: int = 2
    refresh: bool = False
    numeric: bool = False
    stops: bool = True


@dataclass(frozen=True, kw_only=True)
class SparseVector(ScoredChoice):
    """Release which of the candidates, visited in random order, pass a noisy threshold.

    Parameters
    ----------
    k : int
        The cut-off c: after so many passes nothing more is answered.
    threshold : float, optional
        Public; the middle of the k-th and the next largest score if left out, which is private.
    ratio : str, default "1:c^(2/3)"
        Budget of the threshold to that of the comparisons, one of `RATIOS`. The last is the split
        of least variance; the c in it counts twice if scores are not monotone.
    boost : float, default 0
        By how many standard deviations of the query noise the threshold is raised.
    retraverse : bool, default False
        Whether those that did not pass are visited again until k did.
    fill : bool, default True
        Whether fewer than k are filled up with the first others in the random order.
    epsilon, sensitivity, monotone, whole, neighbors
        As in `ScoredChoice`.

    Sensitivity
        Argued by the caller, per candidate (L-infinity); see `FixedPoint` for the grid.
    Privacy
        epsilon-DP, epsilon = e1 + e2. On the neighbour, raise the noisy threshold by so much that
        no candidate that failed would pass: by one step (Laplace noise of scale steps / e1 pays
        e1). Each that passed then needs query noise larger by one step, and by one more if its
        score fell: two steps, of scale 2 k steps / e2, paid at most k times. If all scores rise,
        those that passed need one step at most; if all fall, the threshold can stay where it is and
        they need one step: scale k steps / e2 is enough for monotone scores. Visiting again is one
        longer stream of the same kind. The random order and filling up read no data.

        A threshold in the middle of two order statistics moves by at most one step, and in the
        direction of monotone scores. If scores rise and it rises by t, the threshold noise has to
        make up for 1 - t only; if scores fall it falls by t, and noise larger by t puts it back:
        nothing more is paid. In general it may move against the scores, and e1 buys two steps.

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Algorithm 7, Theorems 4.7 and 4.9, and Section 5. doi:10.14778/3055330.3055331

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> mechanism = SparseVector(epsilon=100, k=2, threshold=4, monotone=True)
    >>> sorted(mechanism.draw(np.array([1.0, 9.0, 5.0]), SeededNoise(0)).tolist())
    [1, 2]
    """

    k: _check.Count
    threshold: float | None = None
    ratio: Annotated[str, partial(_check.one_of, RATIOS)] = "1:c^(2/3)"
    boost: _check.NonNegative = 0.0
    retraverse: bool = False
    fill: bool = True

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Lyu, Su and Li 2017, Theorems 4.7 and 4.9")
    variant: ClassVar[int] = 7
    table: ClassVar[Variant] = Variant(guarantee=guarantee)

    @property
    def cutoff(self) -> int:
        """The number of passes after which it stops, as published variants call it."""
        return self.k

    @property
    def split(self) -> tuple[Fraction, Fraction]:
        """The epsilon of the threshold and that of the comparisons."""
        moves = self.k if self.monotone else 2 * self.k
        optimum = Fraction(round(moves ** (2 / 3), 6))
        weights: tuple[int | Fraction, ...] = 1, 3, self.k, optimum
        first = exact(self.epsilon) / (1 + weights[RATIOS.index(self.ratio)])
        return first, exact(self.epsilon) - first

    @property
    def threshold_scale(self) -> Fraction:
        """Scale of the threshold noise, in cells."""
        steps = 1 if self.monotone or self.threshold is not None else 2
        return steps * self.grid.steps / self.split[0]

    @property
    def query_scale(self) -> float:
        """Scale of the noise of each comparison, in cells."""
        return tail_scale(self.moves, self.split[1] / self.k)

    @property
    def raised_by(self) -> int:
        """By how many cells the threshold is raised, a public number."""
        return round(self.boost * 2**0.5 * self.query_scale)

    def rounds(self, candidates: int) -> int:
        """How often so many candidates are visited at most, a public number."""
        if not self.retraverse:
            return 1
        return max(_COMPARISONS // max(candidates, 1), _ROUNDS)

    def draw(self, value: FloatArray, noise: NoiseSource) -> IntArray:
        """Draw the positions that passed, then those filled up, from scores (candidates,)."""
        cells = self.grid.of(value)
        order = np.argsort(noise.uniform(cells.size))
        level = threshold_cells(self.threshold, self.k, cells, self.grid) + self.raised_by
        level += int(noise.discrete_laplace(self.threshold_scale, 1)[0])
        passed = self._passed(cells, order, level, noise)
        return fill_up(passed, order, self.k) if self.fill else passed

    def _passed(self, cells: IntArray, order: IntArray, level: int, noise: NoiseSource) -> IntArray:
        """Visit the candidates in order, once or until enough passed the noisy level."""
        scale, passed, waiting = self.query_scale, np.zeros(0, dtype=np.int64), order
        left = self.rounds(order.size)
        while left and passed.size < self.k and waiting.size:
            visits, times = _above(cells[waiting], left, level, scale, noise)
            above = waiting[visits % waiting.size]
            if times > 1:
                # Of several rounds only the first success of each counts.
                above = above[np.sort(np.unique(above, return_index=True)[1])]
            passed = np.append(passed, above[: self.k - passed.size])
            waiting = _others(passed, order)
            left -= times
        return passed


def _above(
    cells: IntArray, most: int, level: int, scale: float, noise: NoiseSource
) -> tuple[IntArray, int]:
    """Visits that pass a level with Laplace noise, ascending, and of how many rounds; `most` or 1.

    Candidates far below are thinned, over all rounds at once: so many rounds are looked at that few
    of their visits are left.
    """
    # The farther away they begin, the fewer of many rounds are left.
    size, is_far = cells.size, cells < level - (3.0 if most == 1 else 6.0) * scale
    near, far = np.flatnonzero(~is_far), np.flatnonzero(is_far)
    gap = float(level - cells[far].max()) if far.size else 0.0
    work = near.size + int(far.size * np.exp(-gap / scale))
    times = min(max(_AT_ONCE // max(work, 1), 1), most)
    noisy = np.tile(cells[near], times) + laplace_cells(scale, times * near.size, noise)
    rounds, places = np.divmod(np.flatnonzero(noisy > level), max(near.size, 1))
    visits = rounds * size + near[places]
    if not far.size:
        return visits, times
    reached, drawn = thinned_cells(scale, gap, times * far.size, noise)
    rounds, places = np.divmod(reached, far.size)
    # Laplace noise is exponential noise with a fair sign, and only upwards does it pass.
    up = (noise.uniform(drawn.size) < 0.5) & (cells[far[places]] + drawn > level)
    return np.sort(np.append(visits, (rounds * size + far[places])[up])), times


def threshold_cells(threshold: float | None, k: int, cells: IntArray, grid: FixedPoint) -> int:
    """A public threshold on the grid, or the middle of the k-th and the next largest score."""
    if threshold is not None:
        return int(np.clip(np.floor(threshold / grid.cell), -LARGEST_CELL, LARGEST_CELL))
    if k >= cells.size:
        return int(cells.min()) - 1
    ranked = np.partition(cells, (cells.size - k - 1, cells.size - k))
    return (int(ranked[cells.size - k - 1]) + int(ranked[cells.size - k])) // 2


def fill_up(passed: IntArray, order: IntArray, k: int) -> IntArray:
    """Append the first others of a random order until there are k, or all."""
    return np.append(passed, _others(passed, order)[: k - passed.size])


def _others(passed: IntArray, order: IntArray) -> IntArray:
    waits = np.ones(order.size, dtype=np.bool_)
    waits[passed] = False
    return order[waits[order]]
