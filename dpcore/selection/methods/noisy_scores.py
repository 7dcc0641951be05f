"""Select from noisy scores that are all released, or keep every feature."""

import numpy as np

from dpcore._typing import FloatArray
from dpcore.mechanisms import Geometric, Laplace
from dpcore.privacy import Loss
from dpcore.release import Gate
from dpcore.selection.methods import declared
from dpcore.selection.problem import Selected, SelectionProblem


def keep_all(problem: SelectionProblem, *, loss: Loss, gate: Gate) -> Selected:
    """Select every feature; nothing is read, drawn or charged."""
    return Selected(np.arange(problem.scores.size))


def noisy_scores(problem: SelectionProblem, *, loss: Loss, gate: Gate) -> Selected:
    """Perturb every score, and select by rank or by threshold.

    Sensitivity
        The joint L1 sensitivity that the score declares for the relation. For counts of rows with
        at most s ones it does not grow with the number of features.
    Privacy
        epsilon-DP; one charge. Selecting from released scores is post-processing.

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for empirical
    machine learning, Section 3.2 ("score perturbation"). arXiv:1411.5428
    """
    most, label = problem.l1_sensitivity, "feature scores"
    noisy = noisy_values(problem, problem.scores, most, loss=loss, gate=gate, label=label)
    return Selected(problem.apply_rule(noisy), noisy)


def noisy_values(
    problem: SelectionProblem, values: FloatArray, by: float, *, loss: Loss, gate: Gate, label: str
) -> FloatArray:
    """Values of that L1 sensitivity under geometric noise if they are whole, else Laplace noise."""
    neighbors = problem.neighbors
    if not problem.whole:
        laplace = Laplace(epsilon=loss.epsilon, l1_sensitivity=by, neighbors=neighbors)
        return gate.release(laplace, values, label=label)
    geometric = Geometric(epsilon=loss.epsilon, l1_sensitivity=int(by), neighbors=neighbors)
    return gate.release(geometric, values.astype(np.int64), label=label).astype(np.float64)


METHOD = (
    declared("noisy-scores", noisy_scores),
    declared("none", keep_all, rules=(), spends=False),
)
