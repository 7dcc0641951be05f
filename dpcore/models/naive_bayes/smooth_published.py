"""The naive Bayes of Zafarani and Clifton as printed, for simulations."""

from __future__ import annotations

from functools import partial
from typing import Any

from dpcore.mechanisms import PublishedSmoothCauchy, Statistic
from dpcore.models.additive import AdditiveModel
from dpcore.models.naive_bayes.attributes import ALLOCATION, fit_attributes
from dpcore.models.naive_bayes.smooth import smooth_numbers
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate

__all__ = ["METHOD", "smooth_published"]


def smooth_published(
    training: Training, *, loss: Loss, gate: Gate, allocation: float
) -> AdditiveModel:
    """Train on counts, and on means and standard deviations with the printed Cauchy noise.

    Class sizes get geometric noise in place of the paper's Cauchy noise, which is less.

    Sensitivity
        As for `smooth`.
    Privacy
        BROKEN: see `PublishedSmoothCauchy`. It runs with simulated noise only.

    References
    ----------
    F. Zafarani, C. Clifton (2020), Differentially private naive Bayes classifier using smooth
    sensitivity, Algorithm 1.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPNaiveBayes
    >>> model = DPNaiveBayes(
    ...     method="smooth-published", classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0)
    ... )
    >>> [charge.mechanism for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['Geometric', 'PublishedSmoothCauchy', 'PublishedSmoothCauchy']
    """
    numbers = partial(smooth_numbers, _mechanism)
    return fit_attributes(training, loss=loss, gate=gate, allocation=allocation, numbers=numbers)


def _mechanism(loss: Loss, statistic: Statistic, **public: Any) -> PublishedSmoothCauchy:
    return PublishedSmoothCauchy(epsilon=loss.epsilon, statistic=statistic, **public)


METHOD = Method(
    name="smooth-published",
    title="Smooth sensitivity as published",
    summary="Means and deviations with the printed Cauchy noise, which is not private.",
    run=smooth_published,
    guarantee=PublishedSmoothCauchy.guarantee,
    reference="Zafarani and Clifton 2020, Algorithm 1",
    parameters=(ALLOCATION,),
)
