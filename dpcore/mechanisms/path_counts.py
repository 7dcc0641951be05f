"""Prefix counts with the path noise of Barczewski et al."""

from __future__ import annotations

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

__all__ = ["PathCounts"]


@dataclass(frozen=True, kw_only=True)
class PathCounts:
    """Add to every prefix count the noise of all nodes between its leaf and the root of a tree.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of all prefix counts together; positive.
    levels : int
        Depth L of the binary tree over 2^L leaves.
    neighbors : Neighbors, default add-remove

    Sensitivity
        Adding a record raises the prefix counts from its leaf on by one. Replacing one raises or
        lowers those between two leaves by one. Either change is a sum of the indicators of at most
        L + 1 nodes of the tree with signs (Lemma 1 of the reference, exhausted by a test).
    Privacy
        epsilon-DP under both relations: each node carries noise of scale (L + 1)/epsilon, so
        shifting the noise of L + 1 nodes by one explains the change at a cost of epsilon. Under
        add-remove half of that noise would do; this is the published calibration.

    Notes
    -----
    The variance of a prefix count is close to 2 (L + 1)^3 / epsilon^2.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Theorem 3.1.

    Examples
    --------
    >>> PathCounts(epsilon=0.5, levels=3).scale
    Fraction(8, 1)
    """

    epsilon: int | float | str | Fraction
    levels: int
    neighbors: Neighbors = Neighbors.ADD_REMOVE

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Barczewski et al., Theorem 3.1")

    def __post_init__(self) -> None:
        _check.positive(epsilon=exact(self.epsilon))
        _check.integer_in_range(0, 20, levels=self.levels)

    @property
    def loss(self) -> Loss:
        """The privacy loss of all prefix counts together."""
        return Loss(self.epsilon)

    @property
    def scale(self) -> Fraction:
        """Scale of the noise of one node."""
        return (self.levels + 1) / exact(self.epsilon)

    def draw(self, value: IntArray, noise: NoiseSource) -> IntArray:
        """Add noise to the 2^L numbers of records up to each leaf, shape (leaves,)."""
        counts = np.asarray(value, dtype=np.int64)
        leaves = 2**self.levels
        if counts.shape != (leaves,):
            raise InvalidArgument("value", counts.shape, f"a vector of {leaves} counts")
        noisy = counts.copy()
        for level in range(self.levels + 1):
            nodes = noise.discrete_laplace(self.scale, leaves >> level)
            noisy += np.repeat(nodes, 1 << level)
        return noisy
