"""ROC curve from wavelet counts between public thresholds, as Stoddard et al. compute it."""

from __future__ import annotations

import numpy as np

from dpcore._typing import IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.roc.curve import RocCurve
from dpcore.mechanisms import HaarCounts
from dpcore.postprocess import monotone_rates
from dpcore.privacy import Loss
from dpcore.release import Gate


def haar_curve(
    scores: ScoreHistogram, cuts: IntArray, *, loss: Loss, gate: Gate, l1_sensitivity: int
) -> RocCurve:
    """Release both classes' counts between cuts by Privelet, and make their sums monotone.

    Parameters
    ----------
    cuts : int array, shape (cuts,)
        Public indices of inner edges of the histogram, ascending.
    loss
        Charged whole.
    l1_sensitivity
        Of the table of counts, in the gate's relation; the published methods take two.

    Privacy
        One charge, "counts between thresholds".
    """
    marks = np.concatenate([[0], cuts, [scores.edges.size - 1]])
    below = np.stack([scores.negatives_below[marks], scores.positives_below[marks]])
    mechanism = HaarCounts(
        epsilon=loss.epsilon, l1_sensitivity=l1_sensitivity, neighbors=gate.neighbors
    )
    noisy = gate.release(mechanism, np.diff(below), label="counts between thresholds")
    negatives, positives = (
        monotone_rates(sums[:-1], sums[-1])[1:-1] for sums in np.cumsum(noisy, axis=1)
    )
    return RocCurve.from_below(negatives, positives, scores.edges[cuts])
