"""Two neighbouring data sets, and what differs between them as the rows of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.audit.target import numbers
from dpcore.data.counting import ScoreHistogram
from dpcore.mechanisms.smooth import Grouped
from dpcore.models.training import Training
from dpcore.privacy import Neighbors


@dataclass(frozen=True, kw_only=True, eq=False)
class Pair:
    """Two synthetic data sets that differ in one record.

    Parameters
    ----------
    d, d_prime : object
        In the form that the attacked method takes: counts, scores, a score histogram, records.
    words : str
        What differs, for a reader.
    neighbors : Neighbors, default add-remove
        The relation in which they are neighbours.

    Examples
    --------
    >>> Pair(d=[3], d_prime=[4], words="one record more").neighbors.value
    'add-remove'
    """

    d: Any
    d_prime: Any
    words: str
    neighbors: Neighbors = Neighbors.ADD_REMOVE


_MOST_NUMBERS = 6


@dataclass(frozen=True)
class PairRow:
    """One thing that can be counted or read in both data sets.

    Parameters
    ----------
    label
        For example ``"cell 4"`` or ``"record (1, 0), class 1"``.
    here, there
        What either data set has.
    """

    label: str
    here: str
    there: str

    @property
    def differs(self) -> bool:
        """Whether the two data sets differ here."""
        return self.here != self.there


def pair_rows(pair: Pair) -> tuple[PairRow, ...]:
    """What both data sets hold: records are counted, numbers stand side by side.

    Examples
    --------
    >>> one_more = Pair(d=np.array([3, 0]), d_prime=np.array([4, 0]), words="one record more")
    >>> [(row.label, row.here, row.there) for row in pair_rows(one_more)]
    [('number 1', '3', '4'), ('number 2', '0', '0')]
    """
    here, there = (_records(side) for side in (pair.d, pair.d_prime))
    if here is not None and there is not None:
        return tuple(
            PairRow(label, str(here[label]), str(there[label])) for label in {**here, **there}
        )
    ours, theirs = numbers(pair.d), numbers(pair.d_prime)
    return tuple(_side_by_side(ours, theirs)) if ours.size == theirs.size else ()


def _records(data: Any) -> Counter[str] | None:
    """How often each record comes; None for data that are no records."""
    if isinstance(data, ScoreHistogram):
        return Counter(dict(_scores(data)))
    if isinstance(data, tuple) and all(isinstance(one, ScoreHistogram) for one in data):
        return Counter(
            {
                f"{place}: {label}": count
                for place, one in enumerate(data, start=1)
                for label, count in _scores(one)
            }
        )
    if isinstance(data, Training):
        rows = np.hstack([data.rows.numeric, data.rows.indicators.toarray()])
        return _classified(rows, data.classes)
    if isinstance(data, Grouped):
        return _classified(data.columns, data.groups)
    if isinstance(data, tuple) and len(data) == 2 and getattr(data[0], "ndim", 0) == 2:
        return _classified(data[0], data[1])
    return None


def _scores(histogram: ScoreHistogram) -> Iterator[tuple[str, int]]:
    for name, counts in (("positive", histogram.positives), ("negative", histogram.negatives)):
        for cell in np.flatnonzero(counts).tolist():
            yield f"{name}, score {histogram.centers[cell]:.2f}", int(counts[cell])


def _classified(rows: FloatArray, classes: IntArray) -> Counter[str]:
    described = zip(map(_described, rows.tolist()), classes.tolist(), strict=True)
    return Counter(
        f"{label}, class {one:g}" if classes.any() else label for label, one in described
    )


def _described(row: list[float]) -> str:
    """All numbers of a record, or the runs of equal ones if they are many."""
    if len(row) <= _MOST_NUMBERS:
        return f"record ({', '.join(f'{value:g}' for value in row)})"
    runs = (f"{len(list(run))} x {value:g}" for value, run in groupby(row))
    return f"record ({', '.join(runs)})"


def _side_by_side(here: Any, there: Any) -> Iterator[PairRow]:
    """A row for each number, or for a run of places that are alike on both sides."""
    place = 1
    for (ours, theirs), run in groupby(zip(here.tolist(), there.tolist(), strict=True)):
        length = len(list(run))
        many = length > 2
        for start in [place] if many else range(place, place + length):
            label = f"numbers {start} to {place + length - 1}" if many else f"number {start}"
            yield PairRow(label, f"{ours:g}", f"{theirs:g}")
        place += length
