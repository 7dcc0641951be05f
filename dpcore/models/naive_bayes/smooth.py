"""The naive Bayes of Zafarani and Clifton with noise that keeps its promise."""

from __future__ import annotations

from functools import partial
from typing import Any, Protocol

from dpcore._typing import FloatArray
from dpcore.mechanisms import Deviation, Grouped, Mean, SmoothCauchy, SmoothNoise, Statistic
from dpcore.models.additive import AdditiveModel
from dpcore.models.naive_bayes.attributes import ALLOCATION, fit_attributes
from dpcore.models.training import Training
from dpcore.privacy import Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate

__all__ = ["METHOD", "MakeNoise", "smooth", "smooth_numbers"]


class MakeNoise(Protocol):
    """Builds the mechanism of one statistic of every numeric feature in every class."""

    def __call__(
        self,
        loss: Loss,
        statistic: Statistic,
        *,
        n_columns: int,
        n_groups: int,
        neighbors: Neighbors,
    ) -> SmoothNoise:
        """The mechanism that spends `loss` on the statistic."""


def smooth_numbers(
    make: MakeNoise,
    training: Training,
    _: FloatArray,
    for_means: Loss,
    for_deviations: Loss,
    gate: Gate,
) -> tuple[FloatArray, FloatArray]:
    """Release means and standard deviations on the scale of [-1, 1].

    With `make` filled in it is one of the `Numbers` that `fit_attributes` takes; it needs no class
    sizes.

    Sensitivity
        Smooth, per class and feature; see `Mean` and `Deviation`.
    Privacy
        `for_means` and `for_deviations`, one charge each. The classes are disjoint: a record costs
        what one of them costs, and under replace the two that it leaves and enters.

    Returns
    -------
    means, deviations : float arrays, shape (classes, numeric features)
    """
    values = Grouped(training.rows.scaled, training.classes)

    def released(loss: Loss, statistic: Statistic, label: str) -> FloatArray:
        mechanism = make(
            loss,
            statistic,
            n_columns=values.columns.shape[1],
            n_groups=training.n_classes,
            neighbors=gate.neighbors,
        )
        return gate.release(mechanism, values, label=label)

    means = released(for_means, Mean(), "means")
    return means, released(for_deviations, Deviation(), "standard deviations")


def smooth(training: Training, *, loss: Loss, gate: Gate, allocation: float) -> AdditiveModel:
    """Train on counts, and on means and standard deviations by smooth sensitivity.

    Each number gets Cauchy noise in proportion to a smooth bound on what one record can change. The
    bound itself allows for a class size that is private, which the published one does not.

    Sensitivity
        Smooth for the numbers (`smooth_numbers`), global for the counts (`fit_attributes`).
    Privacy
        epsilon, in up to four charges, with the exact calibration of `SmoothCauchy`.

    References
    ----------
    F. Zafarani, C. Clifton (2020), Differentially private naive Bayes classifier using smooth
    sensitivity, Algorithm 1.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPNaiveBayes
    >>> model = DPNaiveBayes(method="smooth", classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0))
    >>> [charge.mechanism for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['Geometric', 'SmoothCauchy', 'SmoothCauchy']
    """
    numbers = partial(smooth_numbers, _mechanism)
    return fit_attributes(training, loss=loss, gate=gate, allocation=allocation, numbers=numbers)


def _mechanism(loss: Loss, statistic: Statistic, **public: Any) -> SmoothCauchy:
    return SmoothCauchy(epsilon=loss.epsilon, statistic=statistic, **public)


METHOD = Method(
    name="smooth",
    title="Smooth sensitivity",
    summary="Means and deviations with exactly calibrated Cauchy noise by smooth sensitivity.",
    run=smooth,
    guarantee=SmoothCauchy.guarantee,
    reference="Zafarani and Clifton 2020, Algorithm 1, with the exact Cauchy calibration",
    parameters=(ALLOCATION,),
)
