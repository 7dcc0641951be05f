"""A private evaluation by group with its gaps, its account and its JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd

from dpcore.evaluation.estimates import Estimate, EstimateRelease, Interval, read_estimate
from dpcore.postprocess.monotone import leaves_everything


class Gap(NamedTuple):
    """The largest difference of a rate between two groups.

    Parameters
    ----------
    value : float
    interval, population_interval : (float, float)
        Where the largest difference lies, of these records and of those they are from.
    lowest, highest : str
        The groups that it is between, by the estimates.
    """

    value: float
    interval: Interval
    population_interval: Interval
    lowest: str
    highest: str


@dataclass(frozen=True)
class Group:
    """What was released of one group.

    Parameters
    ----------
    name : str
    size : float
        Noisy number of records.
    rates : mapping of str to Estimate
        ``base_rate``, ``auc``, ``mean_score``, and at a threshold ``tpr``, ``fpr``, ``ppv``.
    """

    name: str
    size: float
    rates: Mapping[str, Estimate]

    @property
    def says_nothing(self) -> bool:
        """Whether the noise leaves any AUC possible: too few records for this epsilon."""
        return leaves_everything(*self.rates["auc"].interval)


@dataclass(frozen=True, kw_only=True)
class GroupRelease(EstimateRelease):
    """A released evaluation by group: nothing in it is private.

    Parameters
    ----------
    groups : tuple of Group
        In the order of the levels, what is missing or undeclared last.
    threshold : float or None
    confidence : float
        That all intervals of one rate hold in all groups at once, at least.
    charges, simulated, neighbors
        See `EstimateRelease`; there is one charge, of the whole.
    """

    KIND: ClassVar[str] = "evaluation by group"
    READ: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "tuple[Group, ...]": lambda entries: tuple(_group(entry) for entry in entries)
    }

    groups: tuple[Group, ...]
    threshold: float | None

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row a group: size, and each rate with lower and upper end for these records."""
        rows = []
        for group in self.groups:
            row: dict[str, Any] = {"group": group.name, "size": group.size}
            for name, rate in group.rates.items():
                low, high = rate.interval
                row |= {name: rate.value, f"{name}_lower": low, f"{name}_upper": high}
            rows.append(row | {"says_nothing": group.says_nothing})
        return pd.DataFrame(rows)

    @cached_property
    def gaps(self) -> dict[str, Gap]:
        """For each rate the largest difference between groups; none with fewer than two groups.

        Groups of which nothing is known widen the interval, and are not named as its ends.
        """
        found = {}
        for name in self.groups[0].rates:
            known = [one for one in self.groups if not one.says_nothing]
            if len(known) > 1:
                found[name] = _gap(name, known)
        return found


def _gap(name: str, groups: Sequence[Group]) -> Gap:
    """The widest difference, and the least and the most that the intervals leave for it."""
    rates = [one.rates[name] for one in groups]
    values = np.array([rate.value for rate in rates])
    here = _gap_interval([rate.interval for rate in rates])
    there = _gap_interval([rate.population_interval for rate in rates])
    if np.isnan(values).all():
        return Gap(float("nan"), here, there, "", "")
    lowest, highest = int(np.nanargmin(values)), int(np.nanargmax(values))
    value = float(values[highest] - values[lowest])
    return Gap(value, here, there, groups[lowest].name, groups[highest].name)


def _gap_interval(intervals: Sequence[Interval]) -> Interval:
    lows, highs = np.array(intervals).T
    return max(float(lows.max() - highs.min()), 0.0), float(highs.max() - lows.min())


def _group(entry: Mapping[str, Any]) -> Group:
    rates = {name: read_estimate(told) for name, told in entry["rates"].items()}
    return Group(entry["name"], entry["size"], rates)
