"""Where an AUC may lie: of these records, given the noise, and of the population they are from."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from dpcore._typing import FloatArray
from dpcore.evaluation.auc.pair_count import NoisySizes, PairCount
from dpcore.evaluation.estimates import Interval, ends
from dpcore.noise.seeded import Generator, monte_carlo, seed_from

_DRAWS = 20_000


class Sizes(NamedTuple):
    """Possible numbers of records in each class, at least one, shape (draws,) each."""

    negatives: FloatArray
    positives: FloatArray


def pair_interval(counted: PairCount, confidence: float, *, lowest: float = 0.0) -> Interval:
    """Interval for the AUC of these records, from a noisy count and its known noise.

    Parameters
    ----------
    counted : PairCount
    confidence : float
        Chance, at least nearly, that the interval holds the AUC.
    lowest : float, default 0
        Of what is possible: -1 for a difference of two areas.

    Notes
    -----
    What was released is what is true plus noise of a known law. Noise is drawn anew, taken from
    what was released, and the AUC that is left computed: quantiles of many such draws are the ends.
    What the draws say is a function of released numbers, so it is public as they are.
    """
    sizes = counted.sizes
    generator = monte_carlo(seed_from(np.array([sizes.negatives, sizes.positives, counted.excess])))
    drawn = drawn_sizes(sizes, generator)
    excess = counted.excess - counted.scale * generator.laplace(size=_DRAWS)
    areas = counted.centre + excess / (drawn.negatives * drawn.positives)
    return ends(areas, confidence, lowest=lowest)


def drawn_sizes(sizes: NoisySizes, generator: Generator) -> Sizes:
    """Class sizes less noise of the law that was added to them."""
    scales = np.array(sizes.weights) * np.array(sizes.scales)
    noise = np.tensordot(scales, generator.laplace(size=(scales.size, 2, _DRAWS)), axes=1)
    if sizes.total_is_public:
        noise[1] = -noise[0]
    negatives, positives = sizes.negatives - noise[0], sizes.positives - noise[1]
    return Sizes(np.maximum(negatives, 1.0), np.maximum(positives, 1.0))


def sampling_deviation(auc: float, negatives: float, positives: float) -> float:
    """Standard deviation of the AUC of so many independent records of each class.

    References
    ----------
    J. A. Hanley, B. J. McNeil (1982), The meaning and use of the area under a receiver operating
    characteristic (ROC) curve, Radiology 143(1). doi:10.1148/radiology.143.1.7063747

    Examples
    --------
    >>> round(sampling_deviation(0.8, 100, 100), 4)
    0.0314
    """
    n, p = max(negatives, 1.0), max(positives, 1.0)
    auc = min(max(auc, 0.0), 1.0)
    # Of two positives and a negative both above it; of a positive and two negatives both below.
    one, other = auc / (2.0 - auc), 2.0 * auc**2 / (1.0 + auc)
    spread = auc * (1.0 - auc) + (p - 1.0) * (one - auc**2) + (n - 1.0) * (other - auc**2)
    return math.sqrt(max(spread, 0.0) / (n * p))


def with_sampling(
    estimate: float, interval: Interval, confidence: float, deviations: Interval
) -> Interval:
    """An interval for the population: each arm and that of the sampling, combined as errors are.

    Parameters
    ----------
    estimate : float
    interval : (float, float)
        For these records.
    confidence : float
        Of both.
    deviations : (float, float)
        Standard deviation of the sampling, at either end of the interval.
    """
    reach = float(ndtri((1.0 + confidence) / 2.0))
    low = estimate - math.hypot(estimate - interval[0], reach * deviations[0])
    high = estimate + math.hypot(interval[1] - estimate, reach * deviations[1])
    return low, high
