"""Choose a whole sequence of k by its largest regret: the joint exponential mechanism."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms.top_k.choice import TopChoice
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee
from dpcore.privacy.loss import exact


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
        epsilon-DP: the exponential mechanism with rate epsilon / (2 steps), half of it in general.

    Notes
    -----
    Let A_i be the candidates whose regret at place i is at most r; A_1 is part of A_2 and so on, so
    the sequences of regret at most r number the product of (size of A_i less i - 1). Raising r
    past one (place, distinct score) after the other, larger places first, each step adds a product
    in which one factor is replaced by the number of candidates with that score. The logarithms are
    double precision sums: their rounding, below 1e-9, is the residual risk.

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

    @property
    def cell_rate(self) -> float:
        """Factor of the utility in the exponent, per cell."""
        return float(exact(self.epsilon)) / (2 * self.moves)

    def draw(self, value: FloatArray, noise: NoiseSource) -> IntArray:
        """Draw k positions, in the order of the sequence, from scores of shape (candidates,)."""
        cells = self.few_cells(value)
        order = np.argsort(-cells, kind="stable")
        ranked = cells[order]
        starts = np.append(0, np.flatnonzero(np.diff(ranked)) + 1)
        sizes = np.diff(np.append(starts, ranked.size))
        events = _Events.of(ranked, starts, sizes, self.k)
        number = noise.choose(events.log_counts() - self.cell_rate * events.regrets)
        return order[_sequence(events, number, noise)]


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
        others = np.cumsum(logs) - np.log(np.maximum(after, 1))
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
            rank = int(events.starts[number] + numbers[place] * events.sizes[number])
        else:
            rank = int(numbers[place] * (admitted[place] - place))
            for other in taken:
                rank += other <= rank
        insort(taken, rank)
        ranks[place] = rank
    return ranks
