"""One run of a sparse vector variant with everything that is secret in it, for teaching."""

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
class TracedSparseVector(_check.Checked):
    """Run a sparse vector mechanism one query at a time, and tell everything.

    Parameters
    ----------
    mechanism
        What runs. With the same noise source a published variant gives the same answers as
        untraced; `SparseVector` gives answers of the same law, as untraced it draws less noise.
    shuffle
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
    most: _check.Count = 20_000

    guarantee: ClassVar[Guarantee] = Guarantee.broken(
        "a trace shows the exact scores and the noise beside every answer"
    )

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
        runs, grid = self.mechanism, self.mechanism.grid
        cells = grid.of(value)
        order = np.arange(cells.size)
        if self.shuffle:
            order = np.argsort(noise.uniform(cells.size))
        level = threshold_cells(runs.threshold, runs.cutoff, cells, grid) + runs.raised_by
        steps = _walk(runs, cells, order, level, noise)
        queries = tuple(islice(steps, self.most))
        passed = np.array([query.index for query in queries if query.passed], dtype=np.int64)
        complete = next(steps, None) is None
        return SparseVectorTrace(queries, level * grid.cell, passed, complete)


def _budget_left(mechanism: SparseVector | PublishedSparseVector, successes: int) -> Fraction:
    """The claimed epsilon that is left after so many successes."""
    if not mechanism.table.stops:
        return Fraction(0)
    (for_threshold, for_queries), thresholds = mechanism.split, Fraction(1)
    if mechanism.table.refresh:
        thresholds = Fraction(min(successes + 1, mechanism.cutoff), mechanism.cutoff)
    spent = for_threshold * thresholds + for_queries * Fraction(successes, mechanism.cutoff)
    return exact(mechanism.epsilon) - spent


def _query_noise(scale: float, size: int, noise: NoiseSource) -> IntArray:
    """Noise in cells of one pass."""
    return laplace_cells(scale, size, noise) if scale else np.zeros(size, dtype=np.int64)


def _walk(
    mechanism: SparseVector | PublishedSparseVector,
    cells: IntArray,
    order: IntArray,
    level: int,
    noise: NoiseSource,
) -> Iterator[TracedQuery]:
    """Ask one query after the other until the cut-off, or the end."""
    table, cutoff, cell = mechanism.table, mechanism.cutoff, mechanism.grid.cell
    scale, drawn, count = mechanism.query_scale, None, 1
    if isinstance(mechanism, PublishedSparseVector):
        # Query noise first, as the published variants draw it.
        drawn, count = _query_noise(scale, order.size, noise), cutoff
    moves = noise.discrete_laplace(mechanism.threshold_scale, count).tolist()
    left = [_budget_left(mechanism, made) for made in range(cutoff + 1)]
    successes, number, waiting = 0, 0, order
    while waiting.size:
        number += 1
        drawn = _query_noise(scale, waiting.size, noise) if drawn is None else drawn
        failed = []
        for index, move in zip(waiting.tolist(), drawn.tolist(), strict=True):
            threshold_move = moves[successes] if table.refresh else moves[0]
            score = int(cells[index])
            passed = score + move > level + threshold_move
            successes += passed
            yield TracedQuery(
                index=index,
                score=score * cell,
                threshold_noise=threshold_move * cell,
                query_noise=move * cell,
                noisy_score=(score + move) * cell,
                noisy_threshold=(level + threshold_move) * cell,
                passed=passed,
                numeric_answer=(score + move) * cell if table.numeric and passed else None,
                budget_left=left[min(successes, cutoff)],
                round=number,
            )
            if table.stops and successes == cutoff:
                return
            if not passed:
                failed.append(index)
        waiting = np.array(failed if mechanism.retraverse else [], dtype=np.int64)
        drawn = None
