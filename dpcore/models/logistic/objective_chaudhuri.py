"""Logistic regression by objective perturbation as published."""

from __future__ import annotations

from dpcore.mechanisms import ObjectivePerturbation
from dpcore.models.additive import AdditiveModel
from dpcore.models.logistic.unit_rows import PENALTY, one_per_class
from dpcore.models.training import Training
from dpcore.privacy import Guarantee, Loss
from dpcore.registry import Method
from dpcore.release import Gate

__all__ = ["METHOD", "objective_chaudhuri"]

# The automatic penalty is this over epsilon: noise then moves the weights by a bounded amount
# whatever epsilon is, and the Jacobian costs less than a tenth of it.
_AUTOMATIC = 8.0


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
            regularization=regularization or _AUTOMATIC / float(share.epsilon),
            neighbors=gate.neighbors,
        )

    return one_per_class(training, regression, loss=loss, gate=gate)


METHOD = Method(
    name="objective-chaudhuri",
    title="Objective perturbation (Chaudhuri et al.)",
    summary="Tilts the training objective by a random vector of Gamma length.",
    run=objective_chaudhuri,
    guarantee=Guarantee.proven("Chaudhuri et al. 2011, Theorem 9, and its add-remove form"),
    reference="Chaudhuri, Monteleoni and Sarwate 2011, Algorithm 2",
    parameters=(PENALTY,),
)
