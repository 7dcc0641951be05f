"""One run of a sparse vector variant with everything that is secret in it, for teaching."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms.samplers.exponential_noise import laplace_cells
from dpcore.mechanisms.threshold.sparse_vector import SparseVector, threshold_cells
from dpcore.mechanisms.threshold.sparse_vector_as_published import PublishedSparseVector
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Loss, Neighbors, exact


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
