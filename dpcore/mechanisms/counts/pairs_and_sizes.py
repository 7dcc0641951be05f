"""A count of pairs of two classes and the number of records of each, in one release."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import IntArray
from dpcore.mechanisms.counts.additive import KNormCounts
from dpcore.mechanisms.pure import PureMechanism, integers_of
from dpcore.noise import NoiseSource
from dpcore.noise.system import LARGEST_VALUE
from dpcore.privacy import Guarantee


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
