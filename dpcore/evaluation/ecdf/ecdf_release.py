"""A private distribution function with its account, its bands, its inverse and its JSON."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, FloatArray
from dpcore.evaluation.ecdf import ecdf_methods
from dpcore.evaluation.ecdf.noise_law import NoiseLaw
from dpcore.evaluation.estimates import EstimateRelease
from dpcore.postprocess.monotone import first_reaching, leaves_everything, monotone_envelope
from dpcore.privacy import Neighbors


def band_around(noisy: FloatArray, total: float, half_width: float, sampling: float) -> FloatArray:
    """Simultaneous band for shares, from noisy counts that are never off by more than `half_width`.

    Parameters
    ----------
    noisy : float array, shape (points,)
        Noisy numbers of records up to each grid point, not smoothed.
    total
        Number of all records, public or noisy; with less than a billionth the band is everything.
    half_width
        See `NoiseLaw.half_width`, in counts.
    sampling
        Added to the half-width of the band: 0, or `sampling_half_width`.

    Returns
    -------
    float array, shape (2, points)
        Lower and upper share, non-decreasing, in [0, 1]; both are 1 at the last point, because
        values beyond it were moved to it.

    Notes
    -----
    The true function never falls, so the band is the monotone envelope of the noisy one plus and
    minus the half-width: nowhere wider, often narrower.
    """
    lower, upper = np.zeros(noisy.size), np.ones(noisy.size)
    if total >= 1e-9:  # else shares of it may be beyond all numbers
        lower, upper = monotone_envelope(noisy / total, half_width / total + sampling)
    lower[-1] = upper[-1] = 1.0
    # They cross only where the noise was larger than the band allows for.
    return np.stack([np.minimum(lower, upper), np.maximum(lower, upper)])


def sampling_half_width(records: float, confidence: float) -> float:
    """Half-width of the band of Dvoretzky, Kiefer and Wolfowitz for so many independent records.

    Parameters
    ----------
    records
        A number that is not above the true one; without records the answer is 1.

    References
    ----------
    P. Massart (1990), The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality, Annals of
    Probability 18(3), Corollary 1. doi:10.1214/aop/1176990746

    Examples
    --------
    >>> round(sampling_half_width(1000, 0.9), 4)
    0.0387
    """
    if records <= 0.0:
        return 1.0
    return min(math.sqrt(math.log(2.0 / (1.0 - confidence)) / (2.0 * records)), 1.0)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class EcdfRelease(EstimateRelease):
    """A released distribution function: nothing in it is private.

    Parameters
    ----------
    grid : float array, shape (points,)
        Public, strictly increasing.
    cdf : float array, shape (points,)
        Share of the records whose value is at most the grid point; smoothed unless `smoothing` is
        None.
    noisy : float array, shape (points,)
        What was released: numbers of records, neither monotone nor bounded.
    total : float
        Number of all records: public under replace, noisy (perhaps negative) under add-remove.
    epsilon : Fraction
    method : str
    smoothing : str or None
    parameters : mapping
        Of the method.
    confidence, charges, simulated, neighbors
        See `EstimateRelease`.
    """

    KIND: ClassVar[str] = "distribution function"

    grid: FloatArray
    cdf: FloatArray
    noisy: FloatArray
    total: float
    epsilon: Fraction
    method: str
    smoothing: str | None
    parameters: Mapping[str, Any]

    @property
    def counts(self) -> FloatArray:
        """Numbers of records up to each grid point, shape (points,): `cdf` times the total."""
        return self.cdf * max(self.total, 1.0)

    @cached_property
    def band(self) -> FloatArray:
        """The "privacy" band, shape (2, points): for the curve of these very records."""
        return self._around(self._half_width(self.confidence), 0.0)

    @cached_property
    def sampling_band(self) -> FloatArray:
        """The "sampling + privacy" band, shape (2, points): for the population of the records.

        If the records are independent draws from it. Privacy and sampling may each fail in half of
        the cases that the confidence allows.
        """
        each = (1.0 + self.confidence) / 2.0
        half_width = self._half_width(each)
        # The noisy total is off by no more than any other sum.
        known = 0.0 if self.neighbors is Neighbors.REPLACE else half_width
        return self._around(half_width, sampling_half_width(self.total - known, each))

    @property
    def bands(self) -> dict[str, FloatArray]:
        """Both bands by the names that figures show."""
        return {"privacy": self.band, "sampling + privacy": self.sampling_band}

    @property
    def says_nothing(self) -> bool:
        """Whether the band leaves any curve possible: the area below it may be all or nothing.

        The last point counts for nothing, because all values lie below it by definition.
        """
        lower, upper = self.band[:, :-1] if self.grid.size > 1 else self.band
        return leaves_everything(float(lower.mean()), float(upper.mean()))

    def inverse(self, q: ArrayLike) -> FloatArray:
        """Quantiles: the first grid point at which the curve reaches each level (Algorithm 1).

        Parameters
        ----------
        q : array-like
            Levels in [0, 1].

        Returns
        -------
        float array of the shape of `q`

        Raises
        ------
        InvalidArgument
            If a level is not in [0, 1].
        """
        return self.grid[first_reaching(self.cdf, q)]

    def inverse_band(self, q: ArrayLike, *, sampling: bool = False) -> FloatArray:
        """Lowest and highest possible quantile at each level, for all levels at once.

        Parameters
        ----------
        q : array-like
            Levels in [0, 1].
        sampling : bool, default False
            Whether for the population ("sampling + privacy") rather than for these records.

        Returns
        -------
        float array, shape (2, *shape of q)
            Whenever the band holds the curve, the true quantile is above the first and at most the
            second: both are grid points, and never the same one. The first is minus infinity where
            the quantile may lie at or below the whole grid.

        Notes
        -----
        The curve is known at grid points only, so a quantile is known to a cell between two of them
        at best, however small the noise is.
        """
        lower, upper = self.sampling_band if sampling else self.band
        edges = np.concatenate([[-np.inf], self.grid])
        return np.stack([edges[first_reaching(upper, q)], self.grid[first_reaching(lower, q)]])

    def histogram(self, bins: int) -> tuple[FloatArray, FloatArray]:
        """Counts in bins whose noise shifts records between neighbours (Section 7 of the paper).

        The noise of a bin is the difference of two sums', so any union of adjacent bins is as
        accurate as one: unlike with independent noise, which grows with their number.

        Parameters
        ----------
        bins : int
            Public number of bins, at most one for each grid point.

        Returns
        -------
        edges, counts : float arrays, shape (bins,)
            Upper edge of each bin, which belongs to it, and its number of records. The first bin
            has no lower edge.
        """
        _check.integer_in_range(1, self.grid.size, bins=bins)
        last = np.linspace(0, self.grid.size, bins + 1).round().astype(np.int64)[1:] - 1
        return self.grid[last], np.diff(self.counts[last], prepend=0.0)

    def beside(self) -> dict[str, Any]:
        """Both bands, which are computed again from what was released."""
        return {"bands": self.bands}

    def _around(self, half_width: float, sampling: float) -> FloatArray:
        lower, upper = band_around(self.noisy, self.total, half_width, sampling)
        if self.smoothing is None:
            return np.stack([lower, upper])
        # Smoothing may carry the curve a little over the envelope; a picture must not show that.
        return np.stack([np.minimum(lower, self.cdf), np.maximum(upper, self.cdf)])

    def _half_width(self, confidence: float) -> float:
        """What the noise nowhere exceeds, in counts, with that confidence."""
        method, parameters = ecdf_methods()[self.method], tuple(self.parameters.items())
        law = NoiseLaw(method, parameters, self.grid.size, self.neighbors)
        return law.half_width(confidence) / float(self.epsilon)
