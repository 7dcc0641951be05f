"""Class probabilities from noisy class sizes."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray

__all__ = ["log_prior"]


def log_prior(sizes: FloatArray) -> FloatArray:
    """Log of the share of each class, one pseudo-record each; finite whatever the noise.

    Examples
    --------
    >>> np.exp(log_prior(np.array([29.0, 9.0, -4.0]))).round(3).tolist()
    [0.732, 0.244, 0.024]
    """
    filled = np.maximum(sizes, 0.0) + 1.0
    return np.asarray(np.log(filled / filled.sum()), dtype=np.float64)
