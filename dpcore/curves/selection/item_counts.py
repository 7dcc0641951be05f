"""Item counts to select from: an example, Zipf's law, and tables of counts."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.data.reading import read_dataset
from dpcore.errors import IntakeError

__all__ = ["ItemCounts", "example", "read_item_counts", "zipf"]

_COUNT_NAMES = ("count", "counts", "frequency", "support", "n")


@dataclass(frozen=True, eq=False)
class ItemCounts:
    """How often each of some items occurs.

    Parameters
    ----------
    title : str
    counts : float array, shape (items,)
        Whole numbers, in falling order.
    """

    title: str
    counts: FloatArray

    @property
    def digest(self) -> str:
        """SHA-256 of the counts, which names them to a cache."""
        return hashlib.sha256(self.counts.tobytes()).hexdigest()

    def largest(self, items: int) -> FloatArray:
        """The counts of the so many most frequent items."""
        return self.counts[:items]


def zipf(items: int = 10_000, occurrences: int = 1_000_000) -> ItemCounts:
    """Counts proportional to 1, 1/2, 1/3, and so on.

    Parameters
    ----------
    items, occurrences : int
        Positive.

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Table 1. doi:10.14778/3055330.3055331

    Examples
    --------
    >>> zipf(4, 1000).counts.tolist()
    [480.0, 240.0, 160.0, 120.0]
    """
    _check.integer_in_range(1, None, items=items, occurrences=occurrences)
    shares = 1.0 / np.arange(1, items + 1)
    counts = np.rint(occurrences * shares / shares.sum())
    return ItemCounts(f"Zipf's law, {items:,} items", counts)


def example() -> ItemCounts:
    """Twenty items, few enough to watch each of them being asked about.

    Examples
    --------
    >>> example().counts[:4].tolist()
    [600.0, 424.0, 346.0, 300.0]
    """
    return ItemCounts("Twenty items", np.rint(600.0 / np.sqrt(np.arange(1, 21))))


def read_item_counts(content: bytes, name: str) -> ItemCounts:
    r"""Read a table of counts, one item a row.

    Parameters
    ----------
    content : bytes
        CSV, TSV or Parquet, perhaps compressed.
    name : str
        Of the file.

    Raises
    ------
    IntakeError
        If there is no column of counts: one called count (counts, frequency, support, n), or else
        the last; or if it holds anything but numbers of zero and more.

    Examples
    --------
    >>> read_item_counts(b"item,count\ntea,3\nmilk,9\n", "basket.csv").counts.tolist()
    [9.0, 3.0]
    """
    frame = read_dataset(content, name=name).frame
    named = [column for column in frame.columns if str(column).strip().lower() in _COUNT_NAMES]
    column = named[0] if named else frame.columns[-1]
    counts = pd.to_numeric(frame[column], errors="coerce").to_numpy(dtype=np.float64)
    usable = np.isfinite(counts) & (counts >= 0.0)
    if counts.size < 2 or not usable.all():
        row = None if usable.all() else int(np.argmin(usable)) + 1
        raise IntakeError(
            "there are no two items with counts" if row is None else "this is no count",
            row=row,
            column=str(column),
            remedy="give a table with a row for each item and a column called count",
        )
    return ItemCounts(name, np.sort(np.floor(counts))[::-1].copy())
