"""The lines of Figures 1, 8 and 9: one draw of tree noise, before and after smoothing."""

from __future__ import annotations

import numpy as np

from dpcore._typing import IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.ecdf.api import smooth
from dpcore.evaluation.roc.curve import RocCurve, uniform_cuts
from dpcore.evaluation.roc.ecdf_roc import noisy_sums
from dpcore.noise import SeededNoise
from dpcore.privacy import Loss, Number
from dpcore.release import open_gate
from reproductions.barczewski.roc_methods import P1, P2

UNSMOOTHED = "tree, not smoothed"
TREE_LINES: dict[str, str | None] = {P1: "p1", P2: "p2", UNSMOOTHED: None}


def tree_lines(
    scores: ScoreHistogram, epsilon: Number, *, grid: int, points: int, seed: int
) -> dict[str, RocCurve]:
    """Curves from the same noise at the same thresholds, by the names of `TREE_LINES`.

    The ROC method `ecdf-roc` gives the smoothed ones too, but no line that is not monotone.

    Parameters
    ----------
    epsilon
        Of each class's distribution function and of both together, as in the ROC method.
    grid
        Points of the distribution functions.
    points
        Thresholds that are drawn, at most; evenly spaced along the true curve.
    seed
        Of the simulated noise.

    Returns
    -------
    dict of str to RocCurve
        From (0, 0) to (1, 1). Where nothing is smoothed, rates may fall, and leave [0, 1].

    Sensitivity
        That of `dpcore.evaluation.roc.ecdf_roc.run`.
    Privacy
        epsilon-DP under replace for the noisy counts, and smoothing is post-processing. Which
        thresholds are drawn comes from the true curve: only simulated noise is used.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Section 5.1.

    Examples
    --------
    >>> scores = ScoreHistogram.from_arrays([0, 1] * 500, [0.2, 0.8] * 500)
    >>> curves = tree_lines(scores, 10, grid=64, points=11, seed=0)
    >>> [len(curve.fpr) == len(curve.thresholds) for curve in curves.values()]
    [True, True, True]
    """
    loss = Loss(epsilon)
    gate = open_gate(loss, neighbors="replace", noise=SeededNoise(seed))
    cuts = uniform_cuts(scores.edges, grid)
    counted = scores.as_counted(gate.neighbors)
    noisy = noisy_sums(counted, cuts, ecdf="tree", loss=loss, gate=gate)
    drawn = _evenly(scores, cuts, points)
    found = {}
    for shown, smoothing in TREE_LINES.items():
        negatives, positives = (
            smooth(sums, max(float(sums[-1]), 1.0), smoothing)[:-1][drawn] for sums in noisy
        )
        found[shown] = RocCurve.from_below(negatives, positives, scores.edges[cuts][drawn])
    return found


def _evenly(scores: ScoreHistogram, cuts: IntArray, points: int) -> IntArray:
    """Which cuts lie evenly along the true curve, whose way from end to end has length 2."""
    gone = (
        scores.negatives_below[cuts] / scores.n_negative
        + scores.positives_below[cuts] / scores.n_positive
    )
    wanted = np.searchsorted(gone, np.linspace(0.0, 2.0, points + 2)[1:-1])
    return np.unique(np.minimum(wanted, cuts.size - 1))
