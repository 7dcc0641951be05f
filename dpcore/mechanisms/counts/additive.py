"""Additive noise for counts: geometric, Laplace, in shares that nobody adds up, and by k-norms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from scipy import special

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PureMechanism, integers_of
from dpcore.mechanisms.samplers.exponential_noise import fine_uniform
from dpcore.noise import NoiseSource
from dpcore.noise.system import LARGEST_VALUE, checked_scale
from dpcore.privacy import Guarantee, Loss, Neighbors, exact

# Cells of the grid per unit of sensitivity and entry: fine enough that the widening below costs one
# part in 2^20 of accuracy, coarse enough that sums of millions of rows stay inside 64-bit integers.
_RESOLUTION_BITS = 20


def _clamped_sum(counts: IntArray, drawn: IntArray) -> IntArray:
    clamped = np.clip(counts.astype(np.int64), -LARGEST_VALUE, LARGEST_VALUE)
    return np.asarray(clamped + drawn.reshape(counts.shape), dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class Laplace(PureMechanism):
    """Add Laplace noise to real numbers that were rounded to a public grid.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of the joint release of all entries; positive.
    l1_sensitivity : float, default 1
        The largest L1 change of the whole vector between neighbours; positive.
    neighbors : Neighbors, default add-remove
        The relation for which the caller argued that sensitivity.

    Sensitivity
        Argued by the caller for the exact values. Rounding each of d entries to a grid of cell g
        moves an entry by at most g/2 on either data set, so the rounded vector moves by at most
        l1_sensitivity + d g, and the noise is calibrated to that.
    Privacy
        epsilon-DP. The noise is discrete Laplace in whole cells, so no floating-point noise exists
        whose low bits could be read (Mironov 2012). g is a power of two near
        l1_sensitivity / (d 2^20).

    Notes
    -----
    Entries beyond 2^61 cells are clamped there, identically on every data set, which is
    pre-processing that can only bring neighbours closer.

    References
    ----------
    C. Dwork, F. McSherry, K. Nissim, A. Smith (2006), Calibrating noise to sensitivity, TCC,
    Proposition 1. doi:10.1007/11681878_14

    Examples
    --------
    >>> Laplace(epsilon=0.5).scale
    2.0
    """

    l1_sensitivity: _check.Positive = 1.0

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Dwork et al. 2006, Proposition 1")

    @property
    def scale(self) -> float:
        """Scale of the noise (before the widening for the grid); variance is twice the square."""
        return self.l1_sensitivity / float(exact(self.epsilon))

    def cell(self, size: int) -> float:
        """Width of the public grid for a vector of that many entries."""
        return 2.0 ** math.floor(math.log2(self.l1_sensitivity / max(size, 1)) - _RESOLUTION_BITS)

    def cell_scale(self, size: int) -> Fraction:
        """Scale of the integer noise, in cells, widened for the rounding."""
        in_cells = Fraction(self.l1_sensitivity) / Fraction(self.cell(size))
        return (in_cells + size) / exact(self.epsilon)

    def draw(self, value: FloatArray, noise: NoiseSource) -> FloatArray:
        """Round to the grid and add noise; an array of any shape."""
        values = np.asarray(value, dtype=np.float64)
        if not np.isfinite(values).all():
            raise InvalidArgument("value", "NaN or infinity", "an array of finite numbers")
        cell = self.cell(values.size)
        cells = np.clip(np.rint(values / cell), -LARGEST_VALUE, LARGEST_VALUE)
        drawn = noise.discrete_laplace(self.cell_scale(values.size), values.size)
        noisy = cells.astype(np.int64) + drawn.reshape(values.shape)
        return noisy.astype(np.float64) * cell


def geometric_variance(scale: FloatArray | float) -> FloatArray:
    """Variance of two-sided geometric noise of that scale: close to twice its square, if large.

    Examples
    --------
    >>> geometric_variance(np.array([10.0, 1e-6])).round(2).tolist()
    [199.83, 0.0]
    """
    # The law is too narrow to matter long before a power could overflow.
    return np.asarray(0.5 / np.sinh(np.minimum(0.5 / np.asarray(scale), 300.0)) ** 2)


# Nothing less likely than this has ever happened.
_NEVER = 1e-290


@dataclass(frozen=True, kw_only=True)
class _OfWholeNumbers(PureMechanism):
    l1_sensitivity: _check.Count = 1

    @property
    def scale(self) -> Fraction:
        """Scale of the noise (of all shares) in counts; its variance is about twice the square."""
        return self.l1_sensitivity / exact(self.epsilon)


@dataclass(frozen=True, kw_only=True)
class PolyaShare(_OfWholeNumbers):
    """Add to integers a share of noise, of which so many shares make two-sided geometric noise.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of a sum that holds at least `shares` such draws; positive.
    shares : int
        How many parties are sure to take part and to keep their draw to themselves.
    l1_sensitivity : int, default 1
        The largest L1 change of the whole vector between neighbours, in counts.
    neighbors : Neighbors, default add-remove
        The relation for which the caller argued that sensitivity.

    Sensitivity
        Argued by the caller, for the sum over all parties: a record belongs to one of them.
    Privacy
        A share is the difference of two Pólya (negative binomial) variables of shape 1/shares. So
        the sum of `shares` of them is exactly `Geometric` noise, and whoever sees nothing but the
        sum learns it with loss epsilon. More shares add independent noise, which is
        post-processing. One share by itself protects hardly anything: it may only be sent under a
        mask. Whoever knows some of the draws (a coalition of parties) can subtract them; `shares`
        must therefore count honest parties only, and no more than are sure to stay.

    Notes
    -----
    A Pólya variable is a sum of a Poisson number of logarithmic variables. Both are drawn from
    uniform numbers that are finely spaced near zero (`fine_uniform`), like every continuous law
    here, so that no tail is cut.

    References
    ----------
    T. J. Kozubowski, S. Inusah (2006), A skew Laplace distribution on integers, Annals of the
    Institute of Statistical Mathematics 58 (divisibility).
    doi:10.1007/s10463-005-0029-1. G. Ács, C. Castelluccia (2011), I have a DREAM!, Information
    Hiding (shares). A. W. Kemp (1981), Efficient generation of logarithmically
    distributed pseudo-random variables, Applied Statistics 30 (the sampler). doi:10.2307/2346348

    Examples
    --------
    >>> PolyaShare(epsilon=0.5, shares=10, l1_sensitivity=2).scale
    Fraction(4, 1)
    """

    shares: _check.Count

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "Kozubowski and Inusah 2006, divisibility; Ghosh et al. 2012, the geometric mechanism"
    )

    def draw(self, value: IntArray, noise: NoiseSource) -> IntArray:
        """Add one share to each entry of an integer array of any shape."""
        counts = integers_of(value)
        width = checked_scale(self.scale)
        # log(1 - a) for a = exp(-1/width); a Pólya variable of shape r has -r log(1 - a) terms.
        log_rest = float(np.log(-np.expm1(-1.0 / width)))
        terms = _poisson(-2.0 * log_rest / self.shares, counts.size, noise)
        sizes = _logarithmic(log_rest, int(terms.sum()), noise)
        signed = np.where(noise.uniform(sizes.size) < 0.5, sizes, -sizes)
        drawn = np.zeros(counts.size, dtype=np.int64)
        np.add.at(drawn, np.repeat(np.arange(counts.size), terms), signed)
        return _clamped_sum(counts, drawn)

    def without_noise(self, value: IntArray) -> IntArray:
        """The counts themselves; for simulations only."""
        return np.asarray(value, dtype=np.int64)


def _poisson(mean: float, size: int, noise: NoiseSource) -> IntArray:
    """Poisson numbers, shape (size,), by the inverse of their upper tail."""
    # P(N >= k) for k = 1, 2, ...; a mean is at most 72, so the tail has vanished before 1000.
    tails = special.pdtrc(np.arange(1000), mean)
    rising = tails[tails > _NEVER][::-1]
    above = np.searchsorted(rising, fine_uniform(size, noise), side="right")
    return np.asarray(rising.size - above, dtype=np.int64)


def _logarithmic(log_rest: float, size: int, noise: NoiseSource) -> IntArray:
    """Numbers k = 1, 2, ... with probability proportional to a^k / k, where 1 - a = e^log_rest."""
    # Geometric numbers, whose ratio 1 - (1 - a)^U is itself random.
    log_ratio = np.log1p(-np.exp(fine_uniform(size, noise) * log_rest))
    steps: FloatArray = np.log(fine_uniform(size, noise)) / np.minimum(log_ratio, -_NEVER)
    return np.minimum(steps, 2.0**61).astype(np.int64) + 1


@dataclass(frozen=True, kw_only=True)
class Geometric(_OfWholeNumbers):
    """Add two-sided geometric (discrete Laplace) noise to integers.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of the joint release of all entries; positive.
    l1_sensitivity : int, default 1
        The largest L1 change of the whole vector between neighbours, in counts.
    neighbors : Neighbors, default add-remove
        The relation for which the caller argued that sensitivity.

    Sensitivity
        Argued by the caller; a histogram of disjoint cells has 1 under add-remove, 2 under replace.
    Privacy
        epsilon-DP: P(z) is proportional to exp(-abs(z) * epsilon / l1_sensitivity), so moving the
        centre by at most l1_sensitivity in L1 changes each joint probability by at most e^epsilon.

    References
    ----------
    A. Ghosh, T. Roughgarden, M. Sundararajan (2012), Universally utility-maximizing privacy
    mechanisms, SIAM J. Comput. 41(6). doi:10.1137/09076828X

    Examples
    --------
    >>> Geometric(epsilon=0.5, l1_sensitivity=2).scale
    Fraction(4, 1)
    """

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Ghosh et al. 2012, the geometric mechanism")

    @classmethod
    def of_cells(cls, loss: Loss, neighbors: Neighbors, most: int = 1) -> Geometric:
        """For counts that one record is in, by at most so much in L1: by 1 in disjoint cells.

        Sensitivity
            L1: add-remove `most`; replace twice that, for one record leaves and another one comes.
        """
        moves = neighbors.pick(add_remove=most, replace=2 * most)
        return cls(epsilon=loss.epsilon, l1_sensitivity=moves, neighbors=neighbors)

    def draw(self, value: IntArray, noise: NoiseSource) -> IntArray:
        """Add noise to an integer array of any shape."""
        counts = integers_of(value)
        return _clamped_sum(counts, noise.discrete_laplace(self.scale, counts.size))


_WORDS = 2**52


def uniform_below(end: int, size: int, noise: NoiseSource) -> IntArray:
    """Draw whole numbers uniformly from 0 to end - 1, shape (size,).

    A uniform number is one of 2^52 equally likely ones; the last few, which do not fill a whole
    turn of the range, are drawn again, so that no number is likelier than another.

    Parameters
    ----------
    end
        1 to 2^51.

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> sorted(set(uniform_below(3, 100, SeededNoise(0)).tolist()))
    [0, 1, 2]
    """
    _check.integer_in_range(1, _WORDS // 2, end=end)
    words = (noise.uniform(size) * _WORDS).astype(np.int64)
    late = np.flatnonzero(words >= _WORDS - _WORDS % end)
    while late.size:
        words[late] = (noise.uniform(late.size) * _WORDS).astype(np.int64)
        late = late[words[late] >= _WORDS - _WORDS % end]
    return np.asarray(words % end, dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class KNormCounts(PureMechanism):
    """Add integer noise z with probability proportional to exp(-rate * largest absolute entry).

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of the joint release of all entries; positive.
    linf_sensitivity : int, default 1
        The largest change of any entry between neighbours, in counts.
    neighbors : Neighbors, default add-remove
        The relation for which the caller argued that sensitivity.

    Sensitivity
        Argued by the caller. Answers to D yes-no questions about one record move by at most 1 each
        under either relation: their vector moves by D in L1, and by 1 in this norm.
    Privacy
        epsilon-DP: with rate = epsilon / linf_sensitivity, moving the centre by the sensitivity
        changes each joint probability by at most e^epsilon, by the triangle inequality.

    Notes
    -----
    The radius k has P(k) ~ q^k (2k + 1)^D with q = exp(-rate), and given k the noise is uniform on
    the (2k + 1)^D points of the cube: summing over k >= max |z| leaves q^(max |z|) / (1 - q). The
    polynomial (2k + 1)^D is the sum over j of a_j binomial(k, j), where a_j >= 0 are its
    differences at 0, and sum_k binomial(k, j) q^k = q^j / (1 - q)^(j + 1). So k is j plus a
    negative binomial variable of j + 1 failures, for a j drawn with weight
    a_j q^j / (1 - q)^(j + 1). A negative binomial variable is a sum of geometric ones, and a
    geometric one a discrete Laplace one that is not negative. All of these are whole numbers from
    exact samplers; only the weights of the j are rounded, as doubles are.

    References
    ----------
    M. Hardt, K. Talwar (2010), On the geometry of differential privacy, STOC.
    doi:10.1145/1806689.1806786

    Examples
    --------
    >>> KNormCounts(epsilon=0.5).rate
    Fraction(1, 2)
    """

    linf_sensitivity: _check.Count = 1

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Hardt and Talwar 2010, on whole numbers")

    @property
    def rate(self) -> Fraction:
        """How fast probability falls with the largest entry."""
        return exact(self.epsilon) / self.linf_sensitivity

    def draw(self, value: IntArray, noise: NoiseSource) -> IntArray:
        """Add noise to an integer array of any shape."""
        counts = integers_of(value)
        if not counts.size:
            return counts.astype(np.int64)
        return _clamped_sum(counts, self.sample(counts.size, noise))

    def sample(self, size: int, noise: NoiseSource) -> IntArray:
        """Draw the noise alone, shape (size,)."""
        radius = self._radius(size, noise)
        return uniform_below(2 * radius + 1, size, noise) - radius

    def without_noise(self, value: IntArray) -> IntArray:
        """The counts themselves; for simulations only."""
        return np.asarray(value, dtype=np.int64)

    def _radius(self, size: int, noise: NoiseSource) -> int:
        stages = noise.choose(_log_differences(size) + self._log_stage(size))
        # A scale rounded up makes q a little larger, which only adds noise.
        scale, total, missing = checked_scale(1 / self.rate), 0, stages + 1
        while missing:
            drawn = noise.discrete_laplace(scale, 2 * missing + 8)
            kept = drawn[drawn >= 0][:missing]
            total += int(kept.sum())
            missing -= kept.size
        return stages + total

    def _log_stage(self, size: int) -> FloatArray:
        """Logs of q^j / (1 - q)^(j + 1) for j up to the size."""
        stages = np.arange(size + 1.0)
        rate = float(self.rate)
        logs = -rate * stages - np.log(-np.expm1(-rate)) * (stages + 1.0)
        return np.asarray(logs, dtype=np.float64)


def _log_differences(power: int) -> FloatArray:
    """Logs of the differences at 0 of (2k + 1)^power: exact whole numbers, rounded once.

    Each power multiplies by 2k + 1, and (2k + 1) binomial(k, j) is
    (2j + 1) binomial(k, j) + 2 (j + 1) binomial(k, j + 1).
    """
    differences = [1]
    for _ in range(power):
        grown = [(2 * j + 1) * number for j, number in enumerate(differences)] + [0]
        for j, number in enumerate(differences):
            grown[j + 1] += 2 * (j + 1) * number
        differences = grown
    return np.array([math.log(number) for number in differences])
