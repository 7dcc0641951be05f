"""Outputs on two data sets side by side, as a picture needs them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.audit.events import Event
from dpcore.audit.statistics import most_different
from dpcore.audit.target import ABSENT

_MOST_OUTCOMES, _MOST_NUMBERS, _BINS = 12, 6, 48
# So many outputs are enough to see that there are few different ones.
_FIRST = 1000


@dataclass(frozen=True, eq=False)
class OutputView:
    """How often each outcome came, or each range of one number.

    Parameters
    ----------
    words
        What the outcomes or the numbers are.
    labels
        The outcomes; empty for ranges.
    edges : float array, shape (bars + 1,)
        Ends of the ranges; empty for outcomes.
    here, there : float arrays, shape (bars,)
        Shares of the outputs on either data set.
    event : bool array, shape (bars,)
        Where the event of the attack happens, in most cases at least.
    """

    words: str
    labels: tuple[str, ...]
    edges: FloatArray
    here: FloatArray
    there: FloatArray
    event: BoolArray


def output_view(
    here: FloatArray, there: FloatArray, event: Event | None = None, columns: tuple[str, ...] = ()
) -> OutputView:
    """Count outputs: each different one if they are few, else one number in ranges.

    That number is the statistic of the event, or the number that differs most.

    Parameters
    ----------
    here, there : float arrays, shape (runs, numbers)
        At least one run each.
    columns
        Names of the numbers; one that ends in a question mark is answered by 0, no, or 1, yes.

    Examples
    --------
    >>> view = output_view(np.array([[1.0], [2.0]]), np.array([[2.0], [2.0]]))
    >>> view.labels, view.here.tolist(), view.there.tolist()
    (('1', '2'), [0.5, 0.5], [0.0, 1.0])
    """
    both = np.vstack([here, there])
    happens = np.zeros(len(both), dtype=np.bool_) if event is None else event.happens(both)
    first = np.vstack([here[:_FIRST], there[:_FIRST]])
    if len(np.unique(first, axis=0)) <= _MOST_OUTCOMES:
        outcomes, places = np.unique(both, axis=0, return_inverse=True)
        if len(outcomes) <= 2 * _MOST_OUTCOMES:
            labels, words = _labels(outcomes, columns)
            return _counted(words, labels, np.zeros(0), places.ravel(), len(here), happens)
    numbers, words = _one_number(here, there, both, event, columns)
    edges = _edges(numbers)
    places = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, edges.size - 2)
    return _counted(words, (), edges, places, len(here), happens)


def _one_number(
    here: FloatArray,
    there: FloatArray,
    both: FloatArray,
    event: Event | None,
    columns: tuple[str, ...],
) -> tuple[FloatArray, str]:
    differing = most_different(here, there, 1)
    column = int(differing[0]) if differing.size else 0
    if event is not None and both.shape[1] > 1:
        return event.statistic.score(both), event.statistic.words
    name = columns[column] if column < len(columns) else f"number {column + 1} of the output"
    return both[:, column], "the output" if both.shape[1] == 1 else name


def _edges(numbers: FloatArray) -> FloatArray:
    """Ranges of equal width between far quantiles; of width one around a few whole numbers."""
    low, high = np.quantile(numbers, [0.003, 0.997]).tolist()
    if (numbers == np.rint(numbers)).all() and 0 < high - low <= _BINS:
        return np.arange(low - 0.5, high + 1.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, _BINS + 1)


def _counted(
    words: str,
    labels: tuple[str, ...],
    edges: FloatArray,
    places: IntArray,
    ours: int,
    happens: BoolArray,
) -> OutputView:
    bars = len(labels) or edges.size - 1
    counts = [np.bincount(side, minlength=bars) for side in (places[:ours], places[ours:])]
    hits = np.bincount(places[happens], minlength=bars)
    return OutputView(
        words=words,
        labels=labels,
        edges=edges,
        here=counts[0] / max(ours, 1),
        there=counts[1] / max(len(places) - ours, 1),
        event=hits > (counts[0] + counts[1]) / 2,
    )


def _labels(outcomes: FloatArray, columns: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Each outcome by its numbers, those that are always the same left out."""
    varying = np.flatnonzero((outcomes != outcomes[:1]).any(axis=0))
    if not varying.size:
        varying = np.arange(min(outcomes.shape[1], _MOST_NUMBERS))
    if varying.size > _MOST_NUMBERS:
        return tuple(f"outcome {place + 1}" for place in range(len(outcomes))), "the output"
    places = varying.tolist()
    names = [columns[at] if at < len(columns) else f"number {at + 1}" for at in places]
    words = "the output" if outcomes.shape[1] == 1 else f"the output: {', '.join(names)}"
    labels = (", ".join(map(_short, row, names)) for row in outcomes[:, places].tolist())
    return tuple(labels), words


def _short(value: float, name: str) -> str:
    if value == ABSENT:
        return "none"
    return ("yes" if value else "no") if name.endswith("?") else f"{value:.4g}"
