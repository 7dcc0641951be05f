"""Counts on every level of a tree over a row of cells, and of overlapping tents above them."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray, NDArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PureMechanism, integers_of
from dpcore.noise import NoiseSource
from dpcore.postprocess.tents import tent_sums, tent_unit
from dpcore.privacy import Guarantee, Neighbors, exact


@dataclass(frozen=True, kw_only=True)
class HaarCounts(PureMechanism):
    """Release a table of counts through the Haar wavelet transform of each row.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of the joint release of the table; positive.
    l1_sensitivity : int, default 1
        The largest L1 change of the table of counts between neighbours.
    neighbors : Neighbors, default add-remove
        The relation for which the caller argued that sensitivity.

    Sensitivity
        Of the coefficients. A row of m = 2^h cells is written as its sum and, for every node of
        the binary tree over the cells, as the sum of the left half minus that of the right half:
        integers, m in all. Adding a record to a cell changes its row's sum and the h nodes above
        the cell by exactly one each, so the L1 change is 1 + h per unit of `l1_sensitivity`.
    Privacy
        epsilon-DP, by discrete Laplace noise of that sensitivity on the integers. Xiao et al.
        divide a node's difference by its number of leaves and its noise by the same weight; the
        two cancel, so this is their mechanism (generalised sensitivity 1 + log2 m) without
        floating-point noise.

    Notes
    -----
    Rows are padded with empty cells to a power of two. A node's coefficient enters the sum of the
    first j cells with a factor of at most one half and the row's sum with at most one: the
    variance of any such sum is at most 1 + h/4 times that of one coefficient.

    References
    ----------
    X. Xiao, G. Wang, J. Gehrke (2011), Differential privacy via wavelet transforms, IEEE TKDE
    23(8), generalized sensitivity. doi:10.1109/TKDE.2010.247

    Examples
    --------
    >>> HaarCounts(epsilon=0.5).scale(8)
    Fraction(8, 1)
    """

    l1_sensitivity: _check.Count = 1

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "Xiao et al. 2011, the Haar wavelet's generalized sensitivity"
    )

    def scale(self, cells: int) -> Fraction:
        """Scale of the noise on each integer coefficient of rows with that many cells."""
        return self.l1_sensitivity * (1 + levels(cells)) / exact(self.epsilon)

    def draw(self, value: IntArray, noise: NoiseSource) -> FloatArray:
        """Release counts, shape (rows, cells), as floats of the same shape."""
        counts = integers_of(value, 2)
        cells = counts.shape[1]
        coefficients = haar(counts)
        drawn = noise.discrete_laplace(self.scale(cells), coefficients.size)
        return inverse_haar(coefficients + drawn.reshape(coefficients.shape))[:, :cells]


def levels(cells: int) -> int:
    """Depth of the binary tree over that many cells."""
    return (cells - 1).bit_length()


def haar(counts: NDArray[Any]) -> NDArray[Any]:
    """Sum and left-minus-right differences of each row.

    Parameters
    ----------
    counts : int or float array, shape (rows, cells)

    Returns
    -------
    array, shape (rows, 2 ** levels(cells))
        First the sum, then the differences, the root's first and the lowest nodes' last.
    """
    rows, cells = counts.shape
    sums = np.zeros((rows, 2 ** levels(cells)), dtype=float if counts.dtype == float else np.int64)
    sums[:, :cells] = counts
    differences = []
    while sums.shape[1] > 1:
        left, right = sums[:, 0::2], sums[:, 1::2]
        differences.append(left - right)
        sums = left + right
    return np.concatenate([sums, *differences[::-1]], axis=1)


def inverse_haar(coefficients: IntArray) -> FloatArray:
    """Counts whose `haar` transform is given, shape (rows, 2 ** levels)."""
    sums = coefficients[:, :1].astype(np.float64)
    while (width := sums.shape[1]) < coefficients.shape[1]:
        differences = coefficients[:, width : 2 * width]
        halves = np.empty((sums.shape[0], 2 * width))
        halves[:, 0::2] = (sums + differences) / 2.0
        halves[:, 1::2] = (sums - differences) / 2.0
        sums = halves
    return sums


class NoisyTents(NamedTuple):
    """Noisy counts of the cells, and noisy `tent_sums` for each spacing."""

    cells: IntArray
    tents: tuple[IntArray, ...]


@dataclass(frozen=True, kw_only=True)
class TentCounts(PureMechanism):
    """Release every cell's count and, for each spacing, sums of counts under overlapping tents.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of the joint release of all levels; positive.
    spacings : tuple of int
        Distance in cells of the peaks of each level's tents; may be empty.
    neighbors : Neighbors, default add-remove

    Sensitivity
        The tents of one level are a partition of unity, scaled to integers: every cell gives
        weights of total ``tent_unit(spacing)`` to them. So a record adds exactly that to the L1
        norm of a level, and 1 to that of the cells; a replaced record changes twice as much.
    Privacy
        epsilon-DP. Each of the ``len(spacings) + 1`` levels gets an equal share of epsilon, by
        discrete Laplace noise on the integers. Divided by its unit, every sum then has noise of
        the same variance as a cell; no real number is ever rounded.

    References
    ----------
    C. Li, G. Miklau, M. Hay, A. McGregor, V. Rastogi (2015), The matrix mechanism, VLDB Journal 24:
    noise for any matrix of linear queries. doi:10.1007/s00778-015-0398-x

    Examples
    --------
    >>> tents = TentCounts(epsilon=1, spacings=(8,))
    >>> tents.cell_scale, tents.tent_scale(8)
    (Fraction(2, 1), Fraction(32, 1))
    """

    spacings: Annotated[tuple[int, ...], _check.each(_check.whole(1))] = ()

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Li et al. 2015, the matrix mechanism")

    @property
    def cell_scale(self) -> Fraction:
        """Scale of the noise on a cell's count."""
        return (len(self.spacings) + 1) / self.per_record

    def tent_scale(self, spacing: int) -> Fraction:
        """Scale of the noise on an integer sum under the tents of that spacing."""
        return tent_unit(spacing) * self.cell_scale

    def draw(self, value: IntArray, noise: NoiseSource) -> NoisyTents:
        """Release all levels of integer counts, shape (cells,)."""
        counts = integers_of(value, 1)
        counts = counts.astype(np.int64)
        cells = counts + noise.discrete_laplace(self.cell_scale, counts.size)
        tents = []
        for spacing in self.spacings:
            sums = tent_sums(counts, spacing)
            tents.append(sums + noise.discrete_laplace(self.tent_scale(spacing), sums.size))
        return NoisyTents(cells, tuple(tents))


@dataclass(frozen=True, kw_only=True)
class TreeCounts(PureMechanism):
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

    branching: Annotated[tuple[int, ...], _check.each(_check.whole(2))]
    root: bool = False

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Hay et al. 2010, Section 4")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.branching or self.root):
            raise InvalidArgument("branching", self.branching, "non-empty, or root=True")
        if self.root and self.neighbors is Neighbors.REPLACE:
            raise InvalidArgument("root", self.root, "False under replace, where it is public")

    @property
    def scale(self) -> Fraction:
        """Scale of the noise on every count."""
        return (len(self.branching) + self.root) / self.per_record

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
