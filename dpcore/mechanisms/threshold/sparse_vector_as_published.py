"""Algorithms 1 to 6 of the sparse vector literature, as they were published."""

import tomllib
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.mechanisms.samplers.exponential_noise import ScoredChoice, laplace_cells, tail_scale
from dpcore.mechanisms.threshold.sparse_vector import SparseVector, Variant, threshold_cells
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Loss, Number, exact


def _variant(
    proven: str = "", broken: str = "", threshold_share: str = "1/2", **column: Any
) -> Variant:
    guarantee = Guarantee.proven(proven) if proven else Guarantee.broken(broken)
    return Variant(guarantee=guarantee, threshold_share=Fraction(threshold_share), **column)


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

PUBLISHED_SPARSE_VECTORS = {int(number): _variant(**column) for number, column in _TABLE.items()}


# Noise for so many scores is drawn at once, whatever the number of answers.
_AT_ONCE = 1_000_000


@dataclass(frozen=True)
class Answers:
    """Which positions passed, in order of answer, and the noisy scores of a numeric variant.

    `others` are those that did not pass or were not visited, in the random order of the visits.
    """

    passed: IntArray
    others: IntArray
    scores: FloatArray | None = None


@dataclass(frozen=True, kw_only=True)
class PublishedSparseVector(ScoredChoice):
    """One of the six published variants, without change.

    Parameters
    ----------
    variant : int
        A key of `PUBLISHED_SPARSE_VECTORS`.
    epsilon : int, float, str or Fraction
        The epsilon of the publication; see `loss` for the true one.
    cutoff : int
        The c of the publications.
    threshold : float, optional
        Public; the middle of the c-th and the next largest score if left out, which is private.
    sensitivity, monotone, whole, neighbors
        As in `ScoredChoice`.

    Sensitivity
        Argued by the caller, per candidate (L-infinity). Scores less a threshold that is private
        too move by two sensitivities unless monotone, and the noise is scaled to that.
    Privacy
        As the variant's guarantee says. Variant 4 declares its true loss; the others what was
        claimed.

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Figure 2. doi:10.14778/3055330.3055331

    Examples
    --------
    >>> PublishedSparseVector(variant=4, epsilon=1, cutoff=3, monotone=True).loss
    Loss('5/2')
    """

    variant: Annotated[int, partial(_check.one_of, PUBLISHED_SPARSE_VECTORS)]
    cutoff: _check.Count
    threshold: float | None = None

    raised_by: ClassVar[int] = 0
    retraverse: ClassVar[bool] = False

    @property
    def table(self) -> Variant:
        """The column of the table."""
        return PUBLISHED_SPARSE_VECTORS[self.variant]

    @property
    def guarantee(self) -> Guarantee:
        """The verdict on the variant."""
        return self.table.guarantee

    @property
    def loss(self) -> Loss:
        """What the variant costs, or claims to cost."""
        return Loss(exact(self.epsilon) * self.true_factor)

    @property
    def true_factor(self) -> Fraction:
        """The loss in units of the published epsilon."""
        if self.variant != 4:
            return Fraction(1)
        return Fraction(1 + (3 if self.monotone else 6) * self.cutoff, 4)

    @property
    def split(self) -> tuple[Fraction, Fraction]:
        """The published epsilon of the threshold and that of the comparisons."""
        first = exact(self.epsilon) * self.table.threshold_share
        return first, exact(self.epsilon) - first

    @property
    def threshold_scale(self) -> Fraction:
        """Scale of the threshold noise, in cells."""
        counts = self.cutoff if self.table.threshold_counts else 1
        return counts * self._steps / self.split[0]

    @property
    def query_scale(self) -> float:
        """Scale of the query noise, in cells; zero for none."""
        if not self.table.query_factor:
            return 0.0
        counts = self.cutoff if self.table.query_counts else 1
        return tail_scale(self._steps, self.split[1] / (counts * self.table.query_factor))

    @property
    def _steps(self) -> int:
        both_move = self.threshold is None and not self.monotone
        return self.grid.steps * (2 if both_move else 1)

    def draw(self, value: FloatArray, noise: NoiseSource) -> Answers:
        """Answer scores of shape (candidates,) in random order."""
        return self.draw_many(value, 1, noise)[0]

    def draw_many(self, value: FloatArray, times: int, noise: NoiseSource) -> list[Answers]:
        """Draw so many answers, each as `draw` does; together they cost so many times the loss.

        Scores are put on their grid once, and the noise of many answers is drawn at once.
        """
        cells, drawn = self.grid.of(value), list[Answers]()
        most = max(_AT_ONCE // max(cells.size, 1), 1)
        while len(drawn) < times:
            drawn += self._drawn(cells, min(most, times - len(drawn)), noise)
        return drawn

    def _drawn(self, cells: IntArray, times: int, noise: NoiseSource) -> list[Answers]:
        shape = (times, cells.size)
        order = np.argsort(noise.uniform(times * cells.size).reshape(shape))
        level = threshold_cells(self.threshold, self.cutoff, cells, self.grid)
        noisy = cells[order]
        if self.table.query_factor:
            noisy = noisy + laplace_cells(self.query_scale, noisy.size, noise).reshape(shape)
        moved = noise.discrete_laplace(self.threshold_scale, times * self.cutoff)
        above = self._above(noisy, level + moved.reshape(times, self.cutoff))
        scores = noisy * self.grid.cell if self.table.numeric else None
        return [
            Answers(seen[passed], seen[~passed], None if scores is None else scores[at][passed])
            for at, (seen, passed) in enumerate(zip(order, above, strict=True))
        ]

    def _above(self, noisy: IntArray, levels: IntArray) -> BoolArray:
        """Which noisy scores, in this order, lie above the noisy level before the cut-off.

        Scores of shape (times, candidates), levels of shape (times, cutoff).
        """
        if not self.table.refresh:
            above = noisy > levels[:, :1]
            return above & (np.cumsum(above, axis=1) <= self.cutoff) if self.table.stops else above
        above = np.zeros(noisy.shape, dtype=np.bool_)
        for row, refreshed in enumerate(levels.tolist()):
            start = 0
            for level in refreshed:
                ahead = noisy[row, start:] > level
                if not ahead.any():
                    break
                start += int(np.argmax(ahead)) + 1
                above[row, start - 1] = True
        return above


_VISITS = ("ratio", "boost", "retraverse")


def sparse_vector_algorithm(
    number: int, *, epsilon: Number, cutoff: int, **facts: Any
) -> SparseVector | PublishedSparseVector:
    """One of the algorithms 1 to 7, as Lyu, Su and Li number them.

    Ratio, boost and retraversal are those of Algorithm 7 alone. The threshold, and what is public
    about the scores, is told to each alike.
    """
    if number == 7:
        return SparseVector(epsilon=epsilon, k=cutoff, **facts)
    known = {name: value for name, value in facts.items() if name not in _VISITS}
    return PublishedSparseVector(variant=number, epsilon=epsilon, cutoff=cutoff, **known)
