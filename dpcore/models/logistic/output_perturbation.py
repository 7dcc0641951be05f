"""Logistic regression by output perturbation as published."""

from __future__ import annotations

from dpcore.mechanisms import OutputPerturbation
from dpcore.models.additive import AdditiveModel
from dpcore.models.logistic.unit_rows import PENALTY, one_per_class
from dpcore.models.training import Training
from dpcore.privacy import Guarantee, Loss
from dpcore.registry import Method
from dpcore.release import Gate

__all__ = ["METHOD", "output_perturbation"]

# The automatic penalty is this over epsilon: noise then moves the weights by a bounded amount
# whatever epsilon is.
_AUTOMATIC = 25.0


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
            regularization=regularization or _AUTOMATIC / float(share.epsilon),
            neighbors=gate.neighbors,
        )

    return one_per_class(training, regression, loss=loss, gate=gate)


METHOD = Method(
    name="output-perturbation",
    title="Output perturbation (Chaudhuri et al.)",
    summary="Adds a random vector of Gamma length to the trained weights.",
    run=output_perturbation,
    guarantee=Guarantee.proven("Chaudhuri et al. 2011, Theorem 6, and its add-remove form"),
    reference="Chaudhuri, Monteleoni and Sarwate 2011, Algorithm 1",
    parameters=(PENALTY,),
)
