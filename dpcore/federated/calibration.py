"""The Hosmer-Lemeshow test over a federation, aware of its noise."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import chdtrc

from dpcore import _check
from dpcore._notebook import html
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.exported import Exported
from dpcore.federated.ecdf import FederatedEcdf
from dpcore.federated.key_server import shared_intervals
from dpcore.postprocess.monotone import isotonic
from dpcore.privacy import Charge, Neighbors

_LEAST_VARIANCE = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FederatedCalibration(Exported):
    """A released calibration table, lowest scores first; arrays of shape (groups,).

    Parameters
    ----------
    upper : float array
        Highest score of each group.
    n, observed, expected : float arrays
        Noisy numbers of records, of positives, and expected numbers of positives.
    statistic : float
        Observed minus expected, squared, in units of its variance under calibration with the noise.
    p_value : float
        From chi-square with one degree of freedom for each group.
    charges : tuple of Charge
    simulated : bool
    neighbors : Neighbors
    """

    KIND: ClassVar[str] = "federated calibration"

    upper: FloatArray
    n: FloatArray
    observed: FloatArray
    expected: FloatArray
    statistic: float
    p_value: float
    charges: tuple[Charge, ...]
    simulated: bool
    neighbors: Neighbors

    def _repr_html_(self) -> str:
        return html(self)


def federated_calibration(ecdf: FederatedEcdf, *, groups: int = 10) -> FederatedCalibration:
    """Compare observed and expected positives in groups of scores (Section 5.2).

    Parameters
    ----------
    ecdf : FederatedEcdf
        Of scores in [0, 1], in a federation with two classes, of which class 1 is positive.
    groups : int, default 10
        Chosen as quantiles of the noisy distribution of all scores; fewer if these coincide.

    Raises
    ------
    InvalidArgument
        If the federation does not have two classes, or the grid fewer points than groups.

    Notes
    -----
    Everything is linear in the noisy counts up to the grid points, so observed minus expected has a
    known covariance: that of the noise, from the intervals that two counts share, plus
    n p (1 - p) of the records. A score counts as the middle of its cell, which is off by at most
    half a cell's width; the grid should be fine enough for that not to matter.

    Privacy
        Post-processing of the federation's counts.

    References
    ----------
    D. W. Hosmer, S. Lemeshow (1980), Goodness of fit tests for the multiple logistic regression
    model, Communications in Statistics A9. doi:10.1080/03610928008827941
    """
    plan = ecdf.aggregator.plan
    if plan.classes != 2:
        raise InvalidArgument("classes", plan.classes, "two")
    _check.integer_in_range(2, ecdf.grid.size, groups=groups)
    points = np.arange(ecdf.grid.size)
    counts = ecdf.counts(points).astype(np.float64)
    middles = (np.concatenate([[0.0], ecdf.grid[:-1]]) + ecdf.grid) / 2.0
    totals = isotonic(counts.sum(axis=0), low=0.0)
    ends = _ends(totals, groups)
    in_cells = np.diff(counts, prepend=0.0)
    # Which cells belong to which group, shape (groups, cells), ones and zeros.
    member = (np.searchsorted(ends, points) == np.arange(ends.size)[:, np.newaxis]).astype(float)
    expected = member @ (middles * in_cells.sum(axis=0))
    observed = member @ in_cells[1]
    in_totals = np.diff(totals, prepend=0.0)
    own = np.maximum(member @ (middles * (1.0 - middles) * in_totals), _LEAST_VARIANCE)
    one_noise = plan.noise_variance * ecdf.aggregator.full_noises
    noise = one_noise * _noise_covariance(member, middles, shared_intervals(points, plan.depth))
    rest = observed - expected
    statistic = float(rest @ np.linalg.solve(np.diag(own) + noise, rest))
    return FederatedCalibration(
        upper=ecdf.grid[ends],
        n=np.diff(counts.sum(axis=0)[ends], prepend=0.0),
        observed=observed,
        expected=expected,
        statistic=statistic,
        p_value=float(chdtrc(ends.size, statistic)),
        **ecdf.account,
    )


def _ends(totals: FloatArray, groups: int) -> IntArray:
    """Last cell of each group of about equal numbers of records; the last one ends the grid."""
    inner = np.searchsorted(totals, totals[-1] * np.arange(1, groups) / groups)
    return np.unique(np.append(inner, totals.size - 1)).astype(np.int64)


def _noise_covariance(member: FloatArray, middles: FloatArray, shared: FloatArray) -> FloatArray:
    """Covariance of observed minus expected, for noise of unit variance on each interval."""
    total = np.zeros((member.shape[0], member.shape[0]))
    for weights in (1.0 - middles, -middles):
        by_cell = member * weights
        # A cell's number is the count up to it minus the count up to its left neighbour.
        by_count = by_cell - np.pad(by_cell[:, 1:], ((0, 0), (0, 1)))
        total += by_count @ shared @ by_count.T
    return total
