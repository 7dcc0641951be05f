"""What a method of private calibration releases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.evaluation.calibration.groups import Groups
from dpcore.noise.seeded import seed_from


class Sums(NamedTuple):
    """Totals of groups, or the noise on them, arrays of shape (..., groups).

    ``offsets`` is the sum of (score - middle of the group).
    """

    positives: IntArray
    negatives: IntArray
    offsets: FloatArray

    def residual(self, groups: Groups) -> FloatArray:
        """Observed minus expected number of positives."""
        records = self.positives + self.negatives
        return np.asarray(self.positives - groups.middle * records - self.offsets)


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
        return np.asarray(
            np.maximum(self.sums.positives + self.sums.negatives, 1), dtype=np.float64
        )

    @property
    def count_variance(self) -> FloatArray:
        """Variance of the noise on one count: 1 / (2 sinh(1 / (2 scale))^2)."""
        # The law is too narrow to matter long before sinh could overflow.
        return np.asarray(0.5 / np.sinh(np.minimum(0.5 / self.count_scale, 300.0)) ** 2)

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
