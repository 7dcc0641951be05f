"""A ROC curve from very few noisy counts: the average of all plausible binormal curves."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from dpcore._typing import FloatArray

# A grid of binormal curves tpr = Phi(a + b Phi^-1(fpr)), from useless to perfect, and how
# plausible each is before any data: separations around 1.8, slopes slightly below one.
_SEPARATION = np.linspace(-1.0, 5.0, 31)[:, None, None]
_SLOPE = np.exp(np.linspace(-0.9, 0.5, 15))[None, :, None]
_PRIOR = -(((_SEPARATION - 1.8) / 2.0) ** 2 + ((np.log(_SLOPE) + 0.2) / 0.25) ** 2)[..., 0] / 2.0
# Knots nearer to the ends are moved here: their place in the far tails is not known that well.
_NEAREST = 1e-4


def binormal_curve(
    at: FloatArray, fpr: FloatArray, counts: FloatArray, scale: float
) -> tuple[FloatArray, float]:
    """Posterior mean of a binormal ROC curve, given noisy counts of the positive class in bins.

    Parameters
    ----------
    at : float array, shape (points,)
        Where to evaluate the curve, as false positive rates.
    fpr : float array, shape (bins + 1,)
        Rates at the ends of the bins, from 0 to 1, non-decreasing.
    counts : float array, shape (bins,)
        Noisy counts of positive records in the bins; their sum, or one, stands for the class size.
    scale : float
        Scale of the Laplace noise on a count.

    Returns
    -------
    tpr : float array, shape (points,)
        Non-decreasing in `at`, from 0 at 0 to 1 at 1.
    misfit : float
        Sum over bins of the distance between count and curve, in scales. Noise alone adds about
        one per bin; much more says that the curve is not binormal.

    References
    ----------
    C. E. Metz (1986), ROC methodology in radiologic imaging, Investigative Radiology 21(9).
    doi:10.1097/00004424-198609000-00009

    Examples
    --------
    >>> ends, counts = np.array([0.0, 0.1, 0.4, 1.0]), np.array([70.0, 25.0, 5.0])
    >>> tpr, misfit = binormal_curve(np.array([0.0, 0.1, 0.4, 1.0]), ends, counts, scale=2.0)
    >>> tpr.round(2).tolist(), misfit < 3
    ([0.0, 0.7, 0.94, 1.0], True)
    """
    inner = fpr.size - 2
    knots = np.clip(fpr[1:-1], _NEAREST, 1.0 - _NEAREST)
    curves = ndtr(_SEPARATION + _SLOPE * ndtri(np.concatenate([knots, at])))
    total = max(float(counts.sum()), 1.0)
    shares = np.diff(curves[..., :inner], axis=-1, prepend=0.0, append=1.0)
    plausibility = _PRIOR - np.abs(counts - total * shares).sum(axis=-1) / scale
    weight = np.exp(plausibility - plausibility.max())
    weight /= weight.sum()
    mean = np.tensordot(weight, curves, axes=2)
    expected = total * np.diff(mean[:inner], prepend=0.0, append=1.0)
    misfit = float(np.abs(counts - expected).sum() / scale)
    # The weights add up to one only nearly.
    tpr = np.where(at >= 1.0, 1.0, np.minimum(mean[inner:], 1.0))
    return np.asarray(tpr, dtype=np.float64), misfit
