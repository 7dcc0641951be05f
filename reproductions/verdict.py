"""What is made of measured rows: the paper's trends, seen or not, and the gap to a sound method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_LEAST_AREA = 1e-4


@dataclass(frozen=True)
class Claim:
    """One claim of the paper, held against our numbers.

    Parameters
    ----------
    claim : str
        In words, as the paper has it.
    seen : bool
        Computed from the rows.
    figure : str
        The numbers that decided.
    reason : str, optional
        A clause on why it is not seen, for the case that it is not.
    readings : tuple of (str, bool), optional
        Where a word of the paper had to become a number of ours: neighbouring numbers, and whether
        the trend is seen with them, so that a reader knows whether the verdict hangs on the choice.

    Examples
    --------
    >>> Claim("a < b.", False, "3 against 2", "the data differ").finding
    '3 against 2. Likely reason: the data differ.'
    >>> Claim("a < b.", True, "1 against 2", "the data differ").finding
    '1 against 2'
    >>> Claim("a << b.", True, "1 against 2", readings=(("a third of it", False),)).finding
    '1 against 2. In another reading: not seen with a third of it.'
    """

    claim: str
    seen: bool
    figure: str
    reason: str = ""
    readings: tuple[tuple[str, bool], ...] = ()

    @property
    def word(self) -> str:
        """For tables."""
        return _word(self.seen)

    @property
    def finding(self) -> str:
        """The figure, the reason where the trend is not seen, and what other readings say."""
        more = []
        if self.reason and not self.seen:
            more.append(f"Likely reason: {self.reason}.")
        if self.readings:
            others = ", ".join(f"{_word(seen)} with {reading}" for reading, seen in self.readings)
            kind = "another reading" if len(self.readings) == 1 else "other readings"
            more.append(f"In {kind}: {others}.")
        return ". ".join([self.figure, " ".join(more)]) if more else self.figure


def _word(seen: bool) -> str:
    return "seen" if seen else "not seen"


@dataclass(frozen=True)
class Verdict:
    """The paper's trends, and in one sentence what the sound method adds.

    Parameters
    ----------
    trends : tuple of Claim
    gap : str
        The sound method beside the published ones, with the figure.
    """

    trends: tuple[Claim, ...]
    gap: str

    @property
    def verdict(self) -> str:
        """How many trends were seen.

        Examples
        --------
        >>> Verdict((Claim("a", True, ""), Claim("b", False, "")), "").verdict
        '1 of 2 trends seen'
        """
        count = sum(trend.seen for trend in self.trends)
        return f"{count} of {len(self.trends)} trends seen"


def agree(pairs: Sequence[tuple[float, float]], slack: float = 0.0) -> tuple[int, int]:
    """In how many pairs the first number is at least the second, up to some slack.

    Examples
    --------
    >>> agree([(0.9, 0.8), (0.7, 0.8)])
    (1, 2)
    """
    return sum(first >= second - slack for first, second in pairs), len(pairs)


def area_ratio(first: float, second: float) -> float:
    """How many times larger one area is; less than a ten-thousandth counts as that.

    Examples
    --------
    >>> area_ratio(0.02, 0.01), area_ratio(0.0, 0.0)
    (2.0, 1.0)
    """
    return max(first, _LEAST_AREA) / max(second, _LEAST_AREA)


def geometric_mean(values: Sequence[float]) -> float:
    """Geometric mean of positive numbers.

    Examples
    --------
    >>> round(geometric_mean([1.0, 4.0]), 6)
    2.0
    """
    return float(np.exp(np.mean(np.log(values))))
