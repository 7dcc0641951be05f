"""Randomness for simulations and for computing with published numbers: never private.

This is not privacy noise, and no release may be built from it. A band or a p-value is an integral
over the known law of noise that was already drawn and published with; a pseudo-random generator
approximates that integral. Everything that enters is public, the seed too, so that anybody who
holds the release finds the same digits again. It lives here because all randomness does: see
`dpcore.noise` for the sources that protect data.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import NoReturn, TypeAlias

import numpy as np

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray, IntArray, NDArray
from dpcore.noise.system import checked_scale, finite_support

# For annotations elsewhere, where a mention of numpy's random module is an error.
Generator: TypeAlias = np.random.Generator


def monte_carlo(seed: int) -> Generator:
    """A generator for integrals over public numbers, the same for the same seed.

    Parameters
    ----------
    seed
        Zero or positive, and public.

    Examples
    --------
    >>> monte_carlo(7).integers(0, 100, 3).tolist() == monte_carlo(7).integers(0, 100, 3).tolist()
    True
    """
    _check.integer_in_range(0, None, seed=seed)
    return np.random.default_rng(int(seed))


def in_square(generator: Generator, draws: int) -> FloatArray:
    """Points of the plane with density exp(-largest absolute coordinate), shape (2, draws).

    A point uniform in the square, stretched by a Gamma variable of shape 3.

    Examples
    --------
    >>> in_square(monte_carlo(7), 3).shape
    (2, 3)
    """
    return generator.gamma(3.0, size=draws) * generator.uniform(-1.0, 1.0, size=(2, draws))


def seed_from(*released: NDArray[np.int64] | FloatArray) -> int:
    """A seed that is a function of released arrays, so that it is public as they are.

    Examples
    --------
    >>> seed_from(np.arange(3)) == seed_from(np.arange(3))
    True
    >>> seed_from(np.arange(3)) == seed_from(np.arange(4))
    False
    """
    digest = hashlib.sha256()
    for values in released:
        digest.update(np.ascontiguousarray(values).tobytes())
    return int.from_bytes(digest.digest()[:8], "big")


class SeededNoise:
    """Repeatable noise from a seed, for teaching, tests and previews.

    Parameters
    ----------
    seed : int
        Zero or positive. The same seed gives the same draws.

    Notes
    -----
    Every draw maps one uniform number through an inverse distribution function. The same seed with
    another epsilon therefore gives the *same* randomness on another scale, and a picture moves
    smoothly, without flicker, when somebody drags epsilon.

    Examples
    --------
    >>> SeededNoise(1).discrete_laplace(10.0, 4).tolist()
    [37, 1, -3, 1]
    >>> SeededNoise(1).simulated
    True
    """

    simulated = True

    def __init__(self, seed: int) -> None:
        _check.integer_in_range(0, None, seed=seed)
        self.seed = int(seed)
        self._generator = np.random.default_rng(self.seed)

    def child(self, label: str) -> SeededNoise:
        """An independent source, the same for the same seed and label."""
        digest = hashlib.sha256(f"{self.seed}/{label}".encode()).digest()
        return SeededNoise(int.from_bytes(digest[:8], "big"))

    def discrete_laplace(self, scale: float | Fraction, size: int) -> IntArray:
        """Draw integers z with probability proportional to exp(-abs(z) / scale)."""
        width = checked_scale(scale)
        centred = 2.0 * self.uniform(size) - 1.0
        # P(|Z| >= k) = 2 r^k / (1 + r) for k >= 1, with r = exp(-1/scale); the largest k whose tail
        # is at least abs(centred) has exactly that law, and the sign is independent of it.
        ratio_shift = np.log1p(np.exp(-1.0 / width)) - np.log(2.0)
        magnitude = np.floor(-width * (np.log(np.abs(centred)) + ratio_shift))
        signed: FloatArray = np.sign(centred) * np.maximum(magnitude, 0.0)
        return signed.astype(np.int64)

    def uniform(self, size: int) -> FloatArray:
        """Draw numbers uniformly from the open interval (0, 1)."""
        # As `integers(0, 2**52, size)` of the generator, which takes twice as long for a few.
        words = self._generator.bit_generator.random_raw(size) >> 12
        return (words.astype(np.float64) + 0.5) * 2.0**-52

    def choose(self, log_weights: FloatArray) -> int:
        """Draw an index with probability proportional to exp(log_weights[index])."""
        support = finite_support(log_weights)
        known = log_weights if support.size == log_weights.size else log_weights[support]
        cumulative = np.exp(known - known.max()).cumsum()
        position = self.uniform(1)[0] * cumulative[-1]
        return int(support[min(cumulative.searchsorted(position), support.size - 1)])

    def coins(self, size: int, probability: float) -> BoolArray:
        """Flip independent coins that come up True with this probability."""
        _check.integer_in_range(0, None, size=size)
        _check.in_range(0, 1, probability=probability)
        return self.uniform(size) < probability

    def __repr__(self) -> str:
        """Show the seed; scikit-learn prints it among an estimator's parameters."""
        return f"SeededNoise({self.seed})"

    def __sklearn_clone__(self) -> SeededNoise:
        """Share the stream: clones that copied it would all draw identical noise."""
        return self


class NoiseOff:
    """No noise at all, to show what the noise costs: never private, and never released.

    A method that draws from it runs as it would with noise, at the same epsilon: same cells, same
    shares, same regularisation. So what differs from a noisy run is the noise alone. The gate asks
    a mechanism for `without_noise` where it has one; discrete Laplace noise is zero here, and every
    other draw is an error rather than noise by accident.

    Examples
    --------
    >>> NoiseOff().discrete_laplace(10.0, 3).tolist(), NoiseOff().simulated
    ([0, 0, 0], True)
    """

    # Nobody can tell an exact number from noise that was repeated: neither may be called private.
    simulated = True

    def discrete_laplace(self, scale: float | Fraction, size: int) -> IntArray:
        """Zeros: the limit of a small scale. A scale that noise could not have is still refused."""
        checked_scale(scale)
        return np.zeros(size, dtype=np.int64)

    def uniform(self, *_: object, **__: object) -> NoReturn:
        """Refuse: which number would be none of the noise is known to the mechanism alone."""
        raise NotImplementedError("whoever draws this has to say what it is without noise")

    choose = coins = uniform

    def __repr__(self) -> str:
        """There is nothing to tell one from another."""
        return "NoiseOff()"

    def __sklearn_clone__(self) -> NoiseOff:
        """There is one absence of noise."""
        return self
