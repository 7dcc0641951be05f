"""The tightest monotone band around a noisy curve."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray

__all__ = ["monotone_envelope"]


def monotone_envelope(noisy: FloatArray, reach: float) -> tuple[FloatArray, FloatArray]:
    """All monotone curves within [0, 1] that stay within `reach` of a noisy one, as two curves.

    Parameters
    ----------
    noisy : float array, shape (points,)
    reach : float
        Zero or positive; infinity gives the whole square.

    Returns
    -------
    lower, upper : float arrays, shape (points,)
        Both non-decreasing. A monotone curve that is nowhere farther than `reach` from the noisy
        one lies between them. They cross if there is no such curve.

    Examples
    --------
    >>> lower, upper = monotone_envelope(np.array([0.3, 0.2, 0.8]), 0.1)
    >>> lower.round(3).tolist(), upper.round(3).tolist()
    ([0.2, 0.2, 0.7], [0.3, 0.3, 0.9])
    """
    lower = np.maximum.accumulate(noisy - reach)
    upper = np.minimum.accumulate((noisy + reach)[::-1])[::-1]
    return np.clip(lower, 0.0, 1.0), np.clip(upper, 0.0, 1.0)
