"""Algorithms 1 to 6 of the sparse vector literature as published, and traced runs of all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.mechanisms.samplers.norm_noise import ROUNDING, ScoredChoice, laplace_cells
from dpcore.mechanisms.threshold.sparse_vector import SparseVector, threshold_cells
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Loss, Neighbors, exact


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


PUBLISHED_SPARSE_VECTORS = {
    1: Variant(guarantee=Guarantee.proven("Lyu, Su and Li 2017, Theorem 3.3")),
    2: Variant(
        guarantee=Guarantee.proven(
            "Dwork and Roth 2014, Theorem 3.25: c runs that each stop at their first success"
        ),
        threshold_counts=True,
        refresh=True,
    ),
    3: Variant(
        guarantee=Guarantee.broken(
            "the noisy score of a success says that the noisy threshold is below it: with n scores "
            "0 against 1 and the last 1 against 0 (threshold 0, c = 1), the density of (fail, ..., "
            "fail, 0) differs by a factor that grows without bound with n; successes alone cost "
            "3/2 epsilon, epsilon if scores are monotone"
        ),
        query_factor=1,
        numeric=True,
    ),
    4: Variant(
        guarantee=Guarantee.proven(
            "Lyu, Su and Li 2017, Theorem 4.7, at its true loss of (1 + 6c)/4 times the published "
            "epsilon, (1 + 3c)/4 if scores are monotone"
        ),
        threshold_share=Fraction(1, 4),
        query_counts=False,
        query_factor=1,
    ),
    5: Variant(
        guarantee=Guarantee.broken(
            "no noise on the scores: scores (1, 2) against (2, 2), threshold 2, noise of scale 1: "
            "the answer (no, yes) has probability .316 against 0"
        ),
        query_counts=False,
        query_factor=0,
        stops=False,
    ),
    6: Variant(
        guarantee=Guarantee.broken(
            "no cut-off: scores at the threshold that fail and scores 1 above it that pass change "
            "places; at epsilon 1 the loss is 17.1 with 20 + 20 scores and 70.7 with 80 + 80 (39 "
            "if monotone), and it grows with their number"
        ),
        query_counts=False,
        query_factor=1,
        stops=False,
    ),
}


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
    Loss(epsilon=Fraction(5, 2), delta=Fraction(0, 1))
    """

    variant: int
    cutoff: int
    threshold: float | None = None

    def __post_init__(self) -> None:
        _check.one_of(PUBLISHED_SPARSE_VECTORS, variant=self.variant)
        super().__post_init__()
        _check.integer_in_range(1, None, cutoff=self.cutoff)

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
    def threshold_scale(self) -> Fraction:
        """Scale of the threshold noise, in cells."""
        counts = self.cutoff if self.table.threshold_counts else 1
        return counts * self._steps / (exact(self.epsilon) * self.table.threshold_share)

    @property
    def query_scale(self) -> float:
        """Scale of the query noise, in cells; zero for none."""
        counts = self.cutoff if self.table.query_counts else 1
        per_step = exact(self.epsilon) * (1 - self.table.threshold_share)
        # One step pays for the rounding of the noise, see `tail_scale`.
        share = per_step / (counts * max(self.table.query_factor, 1)) - ROUNDING
        return float(self._steps / share) if self.table.query_factor else 0.0

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
        order = np.argsort(noise.uniform(times * cells.size).reshape(shape), kind="stable")
        level = threshold_cells(self.threshold, self.cutoff, cells, self.grid)
        noisy = cells[order]
        if self.table.query_factor:
            noisy = noisy + laplace_cells(self.query_scale, noisy.size, noise).reshape(shape)
        moved = noise.discrete_laplace(self.threshold_scale, times * self.cutoff)
        above = self._above(noisy, level + moved.reshape(times, self.cutoff))
        scores = noisy * self.grid.cell if self.table.numeric else None
        return [
            Answers(
                visited[passed], visited[~passed], None if scores is None else scores[at][passed]
            )
            for at, (visited, passed) in enumerate(zip(order, above, strict=True))
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


@dataclass(frozen=True)
class TracedQuery:
    """One comparison; all numbers but `budget_left` are in units of the scores.

    Parameters
    ----------
    index : int
        Position of the candidate among the scores.
    score : float
        The exact score.
    threshold_noise, query_noise : float
    noisy_score, noisy_threshold : float
        What is compared: it passes if the first is larger.
    passed : bool
        The answer.
    numeric_answer : float or None
        The noisy score, if the variant answers a success by it.
    budget_left : Fraction
        Of the epsilon that the variant says it runs at, after this answer. Threshold noise is paid
        for when it is drawn, and each success takes a c-th of the rest. Variants without a cut-off
        claim to have paid for all answers at the start.
    round : int
        From 1: the pass through the candidates (retraversal makes several).
    """

    index: int
    score: float
    threshold_noise: float
    query_noise: float
    noisy_score: float
    noisy_threshold: float
    passed: bool
    numeric_answer: float | None
    budget_left: Fraction
    round: int


@dataclass(frozen=True)
class SparseVectorTrace:
    """A run, query by query.

    Parameters
    ----------
    queries : tuple of TracedQuery
        In the order in which they were asked.
    threshold : float
        Before noise; a boost of the threshold is in it.
    selected : int array
        The positions that passed, in the order of their success.
    complete : bool
        False if the run was broken off at the most queries that a trace keeps.
    """

    queries: tuple[TracedQuery, ...]
    threshold: float
    selected: IntArray
    complete: bool


@dataclass(frozen=True, kw_only=True)
class TracedSparseVector:
    """Run a sparse vector mechanism one query at a time, and tell everything.

    Parameters
    ----------
    mechanism : SparseVector or PublishedSparseVector
        What runs. With the same noise source a published variant gives the same answers as
        untraced; `SparseVector` gives answers of the same law, as untraced it draws less noise.
    shuffle : bool, default True
        Whether the candidates come in random order, or as they are.
    most : int, default 20000
        The run is broken off after so many queries.

    Privacy
        None: a trace shows exact scores. It is refused with real noise.

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> run = TracedSparseVector(
    ...     mechanism=SparseVector(epsilon=100, k=1, threshold=4, monotone=True), shuffle=False
    ... )
    >>> trace = run.draw(np.array([1.0, 9.0, 5.0]), SeededNoise(0))
    >>> [(query.index, query.passed) for query in trace.queries]
    [(0, False), (1, True)]
    """

    mechanism: SparseVector | PublishedSparseVector
    shuffle: bool = True
    most: int = 20_000

    guarantee: ClassVar[Guarantee] = Guarantee.broken(
        "a trace shows the exact scores and the noise beside every answer"
    )

    def __post_init__(self) -> None:
        _check.integer_in_range(1, None, most=self.most)

    @property
    def loss(self) -> Loss:
        """What the mechanism would cost without the trace."""
        return self.mechanism.loss

    @property
    def neighbors(self) -> Neighbors:
        """The relation of the mechanism."""
        return self.mechanism.neighbors

    def draw(self, value: FloatArray, noise: NoiseSource) -> SparseVectorTrace:
        """Run on scores of shape (candidates,)."""
        rules, cells = _Rules.of(self.mechanism), self.mechanism.grid.of(value)
        order = np.arange(cells.size)
        if self.shuffle:
            order = np.argsort(noise.uniform(cells.size), kind="stable")
        level = threshold_cells(self.mechanism.threshold, rules.cutoff, cells, self.mechanism.grid)
        level += rules.raised_by
        steps = _walk(rules, cells, order, level, noise)
        queries = tuple(islice(steps, self.most))
        passed = np.array([query.index for query in queries if query.passed], dtype=np.int64)
        complete = next(steps, None) is None
        return SparseVectorTrace(queries, level * rules.cell, passed, complete)


@dataclass(frozen=True, kw_only=True)
class _Rules:
    """What the variants differ in."""

    epsilon: Fraction
    for_threshold: Fraction
    threshold_scale: Fraction
    query_scale: float
    cutoff: int
    cell: float
    raised_by: int = 0
    # Query noise first, as the published variants draw it.
    query_first: bool = True
    refresh: bool = False
    numeric: bool = False
    stops: bool = True
    retraverse: bool = False

    @classmethod
    def of(cls, mechanism: SparseVector | PublishedSparseVector) -> _Rules:
        epsilon, cell = exact(mechanism.epsilon), mechanism.grid.cell
        if isinstance(mechanism, SparseVector):
            return cls(
                epsilon=epsilon,
                for_threshold=mechanism.split[0],
                threshold_scale=mechanism.threshold_scale,
                query_scale=mechanism.query_scale,
                cutoff=mechanism.k,
                cell=cell,
                raised_by=mechanism.raised_by,
                query_first=False,
                retraverse=mechanism.retraverse,
            )
        table = mechanism.table
        return cls(
            epsilon=epsilon,
            for_threshold=epsilon * table.threshold_share,
            threshold_scale=mechanism.threshold_scale,
            query_scale=mechanism.query_scale,
            cutoff=mechanism.cutoff,
            cell=cell,
            refresh=table.refresh,
            numeric=table.numeric,
            stops=table.stops,
        )

    def left(self, successes: int) -> Fraction:
        """The claimed epsilon that is left after so many successes."""
        if not self.stops:
            return Fraction(0)
        thresholds = Fraction(1)
        if self.refresh:
            thresholds = Fraction(min(successes + 1, self.cutoff), self.cutoff)
        for_queries = (self.epsilon - self.for_threshold) * Fraction(successes, self.cutoff)
        return self.epsilon - self.for_threshold * thresholds - for_queries

    def query_noise(self, size: int, noise: NoiseSource) -> IntArray:
        """Noise in cells of one pass."""
        if not self.query_scale:
            return np.zeros(size, dtype=np.int64)
        return laplace_cells(self.query_scale, size, noise)


def _walk(
    rules: _Rules, cells: IntArray, order: IntArray, level: int, noise: NoiseSource
) -> Iterator[TracedQuery]:
    """Ask one query after the other until the cut-off, or the end."""
    drawn = rules.query_noise(order.size, noise) if rules.query_first else None
    count = rules.cutoff if rules.query_first else 1
    moves = noise.discrete_laplace(rules.threshold_scale, count).tolist()
    left = [rules.left(made) for made in range(rules.cutoff + 1)]
    successes, number, waiting = 0, 0, order
    while waiting.size:
        number += 1
        drawn = rules.query_noise(waiting.size, noise) if drawn is None else drawn
        failed = []
        for index, move in zip(waiting.tolist(), drawn.tolist(), strict=True):
            threshold_move = moves[successes] if rules.refresh else moves[0]
            score = int(cells[index])
            passed = score + move > level + threshold_move
            successes += passed
            yield TracedQuery(
                index=index,
                score=score * rules.cell,
                threshold_noise=threshold_move * rules.cell,
                query_noise=move * rules.cell,
                noisy_score=(score + move) * rules.cell,
                noisy_threshold=(level + threshold_move) * rules.cell,
                passed=passed,
                numeric_answer=(score + move) * rules.cell if rules.numeric and passed else None,
                budget_left=left[min(successes, rules.cutoff)],
                round=number,
            )
            if rules.stops and successes == rules.cutoff:
                return
            if not passed:
                failed.append(index)
        waiting = np.array(failed if rules.retraverse else [], dtype=np.int64)
        drawn = None
