"""Noisy counts made monotone: the choices of `private_ecdf`."""

from __future__ import annotations

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.postprocess.monotone import isotonic
from dpcore.postprocess.smoothing import smooth_p1, smooth_p2

SMOOTHINGS = ("isotonic", "p1", "p2", None)


def smooth(noisy: FloatArray, total: float, smoothing: str | None) -> FloatArray:
    """Shares of the records up to each grid point.

    Parameters
    ----------
    noisy : float array, shape (points,)
        Noisy numbers of records.
    total
        Positive number of all records, public or noisy.
    smoothing
        "isotonic": nearest in L2. "p1", "p2": Eq. 3 of Barczewski et al., nearest in the metric of
        tree noise; made for the method "tree", usable with all. None: only divide.

    Returns
    -------
    float array, shape (points,)
        Unless smoothing is None: non-decreasing, in [0, 1], and 1 at the end, because values
        beyond the last grid point were moved to it.
    """
    _check.one_of(SMOOTHINGS, smoothing=smoothing)
    if smoothing is None:
        return noisy / total
    if smoothing == "isotonic":
        counts = isotonic(noisy, low=0.0, high=total)
    else:
        counts = (smooth_p1 if smoothing == "p1" else smooth_p2)(noisy, total)
    shares = np.minimum(counts / total, 1.0)
    shares[-1] = 1.0
    return shares
