"""Means and standard deviations by smooth sensitivity: shared by the smooth methods."""

from __future__ import annotations

from typing import Protocol

from dpcore._typing import FloatArray
from dpcore.mechanisms import Deviation, Grouped, Mean, SmoothNoise, Statistic
from dpcore.models.training import Training
from dpcore.privacy import Loss, Neighbors
from dpcore.release import Gate

__all__ = ["MakeNoise", "smooth_numbers"]


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
