"""A private evaluation by group with its gaps, its account and its JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dpcore.errors import DataError
from dpcore.evaluation.decisions.confusion import Estimate
from dpcore.postprocess.monotone import leaves_everything
from dpcore.privacy import Charge, Neighbors, charges_as_json, charges_from_json

__all__ = ["Gap", "Group", "GroupRelease"]


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
    interval: tuple[float, float]
    population_interval: tuple[float, float]
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
class GroupRelease:
    """A released evaluation by group: nothing in it is private.

    Parameters
    ----------
    groups : tuple of Group
        In the order of the levels, what is missing or undeclared last.
    threshold : float or None
    confidence : float
        That all intervals of one rate hold in all groups at once, at least.
    charges : tuple of Charge
        One, of the whole.
    simulated : bool
        True if the noise can be repeated: such figures must never be called private.
    neighbors : Neighbors
    """

    groups: tuple[Group, ...]
    threshold: float | None
    confidence: float
    charges: tuple[Charge, ...]
    simulated: bool
    neighbors: Neighbors

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

    def to_json(self) -> str:
        """The release as JSON text; what nothing says is null."""
        groups = [
            {
                "name": group.name,
                "size": group.size,
                "rates": {
                    name: [None if np.isnan(rate.value) else rate.value, *rate[1:]]
                    for name, rate in group.rates.items()
                },
            }
            for group in self.groups
        ]
        return json.dumps(
            {
                "groups": groups,
                "threshold": self.threshold,
                "confidence": self.confidence,
                "simulated": self.simulated,
                "neighbors": self.neighbors.value,
                "charges": charges_as_json(self.charges),
            },
            allow_nan=False,
            sort_keys=True,
        )

    @classmethod
    def from_json(cls, text: str) -> GroupRelease:
        """Read what `to_json` wrote.

        Raises
        ------
        DataError
            If the text is something else.
        """
        try:
            document = json.loads(text)
            return cls(
                groups=tuple(_group(entry) for entry in document["groups"]),
                threshold=document["threshold"],
                confidence=document["confidence"],
                simulated=document["simulated"],
                neighbors=Neighbors.of(document["neighbors"]),
                charges=charges_from_json(document["charges"]),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(
                "this is not an exported evaluation by group",
                remedy="pass the text of GroupRelease.to_json()",
            ) from error


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


def _gap_interval(intervals: Sequence[tuple[float, float]]) -> tuple[float, float]:
    lows, highs = np.array(intervals).T
    return max(float(lows.max() - highs.min()), 0.0), float(highs.max() - lows.min())


def _group(entry: Mapping[str, Any]) -> Group:
    rates = {}
    for name, (value, (low, high), (least, most)) in entry["rates"].items():
        known = float("nan") if value is None else value
        rates[name] = Estimate(known, (low, high), (least, most))
    return Group(entry["name"], entry["size"], rates)
