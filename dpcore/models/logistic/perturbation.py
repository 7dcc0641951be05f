"""Logistic regression as published in 2011: by perturbation of the objective, or of the output."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dpcore._typing import FloatArray
from dpcore.mechanisms import Mechanism, ObjectivePerturbation, OutputPerturbation
from dpcore.models.additive import AdditiveModel
from dpcore.models.logistic.layout import side_by_side
from dpcore.models.terms import IndicatorTerm, LinearTerm, Term
from dpcore.models.training import Training
from dpcore.privacy import Guarantee, Loss
from dpcore.registry import Method, Parameter
from dpcore.release import Gate
from dpcore.schema.matrix import Matrix

__all__ = [
    "PENALTY",
    "_OBJECTIVE_CHAUDHURI",
    "_OUTPUT_PERTURBATION",
    "objective_chaudhuri",
    "one_per_class",
    "output_perturbation",
    "unit_rows",
]

PENALTY = Parameter(
    name="regularization",
    kind=float,
    default=0.0,
    minimum=0.0,
    label="Penalty",
    help="L2 penalty on the sum of the losses; 0 chooses it from epsilon.",
)

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

    A row is (numbers mapped from their bounds to [-1, 1], indicators, 1) / R, where R^2 is the
    number of numeric features plus the most ones in a row plus 1 for the intercept.
    """
    rows = training.rows
    ones = training.space.max_indicators
    radius = math.sqrt(rows.numeric.shape[1] + ones + 1)
    constant = np.full((rows.n_rows, 1), 1.0 / radius)
    scaled_indicators = rows.indicators.multiply(1.0 / radius).tocsr()
    return side_by_side([rows.scaled / radius, scaled_indicators, constant]), radius


def _model(training: Training, weights: FloatArray, *, binary: bool) -> AdditiveModel:
    width = training.rows.numeric.shape[1]
    terms: list[Term] = []
    if width:
        terms.append(LinearTerm(weights[:, :width]))
    if training.rows.indicator_blocks:
        terms.append(IndicatorTerm(weights[:, width:-1]))
    return AdditiveModel("sigmoid" if binary else "one-vs-rest", weights[:, -1], tuple(terms))


# The automatic penalty is this over epsilon: noise then moves the weights by a bounded amount
# whatever epsilon is, and the Jacobian costs less than a tenth of it.
_OBJECTIVE_CHAUDHURI_AUTOMATIC = 8.0


def objective_chaudhuri(
    training: Training, *, loss: Loss, gate: Gate, regularization: float
) -> AdditiveModel:
    """Train one tilted logistic regression, or one per class for more than two classes.

    Rows are brought into the unit ball by a public factor (`unit_rows`). The intercept is the
    weight of a constant feature and is penalised like the others.

    Parameters
    ----------
    regularization : float
        Penalty of the sum of the losses, on weights of rows in the unit ball; 0 chooses it from
        epsilon.

    Sensitivity
        Rows have Euclidean length at most 1 by construction, whatever the record; see
        `ObjectivePerturbation` for both relations.
    Privacy
        epsilon; one charge for two classes, K of epsilon / K for more (`one_per_class`).

    References
    ----------
    K. Chaudhuri, C. Monteleoni, A. D. Sarwate (2011), Differentially private empirical risk
    minimization, JMLR 12, Algorithm 2. arXiv:0912.0071

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPLogisticRegression
    >>> model = DPLogisticRegression(
    ...     method="objective-chaudhuri", classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0)
    ... )
    >>> [charge.label for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['weights of class 1']
    """

    def regression(share: Loss) -> ObjectivePerturbation:
        return ObjectivePerturbation(
            epsilon=share.epsilon,
            regularization=regularization or _OBJECTIVE_CHAUDHURI_AUTOMATIC / float(share.epsilon),
            neighbors=gate.neighbors,
        )

    return one_per_class(training, regression, loss=loss, gate=gate)


_OBJECTIVE_CHAUDHURI = Method(
    name="objective-chaudhuri",
    title="Objective perturbation (Chaudhuri et al.)",
    summary="Tilts the training objective by a random vector of Gamma length.",
    run=objective_chaudhuri,
    guarantee=Guarantee.proven("Chaudhuri et al. 2011, Theorem 9, and its add-remove form"),
    reference="Chaudhuri, Monteleoni and Sarwate 2011, Algorithm 2",
    parameters=(PENALTY,),
)


# The automatic penalty is this over epsilon: noise then moves the weights by a bounded amount
# whatever epsilon is.
_OUTPUT_PERTURBATION_AUTOMATIC = 25.0


def output_perturbation(
    training: Training, *, loss: Loss, gate: Gate, regularization: float
) -> AdditiveModel:
    """Train a regularised regression and add noise to it; one per class for more than two classes.

    Parameters
    ----------
    regularization : float
        Penalty of the sum of the losses, on weights of rows in the unit ball; 0 chooses it from
        epsilon.

    Sensitivity
        Rows have Euclidean length at most 1 by construction (`unit_rows`), whatever the record; see
        `OutputPerturbation` for both relations.
    Privacy
        epsilon; one charge for two classes, K of epsilon / K for more (`one_per_class`).

    References
    ----------
    K. Chaudhuri, C. Monteleoni, A. D. Sarwate (2011), Differentially private empirical risk
    minimization, JMLR 12, Algorithm 1. arXiv:0912.0071

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPLogisticRegression
    >>> model = DPLogisticRegression(
    ...     method="output-perturbation", classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0)
    ... )
    >>> [charge.label for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['weights of class 1']
    """

    def regression(share: Loss) -> OutputPerturbation:
        return OutputPerturbation(
            epsilon=share.epsilon,
            regularization=regularization or _OUTPUT_PERTURBATION_AUTOMATIC / float(share.epsilon),
            neighbors=gate.neighbors,
        )

    return one_per_class(training, regression, loss=loss, gate=gate)


_OUTPUT_PERTURBATION = Method(
    name="output-perturbation",
    title="Output perturbation (Chaudhuri et al.)",
    summary="Adds a random vector of Gamma length to the trained weights.",
    run=output_perturbation,
    guarantee=Guarantee.proven("Chaudhuri et al. 2011, Theorem 6, and its add-remove form"),
    reference="Chaudhuri, Monteleoni and Sarwate 2011, Algorithm 1",
    parameters=(PENALTY,),
)

METHOD = (
    _OBJECTIVE_CHAUDHURI,
    _OUTPUT_PERTURBATION,
)
