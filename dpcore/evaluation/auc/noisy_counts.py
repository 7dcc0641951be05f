"""Noisy counts of pairs as they were released, the AUC that they say, and those they leave."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.evaluation.estimates import laplace_draws, square_draws
from dpcore.mechanisms.counts.pairs_and_sizes import PairsAndSizes

_DRAWS = 20_000


@dataclass(frozen=True)
class NoisySizes:
    """Released sizes of both classes and the noise on them.

    Parameters
    ----------
    negatives, positives
        Means of one or two noisy counts, weighted by their precision.
    weights
        Of the noisy counts in the means.
    scales
        Of the discrete Laplace noise of each.
    total_is_public
        Then what noise adds to one size it takes from the other.
    """

    negatives: float
    positives: float
    weights: tuple[float, ...]
    scales: tuple[float, ...]
    total_is_public: bool

    @property
    def spread(self) -> float:
        """Scale of the noise on either size, of one Laplace variable of the same variance."""
        return float(np.hypot.reduce(np.array(self.weights) * np.array(self.scales)))


@dataclass(frozen=True)
class PairCount:
    """A noisy centred count of pairs, and all that is needed to read an AUC from it.

    Parameters
    ----------
    centre
        What was expected of each pair.
    excess
        Noisy sum over pairs of 1 if the positive scores higher, a half if they tie, less the
        centre.
    scale
        Of its noise, in pairs.
    """

    sizes: NoisySizes
    centre: float
    excess: float
    scale: float

    @property
    def pairs(self) -> float:
        """Noisy number of pairs, at least one."""
        return max(self.sizes.negatives, 1.0) * max(self.sizes.positives, 1.0)

    @property
    def auc(self) -> float:
        """The estimate, moved into [0, 1]."""
        return float(np.clip(self.centre + self.excess / self.pairs, 0.0, 1.0))

    def possible(self) -> FloatArray:
        """Areas that are left if noise of this law is drawn and taken from what was released."""
        scales = np.array(self.sizes.weights) * np.array(self.sizes.scales)
        laplace = laplace_draws(1 + 2 * scales.size, _DRAWS)
        noise = np.tensordot(scales, laplace[1:].reshape(scales.size, 2, _DRAWS), axes=1)
        if self.sizes.total_is_public:
            noise[1] = -noise[0]
        negatives, positives = self.sizes.negatives - noise[0], self.sizes.positives - noise[1]
        pairs = np.maximum(negatives, 1.0) * np.maximum(positives, 1.0)
        areas = self.centre + (self.excess - self.scale * laplace[0]) / pairs
        return np.asarray(areas, dtype=np.float64)


class Sizes(NamedTuple):
    """Noisy numbers of records of both classes."""

    negatives: float
    positives: float


@dataclass(frozen=True)
class SignCount:
    """A noisy sum of signs over pairs and both noisy sizes, released together.

    Parameters
    ----------
    mechanism
        Which released them: it says how much noise there is.
    released : int array, shape (3,)
        Sum over pairs of 1 if the positive scores higher, and -1 if lower; sizes of the rarer class
        (finer) and of the other.
    first
        Sizes of the rarer class and of the other, released before.
    scale
        Of the noise on those.
    """

    mechanism: PairsAndSizes
    released: IntArray
    first: tuple[int, int]
    scale: float
    positives_are_rarer: bool

    @property
    def sizes(self) -> Sizes:
        """Means of both releases of each, weighted by their precision."""
        _, finer, of_other = self.released.tolist()
        both = (finer / self.mechanism.by_rarer, of_other)
        told = zip(self._weights, self.first, both, strict=True)
        rarer, other = (weight * old + (1.0 - weight) * now for weight, old, now in told)
        return Sizes(other, rarer) if self.positives_are_rarer else Sizes(rarer, other)

    @property
    def auc(self) -> float:
        """The estimate, moved into [0, 1]."""
        negatives, positives = self.sizes
        pairs = max(negatives, 1.0) * max(positives, 1.0)
        return float(np.clip(0.5 + float(self.released[0]) / (2.0 * pairs), 0.0, 1.0))

    @property
    def _weights(self) -> tuple[float, float]:
        """Of the sizes released before: the rarer class's and the other's."""
        # Variances of the noise in the square, and of both Laplace ones.
        before, of_other = 2.0 * self.scale**2, 2.0 * float(self.mechanism.other_scale) ** 2
        of_rarer = 4.0 / float(self.mechanism.per_record) ** 2
        return of_rarer / (of_rarer + before), of_other / (of_other + before)

    def possible(self) -> FloatArray:
        """Areas that are left if noise of this law is drawn and taken from what was released."""
        laplace, (of_rarer, of_other) = laplace_draws(3, _DRAWS), self._weights
        on_signs, on_rarer = square_draws(_DRAWS) / float(self.mechanism.per_record)
        rarer = (1.0 - of_rarer) * on_rarer + of_rarer * self.scale * laplace[0]
        other = (1.0 - of_other) * float(self.mechanism.other_scale) * laplace[1]
        other += of_other * self.scale * laplace[2]
        on = (other, rarer) if self.positives_are_rarer else (rarer, other)
        signs = float(self.released[0]) - self.mechanism.by_rarer * on_signs
        negatives, positives = (np.maximum(a - b, 1.0) for a, b in zip(self.sizes, on, strict=True))
        return np.asarray(0.5 + signs / (2.0 * negatives * positives), dtype=np.float64)
