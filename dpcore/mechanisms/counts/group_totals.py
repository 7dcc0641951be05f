"""Counts of two classes, and the sum of a bounded quantity, in each of several disjoint groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

import numpy as np

from dpcore import _check
from dpcore._typing import IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PureMechanism
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee


class Totals(NamedTuple):
    """Totals of each group, int arrays of shape (groups,): exact and private, or noisy and public.

    ``positives`` and ``negatives`` count records; ``offsets`` sums one integer per record, which is
    at most the mechanism's ``unit`` in size.
    """

    positives: IntArray
    negatives: IntArray
    offsets: IntArray


@dataclass(frozen=True, kw_only=True)
class GroupTotals(PureMechanism):
    """Release both counts and the sum of every group, with an epsilon that each group splits alone.

    Parameters
    ----------
    epsilon
        Privacy loss of everything that is released; positive.
    shares
        For each group, the share of epsilon that its sum gets, in (0, 1); its counts get the rest.
    unit
        The largest absolute value of a record's summand; at least 1.
    neighbors : Neighbors, default add-remove

    Sensitivity
        A record is in one group, adds one to one of its two counts, and adds at most `unit` to its
        sum.
    Privacy
        epsilon-DP. Add-remove, e = epsilon: a record of group g costs (1 - shares[g]) e by the
        counts (noise of scale 1/((1 - shares[g]) e)) and shares[g] e by the sum (scale
        unit/(shares[g] e)), which is e whatever the group. Replace is the removal of one record and
        the addition of another, whatever their groups: everything runs at e = epsilon / 2. One
        mechanism rather than one per group, because a ledger that counts in the replace relation
        could only add the groups up.

    Notes
    -----
    Everything is an integer, sums included, so the noise is discrete Laplace throughout and no
    rounding has to be accounted for.

    References
    ----------
    F. McSherry (2009), Privacy Integrated Queries, SIGMOD, Theorems 3 and 4.
    doi:10.1145/1559845.1559850

    Examples
    --------
    >>> totals = GroupTotals(epsilon=1, shares=(Fraction(1, 5), Fraction(1, 2)), unit=100)
    >>> [str(scale) for scale in totals.count_scales], [str(scale) for scale in totals.sum_scales]
    (['5/4', '2'], ['500', '200'])
    """

    shares: tuple[Fraction, ...]
    unit: _check.Count

    guarantee: ClassVar[Guarantee] = Guarantee.proven("McSherry 2009, Theorems 3 and 4")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.shares or not all(0 < share < 1 for share in self.shares):
            raise InvalidArgument("shares", self.shares, "one number between 0 and 1 per group")

    @property
    def count_scales(self) -> tuple[Fraction, ...]:
        """Scale of the noise on either count, one per group."""
        return tuple(1 / ((1 - share) * self.per_record) for share in self.shares)

    @property
    def sum_scales(self) -> tuple[Fraction, ...]:
        """Scale of the noise on the sum, one per group."""
        return tuple(self.unit / (share * self.per_record) for share in self.shares)

    def draw(self, value: Totals, noise: NoiseSource) -> Totals:
        """Add noise to the totals."""
        positives, negatives, offsets = (np.asarray(part, dtype=np.int64) for part in value)
        if {positives.shape, negatives.shape, offsets.shape} != {(len(self.shares),)}:
            raise InvalidArgument("value", offsets.shape, f"totals of {len(self.shares)} groups")
        on_counts = _drawn(self.count_scales, 2, noise)
        on_sums = _drawn(self.sum_scales, 1, noise)
        return Totals(
            positives + on_counts[:, 0], negatives + on_counts[:, 1], offsets + on_sums[:, 0]
        )


def _drawn(scales: Sequence[Fraction], each: int, noise: NoiseSource) -> IntArray:
    """Independent integers, `each` of every scale, shape (scales, each)."""
    return np.stack([noise.discrete_laplace(scale, each) for scale in scales])
