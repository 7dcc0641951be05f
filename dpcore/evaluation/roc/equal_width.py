"""A plain histogram: equal bins of the score, one noisy count of each class in each."""

from dataclasses import replace

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.roc.curve import Bins, RocCurve, counts_between, uniform_cuts
from dpcore.mechanisms import Geometric
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate


def run(scores: ScoreHistogram, *, loss: Loss, gate: Gate, bins: int) -> RocCurve:
    """Release one integer count for each class in each of a few equal bins of the score.

    Parameters
    ----------
    bins
        Number of bins between 0 and 1.

    Sensitivity
        L1 of all counts of both classes: 1 under add-remove, because a record has one class and
        one score; 2 under replace, where it may leave one count and enter another.
    Privacy
        One charge, "counts per bin", of the whole loss.

    Notes
    -----
    Counts below zero become zero, and the curve is straight between the ends of bins. It has no
    answer to where scores lie: if they crowd into few bins, so does all that the curve shows.
    """
    cuts = uniform_cuts(scores.edges, bins)
    mechanism = Geometric.of_cells(loss, gate.neighbors)
    counts = counts_between(scores, cuts)
    negatives, positives = gate.release(mechanism, counts, label="counts per bin")
    curve = RocCurve.from_below(_below(negatives), _below(positives), scores.edges[cuts])
    scale = float(mechanism.scale)
    knots = np.arange(cuts.size + 2)
    return replace(curve, bins=Bins(negatives[::-1], positives[::-1], scale, scale, knots))


def _below(counts: IntArray) -> FloatArray:
    """Shares of a class below each inner cut; evenly spread if no count is above zero."""
    kept = np.maximum(counts, 0).astype(np.float64)
    if not kept.any():
        kept += 1.0
    return np.asarray((np.cumsum(kept) / kept.sum())[:-1])


METHOD = Method.told("equal-width", __file__, run=run)
