"""The naive Bayes of Zafarani and Clifton: repaired, with Gaussian noise, and as printed."""

from functools import partial
from typing import Any

from dpcore import mechanisms
from dpcore._typing import FloatArray
from dpcore.mechanisms.smooth import Grouped, Statistic
from dpcore.models.naive_bayes.attributes import fit_attributes
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate


def statistic_of_classes(
    law: type[mechanisms.SmoothNoise],
    statistic: Statistic,
    values: Grouped,
    n_classes: int,
    *,
    loss: Loss,
    gate: Gate,
    label: str,
) -> FloatArray:
    """A statistic of each class and column, with noise by smooth sensitivity; `loss` is charged."""
    told: dict[str, Any] = {"delta": loss.delta} if loss.delta else {}
    told |= {"n_columns": values.columns.shape[1], "n_groups": n_classes}
    mechanism = law(statistic=statistic, **told, **gate.terms(loss))
    return gate.release(mechanism, values, label=label)


def smooth_numbers(
    law: type[mechanisms.SmoothNoise],
    training: Training,
    _: FloatArray,
    for_means: Loss,
    for_deviations: Loss,
    gate: Gate,
) -> tuple[FloatArray, FloatArray]:
    """Release means and standard deviations on the scale of [-1, 1].

    With `law` filled in it is one of the `Numbers` that `fit_attributes` takes; it needs no class
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
    released = partial(
        statistic_of_classes, law, values=training.grouped, n_classes=training.n_classes, gate=gate
    )
    means = released(mechanisms.Mean(), loss=for_means, label="means")
    return means, released(mechanisms.Deviation(), loss=for_deviations, label="standard deviations")


def _declared(name: str, law: type[mechanisms.SmoothNoise]) -> Method:
    """Train on counts, and on means and standard deviations by smooth sensitivity.

    Each number gets noise in proportion to a smooth bound on what one record can change. The bound
    itself allows for a class size that is private, which the published one does not. Class sizes
    get geometric noise in place of the paper's Cauchy noise, which is less.

    Sensitivity
        Smooth for the numbers (`smooth_numbers`), global for the counts (`fit_attributes`).
    Privacy
        "smooth": epsilon, in up to four charges, with the exact calibration of `SmoothCauchy`.
        "smooth-gaussian": (epsilon, delta), delta in two halves for the means and for the standard
        deviations; the counts are pure. Delta is public: the paper's 1 / n and 1 / n^2 would give n
        away. "smooth-published": BROKEN, see `PublishedSmoothCauchy`; simulated noise only.

    References
    ----------
    F. Zafarani, C. Clifton (2020), Differentially private naive Bayes classifier using smooth
    sensitivity, Algorithm 1.
    """
    run = partial(fit_attributes, numbers=partial(smooth_numbers, law))
    return Method.told(name, __file__, run=run, guarantee=law.guarantee)


METHOD = (
    _declared("smooth", mechanisms.SmoothCauchy),
    _declared("smooth-gaussian", mechanisms.SmoothGaussian),
    _declared("smooth-published", mechanisms.PublishedSmoothCauchy),
)
