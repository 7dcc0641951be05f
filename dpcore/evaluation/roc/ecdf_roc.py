"""ROC curve from the private distribution functions of both classes' scores."""

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.ecdf import ecdf_methods
from dpcore.evaluation.ecdf.api import SIDES, smooth
from dpcore.evaluation.roc.curve import RocCurve, counts_between, uniform_cuts
from dpcore.privacy import Loss, Part
from dpcore.registry import Method
from dpcore.release import Gate


def run(
    scores: ScoreHistogram, *, loss: Loss, gate: Gate, points: int, ecdf: str, smoothing: str
) -> RocCurve:
    """Release both classes' distribution functions on one public grid, and join them.

    Parameters
    ----------
    points
        Number N of grid points, evenly spaced over the scores; the last is 1.
    ecdf
        "tree", the mechanism of the paper, or "hierarchical", which needs less noise.
    smoothing
        "p1", "p2" (Eq. 3 of the paper) or "isotonic".

    Returns
    -------
    RocCurve
        Through (1 - F_negative(t), 1 - F_positive(t)) at the grid points t.

    Sensitivity
        Of the counts of both classes in the cells of the grid, in L1: add-remove 1, because a
        record lies in one cell of one class; replace 2, and it may leave one class for the other.
    Privacy
        One charge, "ECDFs of both classes". Add-remove: classes are disjoint, so each has the whole
        loss. Replace: a record that changes is one removed and one added, whatever the two classes;
        so both curves are released at half of the loss in the add-remove relation. No class size is
        taken to be public. The paper halves the
        loss in its replace relation too, and calls the sum of the halves 2 epsilon: a slip.
        Smoothing and division by the noisy class sizes are post-processing.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Section 5.1. F. McSherry (2009), Privacy Integrated Queries, SIGMOD, Theorem 4.
    """
    cuts = uniform_cuts(scores.edges, points)
    noisy = noisy_sums(scores, cuts, ecdf=ecdf, loss=loss, gate=gate)
    negatives, positives = (smooth(one, max(float(one[-1]), 1.0), smoothing)[:-1] for one in noisy)
    return RocCurve.from_below(negatives, positives, scores.edges[cuts])


def noisy_sums(
    scores: ScoreHistogram, cuts: IntArray, *, ecdf: str, loss: Loss, gate: Gate
) -> tuple[FloatArray, FloatArray]:
    """Noisy numbers of negatives and of positives below each cut, and of all; released here.

    Parameters
    ----------
    cuts : int array, shape (cuts,)
        Public indices of inner edges of the histogram, ascending.
    ecdf
        Name of an ECDF method.
    loss
        Charged whole.

    Returns
    -------
    negatives, positives : float arrays, shape (cuts + 1,)
        Unbiased, with the noise of the ECDF method; the last is the size of the class.
    """
    declared = ecdf_methods.get(ecdf)
    inner, each = gate.for_classes(loss, label="ECDFs of both classes")
    parts = [inner.on(Part("class", name, within=inner.part)) for name in SIDES]
    negatives, positives = (
        declared.run(counts, loss=each, gate=own, **declared.check({}))
        for own, counts in zip(parts, counts_between(scores, cuts), strict=True)
    )
    return negatives, positives


METHOD = Method.told("ecdf-roc", __file__, run=run)
