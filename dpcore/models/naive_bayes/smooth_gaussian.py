"""Smooth sensitivity with Gaussian noise: approximate privacy."""

from __future__ import annotations

from functools import partial
from typing import Any

from dpcore.mechanisms import SmoothGaussian, Statistic
from dpcore.models.additive import AdditiveModel
from dpcore.models.naive_bayes.attributes import ALLOCATION, fit_attributes
from dpcore.models.naive_bayes.smooth import smooth_numbers
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.registry import Method, Parameter
from dpcore.release import Gate

__all__ = ["METHOD", "smooth_gaussian"]


def smooth_gaussian(
    training: Training, *, loss: Loss, gate: Gate, allocation: float
) -> AdditiveModel:
    """Train on counts, and on means and standard deviations with Gaussian noise.

    Sensitivity
        As for `smooth`.
    Privacy
        (epsilon, delta), delta in two halves for the means and for the standard deviations; the
        counts are pure. Delta is public: the paper's 1 / n and 1 / n^2 would give n away.

    References
    ----------
    F. Zafarani, C. Clifton (2020), Differentially private naive Bayes classifier using smooth
    sensitivity, Algorithm 1.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPNaiveBayes
    >>> model = DPNaiveBayes(
    ...     method="smooth-gaussian", classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0)
    ... )
    >>> [charge.mechanism for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['Geometric', 'SmoothGaussian', 'SmoothGaussian']
    """
    numbers = partial(smooth_numbers, _mechanism)
    return fit_attributes(training, loss=loss, gate=gate, allocation=allocation, numbers=numbers)


def _mechanism(loss: Loss, statistic: Statistic, **public: Any) -> SmoothGaussian:
    return SmoothGaussian(epsilon=loss.epsilon, delta=loss.delta, statistic=statistic, **public)


METHOD = Method(
    name="smooth-gaussian",
    title="Smooth sensitivity, Gaussian",
    summary="Means and deviations with Gaussian noise by smooth sensitivity, at a small delta.",
    run=smooth_gaussian,
    guarantee=SmoothGaussian.guarantee,
    reference="Zafarani and Clifton 2020, Section 7.2; Nissim et al. 2007",
    parameters=(
        ALLOCATION,
        Parameter(
            name="delta",
            kind=float,
            default=1e-6,
            minimum=1e-12,
            maximum=0.01,
            log=True,
            label="Delta",
            help="Probability excused from epsilon: public, far below one over the records.",
        ),
    ),
)
