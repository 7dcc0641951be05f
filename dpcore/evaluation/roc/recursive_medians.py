"""k-RecursiveMedians with noise that keeps its promise."""

from collections.abc import Callable

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.roc.binned_curve import haar_curve
from dpcore.evaluation.roc.curve import RocCurve, coarse_cuts
from dpcore.mechanisms import PublishedSmoothMedians, SmoothMedians
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate

# Mechanism of one level, from the loss of a level, the coordinates and the cuts so far.
FindMedians = Callable[[Loss, FloatArray, IntArray], SmoothMedians]


def run(scores: ScoreHistogram, *, loss: Loss, gate: Gate, k: int) -> RocCurve:
    """Halve the scores k times at noisy medians, then count each class between the medians.

    Parameters
    ----------
    k
        Levels of halving.

    Sensitivity
        Medians: smooth, of the records of both classes in an interval, see `SmoothMedians`;
        intervals of one level are disjoint. Counts: as in ``fixed-space``, two in L1.
    Privacy
        As published, a fifth of epsilon for the medians, equal shares of it per level (charges
        "medians of level i"), and four fifths for the counts. Under replace a level costs two
        add-remove steps, which `SmoothMedians` accounts for.

    Notes
    -----
    Medians are rounded to one of at most 8,192 public cells of the histogram.

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for
    empirical machine learning, Algorithms 3 and 4. arXiv:1411.5428
    """

    def find(share: Loss, positions: FloatArray, cuts: IntArray) -> SmoothMedians:
        return SmoothMedians(positions=positions, cuts=cuts, **gate.terms(share))

    for_medians, for_counts = loss.split([1, 4])
    cuts = median_cuts(scores, find, loss=for_medians, gate=gate, levels=k)
    return haar_curve(scores, cuts, loss=for_counts, gate=gate, l1_sensitivity=2)


def median_cuts(
    scores: ScoreHistogram, find: FindMedians, *, loss: Loss, gate: Gate, levels: int
) -> IntArray:
    """Indices of the histogram's edges that noisy medians chose, ascending."""
    coarse = coarse_cuts(scores.edges)
    below = scores.positives_below[coarse] + scores.negatives_below[coarse]
    positions = scores.edges[coarse]
    cuts = np.array([0, coarse.size - 1])
    for level in range(levels):
        mechanism = find(loss / levels, positions, cuts)
        medians = gate.release(mechanism, below, label=f"medians of level {level + 1}")
        cuts = np.union1d(cuts, medians).astype(np.int64)
    return np.asarray(coarse[cuts[1:-1]], dtype=np.int64)


def run_published(scores: ScoreHistogram, *, loss: Loss, gate: Gate, k: int) -> RocCurve:
    """Halve the scores k times at medians with the printed noise, then count between them.

    Parameters
    ----------
    k
        Levels of halving.

    Privacy
        BROKEN, see `PublishedSmoothMedians`. The charges are what the paper claims, and the same
        noise is used under both relations, as printed.

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for
    empirical machine learning, Algorithms 3 and 4. arXiv:1411.5428
    """
    for_medians, for_counts = loss.split([1, 4])

    def find(share: Loss, positions: FloatArray, cuts: IntArray) -> PublishedSmoothMedians:
        whole = for_medians.epsilon
        return PublishedSmoothMedians(
            selection_epsilon=whole, positions=positions, cuts=cuts, **gate.terms(share)
        )

    cuts = median_cuts(scores, find, loss=for_medians, gate=gate, levels=k)
    return haar_curve(scores, cuts, loss=for_counts, gate=gate, l1_sensitivity=2)


_BROKEN = PublishedSmoothMedians.guarantee

METHOD = (
    Method.told("recursive-medians", __file__, run=run),
    Method.told("recursive-medians-published", __file__, run=run_published, guarantee=_BROKEN),
)
