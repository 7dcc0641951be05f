"""The exact privacy loss of small selections, and how draws fit exact laws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.selection.exact.laws import Law, loss_between

Tail = Callable[[NDArray[np.int64]], NDArray[np.float64]]


def neighbors_of(scores: Sequence[float], *, monotone: bool) -> Iterable[NDArray[Any]]:
    """Scores that a neighbour can have, in whole steps.

    Monotone scores all rise, as counts under add-remove (where they fall, the two change places);
    others rise or fall one by one.
    """
    here = np.array(scores)
    for change in product((0, 1) if monotone else (-1, 0, 1), repeat=here.size):
        yield here + np.array(change)


def worst_loss(
    law: Callable[[NDArray[Any]], Law], scores: Iterable[Sequence[float]], monotone: bool
) -> float:
    """The largest absolute log-ratio over all outcomes and all neighbours of the scores."""
    worst = 0.0
    for base in scores:
        here = law(np.array(base))
        for there in neighbors_of(base, monotone=monotone):
            worst = max(worst, loss_between(here, law(there)))
    return worst


def exponential_tail(scale: float) -> Tail:
    """P(Z >= t) of exponential noise in whole cells."""
    return lambda t: np.exp(-np.maximum(t, 0) / scale)


def laplace_tail(scale: float) -> Tail:
    """P(Z >= t) of `laplace_cells`."""

    def tail(t: NDArray[np.int64]) -> NDArray[np.float64]:
        half = 0.5 * np.exp(-np.where(t >= 0, t, -t) / scale)
        return np.where(t >= 0, half, 1.0 - half)

    return tail


def top_set_law(cells: NDArray[np.int64], k: int, tail: Tail, reach: int, below: int = 1) -> Law:
    """Exact law of the set of the k largest of cells + noise; ties go to the lower position.

    The noise lies between minus `below` and `reach`.
    """
    values = np.arange(cells.min() - below, cells.max() + reach)
    at_least = {i: tail(values - cells[i]) for i in range(cells.size)}
    above = {i: tail(values + 1 - cells[i]) for i in range(cells.size)}
    law = {}
    for chosen in combinations(range(cells.size), k):
        rest = [i for i in range(cells.size) if i not in chosen]
        if not rest:
            return {chosen: 1.0}
        total = 0.0
        for best in rest:
            terms = at_least[best] - above[best]
            for i in rest:
                if i != best:
                    terms = terms * (1.0 - (at_least if i < best else above)[i])
            for i in chosen:
                terms = terms * (at_least if i < best else above)[i]
            total += float(terms.sum())
        law[chosen] = total
    return law


def fits(draws: list[Hashable], law: Law) -> bool:
    """Whether every outcome comes as often as the law says, within six standard errors."""
    seen, n = Counter(draws), len(draws)
    assert abs(sum(law.values()) - 1.0) < 1e-6
    return set(seen) <= set(law) and all(
        abs(seen[outcome] / n - p) <= 6 * np.sqrt(p * (1 - p) / n) + 1e-9
        for outcome, p in law.items()
    )


def sparse_vector_law(
    gaps: NDArray[np.int64], cutoff: int, threshold_scale: float, tail: Tail, reach: int
) -> Law:
    """Exact law of the answers of one pass over scores less threshold: passed if above the noise.

    An answer is a tuple of booleans; after `cutoff` times True there are no more.
    """
    moved = np.arange(-reach, reach + 1)
    weights = np.exp(-np.abs(moved) / threshold_scale)
    weights /= weights.sum()
    law = {}
    for answers in product((False, True), repeat=gaps.size):
        stop = next((i + 1 for i in range(gaps.size) if sum(answers[: i + 1]) == cutoff), None)
        if stop is not None and any(answers[stop:]):
            continue
        given = answers[:stop]
        terms = weights.copy()
        for gap, passed in zip(gaps, given, strict=False):
            above = tail(moved - gap + 1)
            terms = terms * (above if passed else 1.0 - above)
        law[given] = float(terms.sum())
    return law
