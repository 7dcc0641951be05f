"""Laplace noise on the true and false positives at each of a few thresholds."""

import numpy as np

from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.roc.curve import RocCurve, uniform_cuts
from dpcore.mechanisms import Geometric
from dpcore.postprocess import monotone_rates
from dpcore.privacy import Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate


def run(scores: ScoreHistogram, *, loss: Loss, gate: Gate, thresholds: int) -> RocCurve:
    """Release TP and FP at evenly spaced thresholds, and the class sizes, with integer noise.

    Parameters
    ----------
    thresholds
        Number t of thresholds strictly between 0 and 1.

    Sensitivity
        L1 of the released vector. Add-remove: t + 1, because a record belongs to one class and
        enters its t counts and its size at most once each (the paper's 2t + 1 is not needed).
        Replace: the number of records is public, so one class size is enough; a record that
        changes class and stays above every threshold moves t true positives, t false positives
        and that size: 2t + 1, and within its class it moves at most t.
    Privacy
        One charge, "true and false positives", of the whole loss.

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for
    empirical machine learning, Section 4.2. arXiv:1411.5428
    """
    cuts = uniform_cuts(scores.edges, thresholds + 1)
    public_size = gate.neighbors is Neighbors.REPLACE
    below = np.stack([scores.negatives_below, scores.positives_below])
    negatives, positives = below[:, -1:] - below[:, cuts]
    sizes = below[::-1, -1][: 1 if public_size else 2]
    moved = gate.neighbors.pick(add_remove=cuts.size + 1, replace=2 * cuts.size + 1)
    mechanism = Geometric(l1_sensitivity=moved, **gate.terms(loss))
    counts = np.concatenate([negatives, positives, sizes])
    noisy = gate.release(mechanism, counts, label="true and false positives")
    false_positives, true_positives, noisy_sizes = np.split(noisy, [cuts.size, 2 * cuts.size])
    n_positive = int(noisy_sizes[0])
    if public_size:
        n_negative = scores.n_positive + scores.n_negative - n_positive
    else:
        n_negative = int(noisy_sizes[1])
    fpr = monotone_rates(false_positives[::-1], n_negative)[1:-1]
    tpr = monotone_rates(true_positives[::-1], n_positive)[1:-1]
    return RocCurve.from_below(1.0 - fpr[::-1], 1.0 - tpr[::-1], scores.edges[cuts])


METHOD = Method.told("laplace", __file__, run=run)
