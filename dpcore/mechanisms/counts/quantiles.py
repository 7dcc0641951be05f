"""Quantiles of private numbers, found by halving, and noisy counts of two classes between them."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PureMechanism
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee

# The records of a node are counted in so many parts each, of which 64 bits hold those of so many.
_PARTS, _MOST_RECORDS = 2**20, 2**42

# Of epsilon, once the rounding of chances is paid for.
_LEFT = 1.0 - 2.0**-32


@dataclass(frozen=True, kw_only=True, eq=False)
class RecursiveQuantiles(PureMechanism):
    """Choose quantiles among public grid edges: the middle one first, then those on either side.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of all quantiles together; positive.
    levels : tuple of float
        Ascending shares of the records, in (0, 1).
    positions : float array, shape (edges,)
        Public coordinates of the grid edges, strictly increasing; ``levels + 2`` at least.
    neighbors : Neighbors, default add-remove

    Sensitivity
        In a node with m records, edge e has utility -|r(e) - q m|, r(e) the number of its records
        below e. Adding a record raises r(e) by 0 or 1 and q m by q: the utility moves by at most
        max(q, 1 - q).
    Privacy
        epsilon-DP. Nodes of one depth are disjoint, and each chooses its edge by the exponential
        mechanism with the width around the edge as its measure, so a depth costs epsilon / depths
        under add-remove. Under replace a record may leave one node and enter another, or be
        removed from and added to the same one: two add-remove steps, each run at epsilon / 2.

        q is a whole multiple of 2^-20, so that utilities are exact for up to 2^42 records. What
        chances are rounded by grows with how far an edge misses, not with how many records there
        are: 2^-32 of epsilon pays for it.

    References
    ----------
    H. Kaplan, S. Schnapp, U. Stemmer (2022), Differentially private approximate quantiles, ICML.
    A. Smith (2011), Privacy-preserving statistical estimation with optimal
    convergence rates, STOC, Algorithm 2. doi:10.1145/1993636.1993743

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> from dpcore.release import open_gate
    >>> middle = RecursiveQuantiles(epsilon=9, levels=(0.5,), positions=np.arange(5.0))
    >>> gate = open_gate(middle.loss, noise=SeededNoise(0))
    >>> gate.release(middle, np.array([0, 0, 9, 18, 18]), label="median").tolist()
    [2]
    """

    levels: tuple[float, ...]
    positions: FloatArray

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Kaplan et al. 2022, recursive quantiles")

    def __post_init__(self) -> None:
        super().__post_init__()
        require_grid(self.levels, self.positions)

    def draw(self, value: IntArray, noise: NoiseSource) -> IntArray:
        """Choose one edge per level from the number of records below each edge.

        Returns indices, shape (levels,), strictly increasing, never the first or the last edge.
        """
        step = float(self.per_record)
        return choose_quantiles(value, self.levels, self.positions, step, noise)


def choose_quantiles(
    below: IntArray,
    levels: tuple[float, ...],
    positions: FloatArray,
    epsilon: float,
    noise: NoiseSource,
) -> IntArray:
    """Choose edges for all levels at an add-remove loss of epsilon, see `RecursiveQuantiles`."""
    # Plain numbers, and one array in a step: there are many steps of little work.
    rate, log_width = rank_rate(levels, epsilon), np.log(positions[2:] - positions[:-2])
    ranks = np.minimum(below, _MOST_RECORDS, dtype=np.int64)
    cuts = [0] * (len(levels) + 1) + [positions.size - 1]
    for low, middle, high, part in _steps(levels):
        # Room is kept for the quantiles still to come on either side.
        start, stop = cuts[low] + middle - low, cuts[high] - (high - middle) + 1
        first, last = int(ranks[cuts[low]]), int(ranks[cuts[high]])
        missed = ranks[start:stop] * _PARTS
        missed -= first * _PARTS + part * (last - first)
        weights = np.abs(missed) * (-rate / max(part, _PARTS - part))
        weights += log_width[start - 1 : stop - 1]
        cuts[middle] = start + noise.choose(weights)
    return np.array(cuts[1:-1], dtype=np.int64)


def rank_rate(levels: tuple[float, ...], epsilon: float) -> float:
    """How fast the chance of an edge falls with each rank by which it misses.

    Half of the epsilon of one depth, less what pays for rounding; divided by max(q, 1 - q) it is
    the exponent at share q.
    """
    return epsilon * _LEFT / (2.0 * max(len(levels).bit_length(), 1))


def require_grid(levels: tuple[float, ...], positions: FloatArray) -> None:
    """Raise `InvalidArgument` unless levels and positions ascend and leave room for every cut."""
    bounds = np.array([0.0, *levels, 1.0])
    if not (np.diff(bounds) > 0.0).all():
        raise InvalidArgument("levels", levels, "ascending numbers between 0 and 1")
    if positions.size < bounds.size or not (np.diff(positions) > 0.0).all():
        needed = f"at least {bounds.size} strictly increasing numbers"
        raise InvalidArgument("positions", positions.shape, needed)


def rank_errors(levels: tuple[float, ...], epsilon: float) -> FloatArray:
    """By how many ranks each cut may typically miss its level, shape (levels,)."""
    larger = {middle: max(part, _PARTS - part) for _, middle, _, part in _steps(levels)}
    parts = np.array([larger[place] for place in sorted(larger)])
    return np.asarray(parts / (_PARTS * rank_rate(levels, epsilon)), dtype=np.float64)


def _steps(levels: tuple[float, ...]) -> list[tuple[int, int, int, int]]:
    """Every node, parents before children: its ends, its middle, and how many parts lie below."""
    bounds = [0.0, *levels, 1.0]
    waiting, found = [(0, len(bounds) - 1)], list[tuple[int, int, int, int]]()
    while waiting:
        low, high = waiting.pop()
        middle = (low + high) // 2
        if low < middle:
            share = (bounds[middle] - bounds[low]) / (bounds[high] - bounds[low])
            found.append((low, middle, high, round(share * _PARTS)))
            waiting += [(middle, high), (low, middle)]
    return found


class BinnedClasses(NamedTuple):
    """What `QuantileBins` releases.

    ``cuts`` are indices of grid edges, shape (bins - 1,); ``guide`` and ``other`` the noisy counts
    of the class that placed the cuts and of the other one, shape (bins,), lowest bins first.
    """

    cuts: IntArray
    guide: IntArray
    other: IntArray


@dataclass(frozen=True, kw_only=True, eq=False)
class QuantileBins(PureMechanism):
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

    levels: tuple[float, ...]
    positions: FloatArray
    cut_share: Fraction = Fraction(3, 10)

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "Kaplan et al. 2022; McSherry 2009, Theorems 3 and 4"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.cut_share < 1:
            raise InvalidArgument("cut_share", self.cut_share, "between zero and one")
        require_grid(self.levels, self.positions)

    @property
    def cut_errors(self) -> FloatArray:
        """By how many of the guide's records each cut may typically miss its level."""
        return rank_errors(self.levels, float(self.cut_share * self.per_record))

    @property
    def guide_scale(self) -> Fraction:
        """Scale of the noise on the guide's counts."""
        return 1 / ((1 - self.cut_share) * self.per_record)

    @property
    def other_scale(self) -> Fraction:
        """Scale of the noise on the other class's counts."""
        return 1 / self.per_record

    def draw(self, value: tuple[IntArray, IntArray], noise: NoiseSource) -> BinnedClasses:
        """Release cuts and counts.

        Parameters
        ----------
        value : pair of int arrays, shape (edges,) each
            Numbers of records of the guide and of the other class below each edge.
        noise : NoiseSource
        """
        step = float(self.cut_share * self.per_record)
        cuts = choose_quantiles(value[0], self.levels, self.positions, step, noise)
        marks = np.concatenate([[0], cuts, [self.positions.size - 1]])
        exact = np.diff(np.stack(value)[:, marks])
        scales = self.guide_scale, self.other_scale
        drawn = [noise.discrete_laplace(scale, marks.size - 1) for scale in scales]
        return BinnedClasses(cuts, *(exact + drawn))
