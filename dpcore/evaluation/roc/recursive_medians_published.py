"""k-RecursiveMedians as printed, which is not private: for simulations only."""

from __future__ import annotations

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.roc.curve import RocCurve
from dpcore.evaluation.roc.privelet import wavelet_curve
from dpcore.evaluation.roc.recursive_medians import K, median_cuts
from dpcore.mechanisms import PublishedSmoothMedians
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate


def run(scores: ScoreHistogram, *, loss: Loss, gate: Gate, k: int) -> RocCurve:
    """Halve the scores k times at medians with the printed noise, then count between them.

    Parameters
    ----------
    scores : ScoreHistogram
    loss : Loss
    gate : Gate
    k : int
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
        return PublishedSmoothMedians(
            epsilon=share.epsilon,
            selection_epsilon=for_medians.epsilon,
            positions=positions,
            cuts=cuts,
            neighbors=gate.neighbors,
        )

    cuts = median_cuts(scores, find, loss=for_medians, gate=gate, levels=k)
    return wavelet_curve(scores, cuts, loss=for_counts, gate=gate, l1_sensitivity=2)


METHOD = Method(
    name="recursive-medians-published",
    title="k-RecursiveMedians as printed",
    summary="The paper's own noise for the medians, which does not keep its promise.",
    run=run,
    guarantee=PublishedSmoothMedians.guarantee,
    reference="Stoddard, Chen and Machanavajjhala 2014, Algorithm 4",
    parameters=(K,),
)
