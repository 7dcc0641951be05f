"""alpha-FixedSpace with all of epsilon for each class, where classes are disjoint."""

from __future__ import annotations

from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.roc.curve import RocCurve
from dpcore.evaluation.roc.fixed_space import ALPHA, spaced_cuts
from dpcore.evaluation.roc.privelet import wavelet_curve
from dpcore.privacy import Guarantee, Loss
from dpcore.registry import Method
from dpcore.release import Gate


def run(scores: ScoreHistogram, *, loss: Loss, gate: Gate, alpha: float) -> RocCurve:
    """Count each class between alpha n evenly spaced thresholds, each with the whole epsilon.

    Parameters
    ----------
    scores : ScoreHistogram
    loss : Loss
    gate : Gate
    alpha : float
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
    sensitivity = gate.neighbors.pick(add_remove=1, replace=2)
    return wavelet_curve(scores, cuts, loss=rest, gate=gate, l1_sensitivity=sensitivity)


METHOD = Method(
    name="fixed-space-parallel",
    title="alpha-FixedSpace, classes in parallel",
    summary="Evenly spaced thresholds with wavelet counts, all of epsilon for each class.",
    run=run,
    guarantee=Guarantee.proven("Xiao et al. 2011, the Haar wavelet; McSherry 2009, Theorem 4"),
    reference="after Stoddard, Chen and Machanavajjhala 2014, Section 4.2.2",
    parameters=(ALPHA,),
)
