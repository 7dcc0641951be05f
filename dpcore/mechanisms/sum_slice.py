"""Points of an octahedron with a given sum: how many there are, and one at random."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import gammaln

from dpcore._typing import FloatArray
from dpcore.noise import NoiseSource

__all__ = ["log_volume", "point_of_slice"]


def log_volume(size: int, sums: FloatArray) -> FloatArray:
    """Log-volume of {v in R^size : sum |v| <= 1, sum v = t} for sums t in (-1, 1), shape (m,).

    In the coordinates of all entries but one.

    Examples
    --------
    >>> np.exp(log_volume(2, np.array([0.0, 0.5]))).round(3).tolist()
    [1.0, 1.0]
    """
    logs = _log_weights(size, np.abs(np.asarray(sums, dtype=np.float64)))
    return np.asarray(np.logaddexp.reduce(logs, axis=1), dtype=np.float64)


def point_of_slice(size: int, total: float, noise: NoiseSource) -> FloatArray:
    """A uniform point of {v in R^size : sum |v| <= 1, sum v = total}, shape (size,).

    Notes
    -----
    Which k entries are positive is drawn by the volumes of the pieces; then what the positive ones
    add up to, by rejection; the entries of one sign are uniform in a simplex. For a negative total
    everything is turned round.

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> point = point_of_slice(5, 0.25, SeededNoise(0))
    >>> bool(np.isclose(point.sum(), 0.25)), bool(np.abs(point).sum() <= 1)
    (True, True)
    """
    if size == 1:
        return np.array([total])
    share = abs(total)
    positives = 1 + noise.choose(_log_weights(size, np.array([share]))[0])
    above = share if positives == size else _positive_sum(positives, size, share, noise)
    entries = -np.log(noise.uniform(size))
    first, rest = entries[:positives], entries[positives:]
    signed = np.concatenate([first / first.sum() * above, -rest / rest.sum() * (above - share)])
    order = noise.uniform(size).argsort()
    return np.asarray(np.copysign(1.0, total) * signed[order], dtype=np.float64)


def _positive_sum(positives: int, size: int, total: float, noise: NoiseSource) -> float:
    """Draw p in [total, (1 + total) / 2] with density ~ p^(k-1) (p - total)^(size-k-1).

    Written as P - u with P = (1 + total) / 2 and M = (1 - total) / 2 it is (P - u)^a (M - u)^b: the
    steeper factor makes the proposal, the other accepts, more than every other time or so.
    """
    bounds = [(positives - 1, (1.0 + total) / 2.0), (size - positives - 1, (1.0 - total) / 2.0)]
    (gentle, far), (steep, near) = sorted(bounds, key=lambda pair: pair[0] / pair[1])
    while True:
        first, second = noise.uniform(2)
        drop = near * -np.expm1(np.log(first) / (steep + 1))
        if drop < far and second < (1.0 - drop / far) ** gentle:
            return float((1.0 + total) / 2.0 - drop)


@lru_cache(maxsize=128)
def _pieces(size: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Log-coefficients of the pieces with k positive entries, and a rule exact for them."""
    k = np.arange(1, size)
    choices = gammaln(size + 1) - gammaln(k + 1) - gammaln(size - k + 1)
    nodes, weights = np.polynomial.legendre.leggauss(size // 2 + 1)
    return choices - gammaln(k) - gammaln(size - k), nodes, weights


def _log_weights(size: int, sums: FloatArray) -> FloatArray:
    """Log-volumes of the pieces with 1, ..., size positive entries, for sums >= 0."""
    t = sums[:, np.newaxis]
    with np.errstate(divide="ignore"):
        whole = (size - 1) * np.log(t) - gammaln(size)
    if size == 1:
        return np.zeros_like(t)
    coefficients, nodes, weights = _pieces(size)
    half = (1.0 - t) / 4.0
    minus = half * (1.0 + nodes)
    plus = t + minus
    k = np.arange(1, size)[:, np.newaxis, np.newaxis]
    logs = (k - 1) * np.log(plus) + (size - k - 1) * np.log(minus) + np.log(weights * half)
    mixed = np.logaddexp.reduce(logs, axis=2).T + coefficients
    return np.hstack([mixed, whole])
