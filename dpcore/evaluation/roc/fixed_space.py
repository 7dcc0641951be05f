"""alpha-FixedSpace: evenly spaced thresholds, wavelet counts, half of epsilon for each class."""

import math

import numpy as np

from dpcore._typing import IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.roc.binned_curve import haar_curve
from dpcore.evaluation.roc.curve import RocCurve, uniform_cuts
from dpcore.mechanisms import Geometric
from dpcore.privacy import Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate


def run(scores: ScoreHistogram, *, loss: Loss, gate: Gate, alpha: float) -> RocCurve:
    """Count each class between alpha n evenly spaced thresholds, through the Haar wavelet.

    Parameters
    ----------
    alpha
        Thresholds per record.

    Sensitivity
        As published, each class gets half of epsilon: the table of counts is taken to change by
        two in L1. That is exact under replace (a record leaves one cell and enters another, of the
        same class or not) and twice what add-remove needs: see ``fixed-space-parallel``.
    Privacy
        Add-remove: the number of records is private, so a twentieth of epsilon buys a noisy one
        ("number of records") and the rest the counts. Replace: the number is public and free.

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for
    empirical machine learning, Section 4.2.2. arXiv:1411.5428
    """
    cuts, rest = spaced_cuts(scores, alpha, loss=loss, gate=gate)
    return haar_curve(scores, cuts, loss=rest, gate=gate, l1_sensitivity=2)


def spaced_cuts(
    scores: ScoreHistogram, alpha: float, *, loss: Loss, gate: Gate
) -> tuple[IntArray, Loss]:
    """Evenly spaced cuts for a share alpha of the number of records, and the loss that is left."""
    n = scores.n_positive + scores.n_negative
    rest = loss
    if gate.neighbors is Neighbors.ADD_REMOVE:
        for_size, rest = loss.split([1, 19])
        size = Geometric(epsilon=for_size.epsilon)
        n = int(gate.release(size, np.array([n]), label="number of records")[0])
    # The histogram cannot tell more thresholds apart than it has cells.
    cells = min(max(math.floor(alpha * n), 1), scores.edges.size - 1)
    return uniform_cuts(scores.edges, cells), rest


def run_parallel(scores: ScoreHistogram, *, loss: Loss, gate: Gate, alpha: float) -> RocCurve:
    """Count each class between alpha n evenly spaced thresholds, each with the whole epsilon.

    Parameters
    ----------
    alpha
        Thresholds per record.

    Sensitivity
        L1 of the table of counts. Add-remove: one, because a record lies in one cell of one class,
        so the published halving is not needed. Replace: two, and the method is ``fixed-space``.
    Privacy
        The charges of ``fixed-space``; under add-remove the noise on the counts is half of it.

    References
    ----------
    F. McSherry (2009), Privacy Integrated Queries, SIGMOD, Theorem 4. doi:10.1145/1559845.1559850
    """
    cuts, rest = spaced_cuts(scores, alpha, loss=loss, gate=gate)
    return haar_curve(scores, cuts, loss=rest, gate=gate, l1_sensitivity=gate.neighbors.steps)


METHOD = (
    Method.told("fixed-space", __file__, run=run),
    Method.told("fixed-space-parallel", __file__, run=run_parallel),
)
