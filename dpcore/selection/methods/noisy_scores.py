"""Select from noisy scores that are all released, or keep every feature."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray
from dpcore.mechanisms import Geometric, Laplace
from dpcore.privacy import Guarantee, Loss
from dpcore.release import Gate
from dpcore.selection.problem import Selected, SelectionProblem, Selector


def keep_all(problem: SelectionProblem, *, loss: Loss, gate: Gate) -> Selected:
    """Select every feature; nothing is read, drawn or charged."""
    return Selected(np.arange(problem.scores.size))


_NONE = Selector(
    name="none",
    title="No selection",
    summary="Keeps every feature and costs nothing.",
    run=keep_all,
    guarantee=Guarantee.proven("it reads no data"),
    reference="",
    rules=(),
    spends=False,
)


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
    noisy = _released(problem, loss, gate)
    return Selected(problem.apply_rule(noisy), noisy)


def _released(problem: SelectionProblem, loss: Loss, gate: Gate) -> FloatArray:
    if not problem.whole:
        laplace = Laplace(
            epsilon=loss.epsilon,
            l1_sensitivity=problem.l1_sensitivity,
            neighbors=problem.neighbors,
        )
        return gate.release(laplace, problem.scores, label="feature scores")
    geometric = Geometric(
        epsilon=loss.epsilon,
        l1_sensitivity=int(problem.l1_sensitivity),
        neighbors=problem.neighbors,
    )
    counts = problem.scores.astype(np.int64)
    return gate.release(geometric, counts, label="feature scores").astype(np.float64)


_NOISY_SCORES = Selector(
    name="noisy-scores",
    title="Noisy scores",
    summary="Adds noise to every score and selects from what comes out.",
    run=noisy_scores,
    guarantee=Guarantee.proven(
        "Dwork et al. 2006, Proposition 1, with the row bound enforced by truncation"
    ),
    reference="Stoddard, Chen and Machanavajjhala 2014, Section 3.2",
)

METHOD = (
    _NOISY_SCORES,
    _NONE,
)
