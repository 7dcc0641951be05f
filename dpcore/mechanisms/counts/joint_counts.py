"""Counts of two classes with a sum that hangs on them, in one release: of groups, and of pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

import numpy as np

from dpcore import _check
from dpcore._typing import IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.counts.additive import KNormCounts
from dpcore.mechanisms.pure import PureMechanism, integers_of
from dpcore.noise import NoiseSource
from dpcore.noise.system import LARGEST_VALUE
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


@dataclass(frozen=True, kw_only=True, eq=False)
class PairsAndSizes(PureMechanism):
    """Add integer noise to a count that the rarer class moves most, and to both classes' sizes.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of all three together; positive.
    by_rarer, by_other : int
        How far a record of the rarer class moves the count at most, and one of the other class;
        the first is larger, the second one at least.
    neighbors : Neighbors, default add-remove

    Sensitivity
        Argued by the caller for the count: a record of the rarer class moves (count, its size, the
        other size) by at most (by_rarer, 1, 0), one of the other class by (by_other, 0, 1).
    Privacy
        epsilon-DP. Add-remove, e = epsilon: noise (w, x, y) has probability proportional to
        exp(-e max(|w|, |x|) / by_rarer - e (1 - by_other / by_rarer) |y|), where x is noise on the
        rarer class's size in steps of one by_rarer-th. Its record moves the centre by (by_rarer,
        by_rarer, 0), which costs e; one of the other class moves it by (by_other, 0, 1), which
        costs e by_other / by_rarer + e (1 - by_other / by_rarer) = e; by the triangle inequality.
        Replace is the removal of one record and the addition of another: e = epsilon / 2.

    Notes
    -----
    For a ratio such as an AUC, whose error is that of the count less a known multiple of that of
    the size, noise in the square costs hardly more than noise made for that one combination.

    References
    ----------
    M. Hardt, K. Talwar (2010), On the geometry of differential privacy, STOC.
    doi:10.1145/1806689.1806786

    Examples
    --------
    >>> mechanism = PairsAndSizes(epsilon=1, by_rarer=100, by_other=20)
    >>> str(mechanism.rate), str(mechanism.other_scale)
    ('1/100', '5/4')
    """

    by_rarer: int
    by_other: _check.Count

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Hardt and Talwar 2010, on whole numbers")

    def __post_init__(self) -> None:
        super().__post_init__()
        _check.integer_in_range(self.by_other + 1, None, by_rarer=self.by_rarer)

    @property
    def rate(self) -> Fraction:
        """How fast probability falls with the noise on the count, and on the finer size."""
        return self.per_record / self.by_rarer

    @property
    def other_scale(self) -> Fraction:
        """Scale of the noise on the other class's size."""
        return 1 / (self.per_record * (1 - Fraction(self.by_other, self.by_rarer)))

    def draw(self, value: IntArray, noise: NoiseSource) -> IntArray:
        """Release (count, size of the rarer class times by_rarer, size of the other class)."""
        count, rarer, other = np.clip(integers_of(value, 1), -LARGEST_VALUE, LARGEST_VALUE).tolist()
        square = KNormCounts(epsilon=self.per_record, linf_sensitivity=self.by_rarer)
        finer = min(rarer * self.by_rarer, LARGEST_VALUE)
        both = np.array([count, finer]) + square.sample(2, noise)
        return np.append(both, other + noise.discrete_laplace(self.other_scale, 1))
