"""Bins at quantiles of one class, and noisy counts of two classes in them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.counts.recursive_quantiles import choose_quantiles, rank_errors, require_grid
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Loss, Neighbors
from dpcore.privacy.loss import exact


class BinnedClasses(NamedTuple):
    """What `QuantileBins` releases.

    ``cuts`` are indices of grid edges, shape (bins - 1,); ``guide`` and ``other`` the noisy counts
    of the class that placed the cuts and of the other one, shape (bins,), lowest bins first.
    """

    cuts: IntArray
    guide: IntArray
    other: IntArray


@dataclass(frozen=True, kw_only=True, eq=False)
class QuantileBins:
    """Cut a grid at quantiles of one class, the guide, and count both classes between the cuts.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of everything that is released; positive.
    levels : tuple of float
        Ascending shares of the guide's records at which to cut, in (0, 1).
    positions : float array, shape (edges,)
        Public coordinates of the grid edges, strictly increasing.
    cut_share : Fraction, default 3/10
        Share of epsilon that places the cuts.
    neighbors : Neighbors, default add-remove

    Sensitivity
        A record belongs to one class and one bin. If it is in the guide it takes part in the cuts
        (`RecursiveQuantiles`) and in one count of the guide; otherwise in one count of the other
        class, and the cuts never read it.
    Privacy
        epsilon-DP. Add-remove, e = epsilon: a record of the guide costs 0.3 e by the cuts and 0.7 e
        by its count (noise of scale 1/(0.7 e)), one of the other class e by its count (scale 1/e).
        Replace is the removal of one record and the addition of another, whatever their classes:
        everything runs at e = epsilon / 2. One mechanism rather than three, because a ledger that
        counts in the replace relation could only add the three up.

    References
    ----------
    F. McSherry (2009), Privacy Integrated Queries, SIGMOD, Theorems 3 and 4.
    doi:10.1145/1559845.1559850

    Examples
    --------
    >>> bins = QuantileBins(epsilon=1, levels=(0.5,), positions=np.arange(4.0))
    >>> str(bins.guide_scale), str(bins.other_scale)
    ('10/7', '1')
    """

    epsilon: int | float | str | Fraction
    levels: tuple[float, ...]
    positions: FloatArray
    cut_share: Fraction = Fraction(3, 10)
    neighbors: Neighbors = Neighbors.ADD_REMOVE

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "Kaplan et al. 2022; McSherry 2009, Theorems 3 and 4"
    )

    def __post_init__(self) -> None:
        _check.positive(epsilon=exact(self.epsilon), cut_share=self.cut_share)
        if self.cut_share >= 1:
            raise InvalidArgument("cut_share", self.cut_share, "below one")
        require_grid(self.levels, self.positions)

    @property
    def loss(self) -> Loss:
        """The privacy loss of everything that is released."""
        return Loss(self.epsilon)

    @property
    def step(self) -> Fraction:
        """Epsilon of one added or removed record."""
        return exact(self.epsilon) / self.neighbors.pick(add_remove=1, replace=2)

    @property
    def cut_errors(self) -> FloatArray:
        """By how many of the guide's records each cut may typically miss its level."""
        return rank_errors(self.levels, float(self.cut_share * self.step))

    @property
    def guide_scale(self) -> Fraction:
        """Scale of the noise on the guide's counts."""
        return 1 / ((1 - self.cut_share) * self.step)

    @property
    def other_scale(self) -> Fraction:
        """Scale of the noise on the other class's counts."""
        return 1 / self.step

    def draw(self, value: tuple[IntArray, IntArray], noise: NoiseSource) -> BinnedClasses:
        """Release cuts and counts.

        Parameters
        ----------
        value : pair of int arrays, shape (edges,) each
            Numbers of records of the guide and of the other class below each edge.
        noise : NoiseSource
        """
        guide, other = value
        cuts = choose_quantiles(
            guide, self.levels, self.positions, float(self.cut_share * self.step), noise
        )
        marks = np.concatenate([[0], cuts, [self.positions.size - 1]])
        return BinnedClasses(
            cuts,
            np.diff(guide[marks]) + noise.discrete_laplace(self.guide_scale, marks.size - 1),
            np.diff(other[marks]) + noise.discrete_laplace(self.other_scale, marks.size - 1),
        )
