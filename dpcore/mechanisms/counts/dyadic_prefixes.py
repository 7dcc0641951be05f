"""Cumulative counts under noise that is shared along dyadic intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import IntArray
from dpcore.errors import InvalidArgument
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Loss, Neighbors
from dpcore.privacy.loss import exact


@dataclass(frozen=True, kw_only=True)
class DyadicPrefixes:
    """Release the number of records up to each point, with the noise of Barczewski et al.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of the joint release of all numbers; positive.
    neighbors : Neighbors, default add-remove

    Sensitivity
        Point i gets the sum of the noise of all dyadic intervals ((j - 1) 2^l, j 2^l] that hold it,
        l = 0, ..., L = ceil(log2 points). Replacing a record changes the numbers by plus or minus
        one on an interval of points, and an interval is a signed sum of at most L + 1 dyadic ones
        (Theorem 3.1). Adding a record changes them on a final stretch, a signed sum of at most
        ceil((L + 1) / 2) (Lemma 1).
    Privacy
        epsilon-DP: what the record changes is made up by moving that many noise variables by one,
        which costs epsilon over that number each. The noise is discrete Laplace: whole moves.

    Notes
    -----
    The variance of each number is close to 2 (L + 1)^3 / epsilon^2 under replace, as published, and
    2 (L + 1) ceil((L + 1) / 2)^2 / epsilon^2 under add-remove. The noise of the interval of all
    points is superfluous under replace, where the number of records is public: without it the
    variance would be L / (L + 1) of that. It stays, because this is the published mechanism. Under
    add-remove this is the continual counter of Theorem 0.A.1.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Theorems 3.1 and 0.A.1.

    Examples
    --------
    >>> replace = DyadicPrefixes(epsilon=0.5, neighbors=Neighbors.REPLACE)
    >>> str(replace.scale(8)), str(DyadicPrefixes(epsilon=0.5).scale(8))
    ('8', '4')
    """

    epsilon: int | float | str | Fraction
    neighbors: Neighbors = Neighbors.ADD_REMOVE

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Barczewski et al., Theorem 3.1 and Lemma 1")

    def __post_init__(self) -> None:
        _check.positive(epsilon=exact(self.epsilon))

    @property
    def loss(self) -> Loss:
        """The privacy loss of the joint release."""
        return Loss(self.epsilon)

    def scale(self, points: int) -> Fraction:
        """Scale of the noise of each dyadic interval."""
        levels = (points - 1).bit_length() + 1
        moved = self.neighbors.pick(add_remove=(levels + 1) // 2, replace=levels)
        return moved / exact(self.epsilon)

    def draw(self, value: IntArray, noise: NoiseSource) -> IntArray:
        """Release the running sums of integer counts, shape (points,)."""
        scale = self.scale(np.size(value))
        return with_interval_noise(value, lambda size: noise.discrete_laplace(scale, size))


def with_interval_noise(value: IntArray, draw: Callable[[int], IntArray]) -> IntArray:
    """Running sums, each with the noise of all dyadic intervals that hold its point.

    Parameters
    ----------
    value : int array, shape (points,)
    draw : callable
        Draws the noise of so many intervals.

    Examples
    --------
    >>> with_interval_noise(np.array([1, 1, 1]), lambda size: np.full(size, 10)).tolist()
    [31, 32, 33]
    """
    counts = np.asarray(value)
    if counts.ndim != 1 or not np.issubdtype(counts.dtype, np.integer) or counts.size == 0:
        raise InvalidArgument("value", f"{counts.dtype} {counts.shape}", "a vector of integers")
    sums = np.cumsum(counts, dtype=np.int64)
    for level in range((counts.size - 1).bit_length() + 1):
        drawn = draw(-(-counts.size // 2**level))
        sums += np.repeat(drawn, 2**level)[: counts.size]
    return sums
