"""Histograms whose noise shifts records between adjacent bins, from a private ECDF."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpcore import _check
from dpcore._notebook import Shown
from dpcore._typing import ArrayLike, FloatArray
from dpcore.evaluation.ecdf.api import private_ecdf
from dpcore.evaluation.ecdf.ecdf_release import EcdfRelease
from dpcore.exported import Exported
from dpcore.privacy import Charge, Number


@dataclass(frozen=True, eq=False, repr=False)
class HistogramRelease(Exported, Shown):
    """A released histogram: nothing in it is private.

    Parameters
    ----------
    ecdf : EcdfRelease
        The distribution function at the upper edges of the bins.
    """

    KIND: ClassVar[str] = "histogram"

    ecdf: EcdfRelease

    @property
    def edges(self) -> FloatArray:
        """Upper edge of each bin, which belongs to it, shape (bins,); the first has no lower."""
        return self.ecdf.grid

    @property
    def counts(self) -> FloatArray:
        """Numbers of records, shape (bins,): non-negative if smoothed; they add up to the total."""
        return self.ecdf.histogram(self.edges.size)[1]

    @property
    def charges(self) -> tuple[Charge, ...]:
        """What the ledger recorded."""
        return self.ecdf.charges

    @property
    def simulated(self) -> bool:
        """True if the noise can be repeated: such a histogram must never be called private."""
        return self.ecdf.simulated

    def beside(self) -> dict[str, Any]:
        """Edges and counts of the bins, which are differences of what was released."""
        return {"edges": self.edges, "counts": self.counts}

    def share_between(self, first: int, last: int) -> tuple[float, float, float]:
        """Lowest possible, released and highest possible share of the records in adjacent bins.

        Parameters
        ----------
        first, last : int
            Positions of bins; both belong to the range.

        Returns
        -------
        lower, share, upper : float
            From the privacy band: true of all ranges at once, with its confidence.

        Raises
        ------
        InvalidArgument
            If there are no such bins.
        """
        _check.integer_in_range(0, self.edges.size - 1, last=last)
        _check.integer_in_range(0, last, first=first)
        lower, upper = (np.append(0.0, side) for side in self.ecdf.band)
        cdf = np.append(0.0, self.ecdf.cdf)
        low = max(float(lower[last + 1] - upper[first]), 0.0)
        high = min(float(upper[last + 1] - lower[first]), 1.0)
        return low, float(cdf[last + 1] - cdf[first]), high


def private_histogram(
    values: ArrayLike,
    *,
    edges: ArrayLike,
    epsilon: Number,
    method: str = "hierarchical",
    **options: Any,
) -> HistogramRelease:
    """Release a histogram as differences of a private distribution function.

    The noise of a bin is that at its upper edge less that at its lower edge: noise at an edge
    shifts records from one bin to the next one and leaves all others alone. So the error of a range
    of adjacent bins is that of two sums, however many bins it has, and grows with the logarithm of
    the number of all bins. With independent noise on every bin (the method "flat") it grows with
    the square root of the number of bins in the range.

    Parameters
    ----------
    values : array-like, shape (n,)
        One value for each record; values beyond the last edge are moved to it.
    edges : array-like, shape (bins,)
        Public upper edges of the bins, strictly increasing.
    epsilon : int, float, str or Fraction
        Privacy loss of the whole histogram; positive.
    method : str, default "hierarchical"
        A name from `ecdf_methods`; "tree" is the paper's, "flat" the usual independent noise.
    **options
        As for `private_ecdf`: smoothing, neighbors, noise, ledger, part, confidence, and parameters
        of the method.

    Returns
    -------
    HistogramRelease

    Raises
    ------
    InvalidArgument, UnknownMethod, MovablePart, PrivacyError
        As `private_ecdf` does.

    Sensitivity
        That of the counts of the bins: add-remove 1, replace 2; the method divides it up.
    Privacy
        epsilon-DP in the given relation; one charge. Differences are post-processing.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Section 7.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> incomes = [12_000, 27_000, 31_000, 44_000, 44_500] * 400
    >>> steps = range(5_000, 105_000, 5_000)
    >>> found = private_histogram(incomes, edges=steps, epsilon=1, noise=SeededNoise(1))
    >>> bool(abs(found.counts[8] - 800) < 50), len(found.charges)
    (True, 1)
    """
    told = {"epsilon": epsilon, "method": method, **options}
    with _check.called(lambda name: name.replace("grid", "edges")):
        return HistogramRelease(private_ecdf(values, grid=edges, **told))
