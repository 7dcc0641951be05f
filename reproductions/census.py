"""Synthetic stand-ins for the states of the 1940 census, whose extracts nobody may pass on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar

import pandas as pd

from dpcore.data.reading import Sample
from dpcore.schema import Schema

STATES = ("Wyoming", "Nevada", "Oregon", "Washington")
_STATE = "state"
_WHOLE = Sample(
    "census-1940",
    "1940 census, four states",
    "61,200 made-up people of four states, children and all, with thirteen attributes; the label "
    "says whether the yearly wage is above the mean.",
    synthetic=True,
)


@dataclass(frozen=True)
class StateSample:
    """The records of one state, without the column that names it.

    Parameters
    ----------
    state
        One of `STATES`.

    Examples
    --------
    >>> sample = StateSample("Nevada")
    >>> sample.name, len(sample.frame()), len(sample.schema().features)
    ('census-1940, Nevada', 2200, 13)
    """

    state: str
    synthetic: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """For reports."""
        return f"{_WHOLE.name}, {self.state}"

    def frame(self) -> pd.DataFrame:
        """The records; raises `MissingResource` if their file is not there."""
        whole = _records()
        mine = whole[whole[_STATE] == self.state]
        return mine.drop(columns=_STATE).reset_index(drop=True)

    def schema(self) -> Schema:
        """What is public; raises `MissingResource` if its file is not there."""
        whole = _WHOLE.schema()
        return replace(whole, columns=tuple(c for c in whole.columns if c.name != _STATE))


@cache
def _records() -> pd.DataFrame:
    return _WHOLE.frame()
