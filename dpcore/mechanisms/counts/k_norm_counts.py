"""Exact noise for whole vectors of counts whose entries all move by little at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PureMechanism
from dpcore.noise import NoiseSource
from dpcore.noise.system import LARGEST_VALUE, checked_scale
from dpcore.privacy import Guarantee, exact

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

    linf_sensitivity: int = 1

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Hardt and Talwar 2010, on whole numbers")

    def __post_init__(self) -> None:
        super().__post_init__()
        _check.integer_in_range(1, None, linf_sensitivity=self.linf_sensitivity)

    @property
    def rate(self) -> Fraction:
        """How fast probability falls with the largest entry."""
        return exact(self.epsilon) / self.linf_sensitivity

    def draw(self, value: IntArray, noise: NoiseSource) -> IntArray:
        """Add noise to an integer array of any shape."""
        counts = np.asarray(value)
        if not np.issubdtype(counts.dtype, np.integer):
            raise InvalidArgument("value", counts.dtype.name, "an array of integers")
        if not counts.size:
            return counts.astype(np.int64)
        radius = self._radius(counts.size, noise)
        drawn = uniform_below(2 * radius + 1, counts.size, noise) - radius
        clamped = np.clip(counts.astype(np.int64), -LARGEST_VALUE, LARGEST_VALUE)
        return np.asarray(clamped + drawn.reshape(counts.shape), dtype=np.int64)

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
