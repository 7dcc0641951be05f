"""Logistic regression as published in 2011: by perturbation of the objective, or of the output."""

import math
from collections.abc import Callable

import numpy as np

from dpcore._typing import FloatArray
from dpcore.mechanisms import Mechanism, ObjectivePerturbation, OutputPerturbation
from dpcore.mechanisms.regression.perturbation import LEAST_REGULARIZATION
from dpcore.models.additive import AdditiveModel
from dpcore.models.logistic.layout import side_by_side
from dpcore.models.terms import IndicatorTerm, LinearTerm, Term
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate
from dpcore.schema.space import Matrix

# From the privacy loss of one regression to what releases its weights.
Regression = Callable[[Loss], Mechanism[tuple[Matrix, FloatArray], FloatArray]]


def one_per_class(
    training: Training, regression: Regression, *, loss: Loss, gate: Gate
) -> AdditiveModel:
    """Train one regression for two classes, one per class against the rest for more.

    Parameters
    ----------
    regression : callable
        From a loss to the mechanism that spends it.

    Sensitivity
        Rows have Euclidean length at most 1 by construction, whatever the record.
    Privacy
        One charge for two classes. For K > 2 every record enters all K regressions, as positive in
        one and as negative in the others, so their losses add up under both relations: K charges of
        a K-th each.
    """
    rows, radius = unit_rows(training)
    binary = training.n_classes == 2
    positives = [1] if binary else list(range(training.n_classes))
    weights = []
    for positive, share in zip(positives, loss.split([1] * len(positives)), strict=True):
        signs = np.where(training.classes == positive, 1.0, -1.0)
        label = f"weights of class {positive}"
        weights.append(gate.release(regression(share), (rows, signs), label=label) / radius)
    return _model(training, np.stack(weights), binary=binary)


def unit_rows(training: Training) -> tuple[Matrix, float]:
    """Rows in the unit ball, shape (n, d), and the public length R that they were divided by.

    A row is (numbers mapped from their bounds to [-1, 1], indicators of missing ones, indicators,
    1) / R, where R^2 is the number of numeric features plus the most ones in a row plus 1 for the
    intercept. A missing number is 0 and its indicator 1, so the two together are no longer than a
    number alone.
    """
    rows = training.rows
    radius = math.sqrt(rows.numeric.shape[1] + training.space.max_indicators + 1)
    constant = np.full((rows.n_rows, 1), 1.0 / radius)
    scaled_indicators = rows.indicators.multiply(1.0 / radius).tocsr()
    numbers = [rows.scaled / radius, rows.missing / radius]
    return side_by_side([*numbers, scaled_indicators, constant]), radius


def _model(training: Training, weights: FloatArray, *, binary: bool) -> AdditiveModel:
    numbers, gaps = training.rows.numeric.shape[1], training.rows.gaps.tolist()
    width = numbers + len(gaps)
    terms: list[Term] = []
    if numbers:
        terms.append(LinearTerm.of(weights[:, :width], gaps, numbers))
    if training.rows.indicator_blocks:
        terms.append(IndicatorTerm(weights[:, width:-1]))
    return AdditiveModel("sigmoid" if binary else "one-vs-rest", weights[:, -1], tuple(terms))


def _of(
    mechanism: type[ObjectivePerturbation | OutputPerturbation], automatic: float
) -> Callable[..., AdditiveModel]:
    """Train one regression, or one per class for more than two classes, with that mechanism.

    Rows are brought into the unit ball by a public factor (`unit_rows`). The intercept is the
    weight of a constant feature and is penalised like the others. The penalty of the sum of the
    losses is chosen as `automatic` over epsilon if it is 0.

    Sensitivity
        Rows have Euclidean length at most 1 by construction, whatever the record; see the
        mechanism for both relations.
    Privacy
        epsilon; one charge for two classes, K of epsilon / K for more (`one_per_class`).
    """

    def train(
        training: Training, *, loss: Loss, gate: Gate, regularization: float
    ) -> AdditiveModel:
        def regression(share: Loss) -> ObjectivePerturbation | OutputPerturbation:
            return mechanism(
                regularization=regularization
                or max(automatic / float(share.epsilon), LEAST_REGULARIZATION),
                **gate.terms(share),
            )

        return one_per_class(training, regression, loss=loss, gate=gate)

    return train


METHOD = (
    Method.told(
        "objective-chaudhuri",
        __file__,
        # Noise then moves the weights by a bounded amount whatever epsilon is, and the Jacobian
        # costs less than a tenth of it.
        run=_of(ObjectivePerturbation, automatic=8.0),
    ),
    Method.told(
        "output-perturbation",
        __file__,
        # Noise then moves the weights by a bounded amount whatever epsilon is.
        run=_of(OutputPerturbation, automatic=25.0),
    ),
)
