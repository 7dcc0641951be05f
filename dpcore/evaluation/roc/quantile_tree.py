"""Quantiles of each class by descent through a noisy tree of counts, joined smoothly."""

import numpy as np

from dpcore._typing import FloatArray
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.roc.curve import RocCurve, counts_between, nearest_edges
from dpcore.mechanisms import TreeCounts
from dpcore.postprocess.tents import fit_tree
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate

# Evenly spaced thresholds at which the two smooth curves are read.
_POINTS = 1024


def run(scores: ScoreHistogram, *, loss: Loss, gate: Gate, quantiles: int) -> RocCurve:
    """Release counts on every level of a binary tree over the scores, one tree for each class.

    Parameters
    ----------
    quantiles
        Number Q of evenly spaced quantiles of each class; its tree has ceil(log2 Q) + 2 levels.

    Sensitivity
        See `TreeCounts`, whose first branching is the class and the lower half of the scores: a
        record has one class, so it is counted once on each level of both trees together. Twice
        that under replace.
    Privacy
        One charge, "tree of each class", of the whole loss, the same share for each level.

    Notes
    -----
    The counts of a tree are brought into line by least squares (Hay et al. 2010), which is the
    weighted averaging and mean consistency of the source; a quantile is found by walking down,
    and the distribution of a class is the monotone cubic through its quantiles.

    References
    ----------
    X. Xu, G. Cormode (2025), FedCurve. arXiv:2510.04979
    """
    height = int(np.ceil(np.log2(quantiles))) + 2
    leaves = 2**height
    cuts = nearest_edges(scores.edges, np.arange(1, leaves) / leaves)
    mechanism = TreeCounts(branching=(4,) + (2,) * (height - 1), **gate.terms(loss))
    counts = counts_between(scores, cuts).ravel()
    levels = gate.release(mechanism, counts, label="tree of each class")
    at = np.linspace(0.0, 1.0, _POINTS + 1)[1:-1]
    trees = zip(*(np.split(level, 2) for level in levels), strict=True)
    negatives, positives = (_distribution(fit_tree(list(one)), quantiles, at) for one in trees)
    return RocCurve.from_below(negatives, positives, at)


def _distribution(leaves: FloatArray, quantiles: int, at: FloatArray) -> FloatArray:
    """The smooth distribution of a class at some scores, from the fitted counts of its leaves."""
    levels = [leaves]
    while levels[0].size > 1:
        levels.insert(0, levels[0].reshape(-1, 2).sum(axis=1))
    shares = np.arange(1, quantiles + 1) / (quantiles + 1)
    wanted = shares * max(float(levels[0][0]), 0.0)
    node = np.zeros(quantiles, dtype=np.int64)
    for level in levels[1:]:
        left = np.maximum(level[2 * node], 0.0)
        right = wanted > left
        wanted = np.where(right, wanted - left, wanted)
        node = 2 * node + right
    within = np.clip(wanted / np.maximum(leaves[node], 1e-9), 0.0, 1.0)
    places = np.maximum.accumulate((node + within) / leaves.size)
    # Of quantiles at one place the last counts: the distribution jumps there.
    places, last = np.unique(np.concatenate([[0.0], places, [1.0]])[::-1], return_index=True)
    heights = np.concatenate([[0.0], shares, [1.0]])[::-1][last]
    # A fifth of a second to load.
    from scipy.interpolate import PchipInterpolator

    smooth = PchipInterpolator(places, heights)(at)
    return np.clip(np.maximum.accumulate(smooth), 0.0, 1.0)


METHOD = Method.told("quantile-tree", __file__, run=run)
