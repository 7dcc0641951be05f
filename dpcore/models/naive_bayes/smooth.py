"""The naive Bayes of Zafarani and Clifton: repaired, Gaussian, as printed, and its comparator."""

from functools import partial
from typing import Any

import numpy as np

from dpcore import mechanisms
from dpcore._typing import FloatArray
from dpcore.mechanisms.smooth import Grouped, Statistic
from dpcore.models.additive import AdditiveModel
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
    numbers = partial(_trimmed_numbers, trim)
    return fit_attributes(training, loss=loss, gate=gate, allocation=allocation, numbers=numbers)


def _trimmed_numbers(
    trim: int, training: Training, _: FloatArray, for_means: Loss, for_squares: Loss, gate: Gate
) -> tuple[FloatArray, FloatArray]:
    values, law = training.rows.scaled, mechanisms.SmoothCauchy
    told: dict[str, Any] = {"n_classes": training.n_classes, "gate": gate}
    released = partial(statistic_of_classes, law, mechanisms.TrimmedMean(trim), **told)
    # Squares lie in [0, 1]: 2 u^2 - 1 fills the bounds that a statistic has.
    releases = ((for_means, values, "means"), (for_squares, 2 * values**2 - 1, "means of squares"))
    means, squares = (
        released(values=Grouped(columns, training.classes), loss=loss, label=label)
        for loss, columns, label in releases
    )
    return means, np.sqrt(np.maximum((squares + 1.0) / 2.0 - means**2, 0.0))


METHOD = (
    _declared("smooth", mechanisms.SmoothCauchy),
    _declared("smooth-gaussian", mechanisms.SmoothGaussian),
    _declared("smooth-published", mechanisms.PublishedSmoothCauchy),
    Method.told("trimmed", __file__, run=trimmed, guarantee=mechanisms.SmoothCauchy.guarantee),
)
