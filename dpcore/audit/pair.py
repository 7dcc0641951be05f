"""Two neighbouring data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpcore.privacy import Neighbors

__all__ = ["Pair"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Pair:
    """Two synthetic data sets that differ in one record.

    Parameters
    ----------
    here, there : object
        In the form that the attacked method takes: counts, scores, a score histogram, records.
    words : str
        What differs, for a reader.
    neighbors : Neighbors, default add-remove
        The relation in which they are neighbours.

    Examples
    --------
    >>> Pair(here=[3], there=[4], words="one record more").neighbors.value
    'add-remove'
    """

    here: Any
    there: Any
    words: str
    neighbors: Neighbors = Neighbors.ADD_REMOVE
