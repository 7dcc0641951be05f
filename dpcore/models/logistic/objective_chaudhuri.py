"""Logistic regression by objective perturbation as published."""

from __future__ import annotations

import math

import numpy as np

from dpcore._typing import FloatArray
from dpcore.mechanisms import ObjectivePerturbation
from dpcore.models.additive import AdditiveModel
from dpcore.models.logistic.columns import side_by_side
from dpcore.models.terms import IndicatorTerm, LinearTerm, Term
from dpcore.models.training import Training
from dpcore.privacy import Guarantee, Loss
from dpcore.registry import Method, Parameter
from dpcore.release import Gate
from dpcore.schema.matrix import Matrix

__all__ = ["METHOD", "objective_chaudhuri"]

# The automatic penalty is this over epsilon: noise then moves the weights by a bounded amount
# whatever epsilon is, and the Jacobian costs less than a tenth of it.
_AUTOMATIC = 8.0


def objective_chaudhuri(
    training: Training, *, loss: Loss, gate: Gate, regularization: float
) -> AdditiveModel:
    """Train one tilted logistic regression, or one per class for more than two classes.

    A row is (numbers mapped from their bounds to [-1, 1], indicators, 1) / R, where R^2, the number
    of numeric features plus the most ones in a row plus 1 for the intercept, is public. The
    intercept is the weight of a constant feature and is penalised like the others.

    Parameters
    ----------
    regularization : float
        Penalty of the sum of the losses, on weights of rows in the unit ball; 0 chooses it from
        epsilon.

    Sensitivity
        Rows have Euclidean length at most 1 by construction, whatever the record; see
        `ObjectivePerturbation` for both relations.
    Privacy
        epsilon; one charge for two classes. For K > 2 every record enters all K one-vs-rest
        problems, as positive in one and as negative in the others, so that their losses add up
        under both relations: K charges of epsilon / K.

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
    rows, radius = _unit_rows(training)
    binary = training.n_classes == 2
    positives = [1] if binary else range(training.n_classes)
    weights = np.stack(
        [
            _one_problem(rows, training, positive, part, gate, regularization) / radius
            for positive, part in zip(positives, loss.split([1] * len(positives)), strict=True)
        ]
    )
    return _model(training, weights, binary=binary)


def _unit_rows(training: Training) -> tuple[Matrix, float]:
    """Rows in the unit ball, shape (n, d), and the public length that they were divided by."""
    rows = training.rows
    ones = training.space.max_indicators
    radius = math.sqrt(rows.numeric.shape[1] + ones + 1)
    constant = np.full((rows.n_rows, 1), 1.0 / radius)
    scaled_indicators = rows.indicators.multiply(1.0 / radius).tocsr()
    return side_by_side([rows.scaled / radius, scaled_indicators, constant]), radius


def _one_problem(
    rows: Matrix,
    training: Training,
    positive: int,
    loss: Loss,
    gate: Gate,
    regularization: float,
) -> FloatArray:
    mechanism = ObjectivePerturbation(
        epsilon=loss.epsilon,
        regularization=regularization or _AUTOMATIC / float(loss.epsilon),
        neighbors=gate.neighbors,
    )
    signs = np.where(training.classes == positive, 1.0, -1.0)
    return gate.release(mechanism, (rows, signs), label=f"weights of class {positive}")


def _model(training: Training, weights: FloatArray, *, binary: bool) -> AdditiveModel:
    width = training.rows.numeric.shape[1]
    terms: list[Term] = []
    if width:
        terms.append(LinearTerm(weights[:, :width]))
    if training.rows.indicator_blocks:
        terms.append(IndicatorTerm(weights[:, width:-1]))
    return AdditiveModel("sigmoid" if binary else "one-vs-rest", weights[:, -1], tuple(terms))


METHOD = Method(
    name="objective-chaudhuri",
    title="Objective perturbation (Chaudhuri et al.)",
    summary="Tilts the training objective by a random vector of Gamma length.",
    run=objective_chaudhuri,
    guarantee=Guarantee.proven("Chaudhuri et al. 2011, Theorem 9, and its add-remove form"),
    reference="Chaudhuri, Monteleoni and Sarwate 2011, Algorithm 2",
    parameters=(
        Parameter(
            name="regularization",
            kind=float,
            default=0.0,
            minimum=0.0,
            label="Penalty",
            help="L2 penalty on the sum of the losses; 0 chooses it from epsilon.",
        ),
    ),
)
