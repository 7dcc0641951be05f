"""A private evaluation by group with its gaps, its account and its JSON."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd

from dpcore._typing import BoolArray, FloatArray, Interval
from dpcore.evaluation.estimates import Estimate, EstimateRelease
from dpcore.postprocess.monotone import leaves_everything


class Gap(NamedTuple):
    """The largest difference of a rate between two groups.

    Parameters
    ----------
    interval, population_interval : (float, float)
        Where the largest difference lies, of these records and of those they are from.
    lowest, highest
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
    size
        Noisy number of records.
    rates
        ``base_rate``, ``auc``, ``mean_score``, and at a threshold ``tpr``, ``fpr``, ``ppv``.
    """

    name: str
    size: float
    rates: Mapping[str, Estimate]

    @property
    def says_nothing(self) -> bool:
        """Whether the noise leaves any AUC possible: too few records for this epsilon."""
        return leaves_everything(*self.rates["auc"].interval)

    def leaves_open(self, rate: str) -> bool:
        """Whether nothing is said of a rate, or of the group at all."""
        return self.says_nothing or leaves_everything(*self.rates[rate].interval)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
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

        Groups of which nothing is known are left out.

        Notes
        -----
        The errors of two groups are independent, so the arms of their intervals combine to that of
        the difference as errors do, by the root of the sum of squares. Only an arm that ends at 0
        or 1 may be shorter than the error: it is added whole. Where there are more pairs of groups
        than groups, arms are longer by the ratio that quantiles of Laplace noise have at the two
        levels, which fall off more slowly than those of sampling. What a curve leaves open between
        its cuts, where an area was read off one, is no noise; but it is so much more than curves
        err by that such gaps hold more often than they say, see ``tests/evaluation/decisions``.

        References
        ----------
        G. Y. Zou, A. Donner (2008), Construction of confidence limits about effect measures: a
        general approach, Statistics in Medicine 27(10). doi:10.1002/sim.3095
        """
        known = [one for one in self.groups if not one.says_nothing]
        if len(known) < 2:
            return {}
        miss, several = 1.0 - self.confidence, len(self.groups)
        pairs = max(len(known) * (len(known) - 1) // 2, several)
        longer = math.log(pairs / miss) / math.log(several / miss)
        return {name: _gap(name, known, longer) for name in self.groups[0].rates}


def _gap(name: str, groups: Sequence[Group], longer: float) -> Gap:
    """The widest difference, and the least and the most that the intervals leave for it."""
    rates = [one.rates[name] for one in groups]
    values = np.array([rate.value for rate in rates])
    here = _gap_interval(values, [rate.interval for rate in rates], longer)
    there = _gap_interval(values, [rate.population_interval for rate in rates], longer)
    if np.isnan(values).all():
        return Gap(float("nan"), here, there, "", "")
    lowest, highest = int(np.nanargmin(values)), int(np.nanargmax(values))
    value = float(values[highest] - values[lowest])
    return Gap(value, here, there, groups[lowest].name, groups[highest].name)


def _gap_interval(values: FloatArray, intervals: Sequence[Interval], longer: float) -> Interval:
    """Where the largest of all differences lies; see `GroupRelease.gaps`."""
    lows, highs = np.array(intervals).T
    middles = np.clip(np.where(np.isnan(values), (lows + highs) / 2.0, values), lows, highs)
    ends = _Arm(middles - lows, lows <= 0.0), _Arm(highs - middles, highs >= 1.0)
    down, up = (_of_difference(one, other, longer) for one, other in (ends, ends[::-1]))
    differences = middles[:, np.newaxis] - middles
    least, most = (differences - down).max(), (differences + up).max()
    return max(float(least), 0.0), min(float(most), 1.0)


class _Arm(NamedTuple):
    """How far intervals reach to one side, and whether a limit of what is possible cut them."""

    length: FloatArray
    is_cut: BoolArray


def _of_difference(of_first: _Arm, of_second: _Arm, longer: float) -> FloatArray:
    """The arm of each difference of two groups, shape (groups, groups)."""
    first, second = of_first.length[:, np.newaxis], of_second.length
    either = of_first.is_cut[:, np.newaxis] | of_second.is_cut
    arms = np.asarray(longer * np.where(either, first + second, np.hypot(first, second)))
    # From itself no group differs.
    np.fill_diagonal(arms, 0.0)
    return arms
