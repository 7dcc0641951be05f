"""Groups of scores, and what a method of private calibration measures of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.roc.curve import coarse_cuts, spread_out, uniform_cuts
from dpcore.mechanisms import RecursiveQuantiles
from dpcore.mechanisms.counts.additive import geometric_variance
from dpcore.mechanisms.counts.joint_counts import Totals
from dpcore.noise.seeded import seed_from
from dpcore.privacy import Loss
from dpcore.release import Gate

# A score's distance from the middle of its group, in half-widths of the group, is counted in steps
# of 2^-20: sums of millions of records are then exact integers.
UNIT = 2**20

# Where private edges may lie: about 0.04 apart in logit, and quick to choose from.
_CANDIDATES = 2**10


@dataclass(frozen=True, eq=False)
class Groups:
    """Consecutive intervals of scores that cover [0, 1]; public.

    Parameters
    ----------
    edges : float array, shape (groups + 1,)
        Ascending, from 0 to 1.
    cuts : int array, shape (groups + 1,)
        Indices of those edges among the edges of a score histogram.

    Examples
    --------
    >>> Groups(np.array([0.0, 0.5, 1.0]), np.array([0, 7, 9])).middle.tolist()
    [0.25, 0.75]
    """

    edges: FloatArray
    cuts: IntArray

    @classmethod
    def at(cls, grid: FloatArray, inner: IntArray) -> Groups:
        """Groups that a histogram's grid has between the given inner edges, ascending indices."""
        cuts = np.concatenate([[0], inner, [grid.size - 1]]).astype(np.int64)
        return cls(grid[cuts], cuts)

    @property
    def size(self) -> int:
        """Number of groups."""
        return self.edges.size - 1

    @property
    def middle(self) -> FloatArray:
        """Middle of each group, shape (groups,)."""
        return np.asarray((self.edges[1:] + self.edges[:-1]) / 2.0, dtype=np.float64)

    @property
    def half_width(self) -> FloatArray:
        """Half the width of each group, shape (groups,); positive."""
        return np.asarray((self.edges[1:] - self.edges[:-1]) / 2.0, dtype=np.float64)


def fixed_groups(grid: FloatArray, count: int) -> Groups:
    """Groups of equal width, as nearly as a grid has them; fewer if it is coarse."""
    return Groups.at(grid, uniform_cuts(grid, count))


def quantile_groups(scores: ScoreHistogram, count: int, *, loss: Loss, gate: Gate) -> Groups:
    """Groups of nearly equal size, with edges at private quantiles of all scores.

    Privacy
        `loss`, one charge ("group edges"), see `RecursiveQuantiles`. The edges depend on scores
        only, never on classes: given the scores, the edges of a calibrated model's groups are
        independent of its errors.
    """
    coarse = coarse_cuts(scores.edges, _CANDIDATES)
    levels = tuple((np.arange(1, count) / count).tolist())
    positions = spread_out(scores.edges[coarse])
    mechanism = RecursiveQuantiles(levels=levels, positions=positions, **gate.terms(loss))
    below = (scores.positives_below + scores.negatives_below)[coarse]
    chosen = gate.release(mechanism, below, label="group edges")
    return Groups.at(scores.edges, coarse[chosen])


def group_totals(scores: ScoreHistogram, groups: Groups) -> Totals:
    """Exact totals of each group (private), with the scores' offsets from the group's middle.

    Returns
    -------
    Totals
        ``offsets`` sums (score - middle) / half_width over the records, in steps of 1/UNIT.

    Sensitivity
        A record is in one group; it changes one count by one and the sum of offsets by at most
        UNIT, because a score lies within half a width of the middle of its group.
    """
    widths = np.diff(groups.cuts)
    middle, half_width = np.repeat(groups.middle, widths), np.repeat(groups.half_width, widths)
    offset = np.rint((scores.centers - middle) / half_width * UNIT).astype(np.int64)
    # Rounding of the edges could carry an offset past the bound by a last digit.
    np.clip(offset, -UNIT, UNIT, out=offset)
    starts = groups.cuts[:-1]
    return Totals(
        np.add.reduceat(scores.positives, starts),
        np.add.reduceat(scores.negatives, starts),
        np.add.reduceat((scores.positives + scores.negatives) * offset, starts),
    )


class Sums(NamedTuple):
    """Totals of groups, or the noise on them, arrays of shape (..., groups).

    ``offsets`` is the sum of (score - middle of the group).
    """

    positives: IntArray
    negatives: IntArray
    offsets: FloatArray

    @property
    def records(self) -> IntArray:
        """Both classes."""
        return self.positives + self.negatives

    def residual(self, groups: Groups) -> FloatArray:
        """Observed minus expected number of positives."""
        return np.asarray(self.positives - groups.middle * self.records - self.offsets)


@dataclass(frozen=True, eq=False)
class Measurement:
    """Noisy totals per group and the law of their noise; public, with shapes (groups,).

    Parameters
    ----------
    sums
        Noisy totals; counts may be negative.
    expected : float array, shape (2, groups)
        Noisy sums of the scores and of one minus the scores, as the method reports them.
    count_scale
        Scale of the discrete Laplace noise on either count.
    offset_scales : float array, shape (terms, groups)
        The noise on the offsets is a sum of independent Laplace variables of these scales.
    """

    groups: Groups
    sums: Sums
    expected: FloatArray
    count_scale: FloatArray
    offset_scales: FloatArray

    @property
    def size(self) -> FloatArray:
        """Noisy number of records, at least one so that it can divide."""
        return np.maximum(self.sums.records, 1).astype(np.float64)

    @property
    def count_variance(self) -> FloatArray:
        """Variance of the noise on one count."""
        return geometric_variance(self.count_scale)

    @property
    def offset_variance(self) -> FloatArray:
        """Variance of the noise on the sum of offsets."""
        return np.asarray(2.0 * (self.offset_scales**2).sum(axis=0))

    @property
    def residual(self) -> FloatArray:
        """Noisy number of positives above the sum of the scores."""
        return self.sums.residual(self.groups)

    @property
    def residual_variance(self) -> FloatArray:
        """Variance of the noise on `residual`."""
        middle = self.groups.middle
        weight = (1.0 - middle) ** 2 + middle**2
        return weight * self.count_variance + self.offset_variance

    @property
    def seed(self) -> int:
        """A seed that is a function of what was released."""
        return seed_from(self.groups.edges, *self.sums)
