"""Naive Bayes from trimmed means, the comparator of Zafarani and Clifton."""

from functools import partial

import numpy as np

from dpcore._typing import FloatArray
from dpcore.mechanisms import SmoothCauchy, TrimmedMean
from dpcore.mechanisms.smooth import Grouped
from dpcore.models.additive import AdditiveModel
from dpcore.models.naive_bayes.attributes import fit_attributes
from dpcore.models.naive_bayes.smooth import statistic_of_classes
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate


def trimmed(
    training: Training, *, loss: Loss, gate: Gate, allocation: float, trim: int
) -> AdditiveModel:
    """Train on counts, and on trimmed means of every number and of its square.

    The variance is what the two trimmed means make it, E[x^2] - E[x]^2, as in the paper.

    Parameters
    ----------
    trim
        How many of the smallest and of the largest values of a class are left out; public.

    Sensitivity
        Smooth for the means (`TrimmedMean`), global for the counts (`fit_attributes`).
    Privacy
        epsilon, in up to four charges, with the exact calibration of `SmoothCauchy`.

    References
    ----------
    M. Bun, T. Steinke (2019), Average-case averages: private algorithms for smooth sensitivity and
    mean estimation, NeurIPS. arXiv:1906.02830
    F. Zafarani, C. Clifton (2020), Section 5.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPNaiveBayes
    >>> model = DPNaiveBayes(method="trimmed", classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0))
    >>> [charge.label for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['class sizes', 'means', 'means of squares']
    """
    numbers = partial(_numbers, trim)
    return fit_attributes(training, loss=loss, gate=gate, allocation=allocation, numbers=numbers)


def _numbers(
    trim: int, training: Training, _: FloatArray, for_means: Loss, for_squares: Loss, gate: Gate
) -> tuple[FloatArray, FloatArray]:
    values, trimmed_mean = training.rows.scaled, TrimmedMean(trim)
    released = partial(
        statistic_of_classes, SmoothCauchy, trimmed_mean, n_classes=training.n_classes, gate=gate
    )
    # Squares lie in [0, 1]: 2 u^2 - 1 fills the bounds that a statistic has.
    releases = ((for_means, values, "means"), (for_squares, 2 * values**2 - 1, "means of squares"))
    means, squares = (
        released(values=Grouped(columns, training.classes), loss=loss, label=label)
        for loss, columns, label in releases
    )
    return means, np.sqrt(np.maximum((squares + 1.0) / 2.0 - means**2, 0.0))


METHOD = Method.told("trimmed", __file__, run=trimmed, guarantee=SmoothCauchy.guarantee)
