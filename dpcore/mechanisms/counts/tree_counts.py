"""Counts on every level of a tree over a row of cells."""

from __future__ import annotations

import math
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
class TreeCounts:
    """Release the count of every node of a tree, each level with the same noise.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of the joint release of all levels; positive.
    branching : tuple of int
        Children of each node, from the root down; at least 2 each. Their product is the number of
        leaves, and cells are padded with empty ones to it.
    root : bool, default False
        Whether the total is released too. Under replace it is public, and this must be False.
    neighbors : Neighbors, default add-remove

    Sensitivity
        A record is counted once on every level. L1 over all levels: their number under add-remove,
        twice that under replace (it leaves one node of a level and enters another).
    Privacy
        epsilon-DP, by discrete Laplace noise of that sensitivity.

    References
    ----------
    M. Hay, V. Rastogi, G. Miklau, D. Suciu (2010), Boosting the accuracy of differentially private
    histograms through consistency, PVLDB 3(1), Section 4. doi:10.14778/1920841.1920970

    Examples
    --------
    >>> TreeCounts(epsilon=1, branching=(4, 4), root=True).scale
    Fraction(3, 1)
    """

    epsilon: int | float | str | Fraction
    branching: tuple[int, ...]
    root: bool = False
    neighbors: Neighbors = Neighbors.ADD_REMOVE

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Hay et al. 2010, Section 4")

    def __post_init__(self) -> None:
        _check.positive(epsilon=exact(self.epsilon))
        for children in self.branching:
            _check.integer_in_range(2, None, branching=children)
        if not (self.branching or self.root):
            raise InvalidArgument("branching", self.branching, "non-empty, or root=True")
        if self.root and self.neighbors is Neighbors.REPLACE:
            raise InvalidArgument("root", self.root, "False under replace, where it is public")

    @property
    def loss(self) -> Loss:
        """The privacy loss of the joint release."""
        return Loss(self.epsilon)

    @property
    def scale(self) -> Fraction:
        """Scale of the noise on every count."""
        levels = len(self.branching) + self.root
        return levels * self.neighbors.pick(add_remove=1, replace=2) / exact(self.epsilon)

    def draw(self, value: IntArray, noise: NoiseSource) -> tuple[IntArray, ...]:
        """Release the counts of each level, the coarsest first.

        Parameters
        ----------
        value : int array, shape (cells,)
            At most as many cells as the tree has leaves.
        noise : NoiseSource
        """
        counts = np.asarray(value)
        leaves = math.prod(self.branching)
        integers = np.issubdtype(counts.dtype, np.integer)
        if counts.ndim != 1 or not integers or counts.size > leaves:
            given = f"{counts.dtype} {counts.shape}"
            raise InvalidArgument("value", given, f"a vector of at most {leaves} integers")
        level = np.zeros(leaves, dtype=np.int64)
        level[: counts.size] = counts
        levels = [level]
        for children in self.branching[::-1]:
            levels.insert(0, levels[0].reshape(-1, children).sum(axis=1))
        measured = levels if self.root else levels[1:]
        return tuple(nodes + noise.discrete_laplace(self.scale, nodes.size) for nodes in measured)
