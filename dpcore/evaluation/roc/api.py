"""One call from labels and scores to a private ROC curve."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.evaluation.roc.roc_release import RocRelease
from dpcore.evaluation.scores_of import evaluation, positive_loss, require_share
from dpcore.noise import NoiseSource
from dpcore.privacy import Ledger, Neighbors, Number, Part
from dpcore.registry import Registry

roc_methods = Registry("dpcore.evaluation.roc", "ROC method")


def private_roc_curve(
    y_true: ArrayLike | ScoreHistogram,
    y_score: ArrayLike | None = None,
    *,
    epsilon: Number,
    method: str = "quantile-bins",
    neighbors: Neighbors | str = Neighbors.ADD_REMOVE,
    noise: NoiseSource | None = None,
    ledger: Ledger | None = None,
    part: Part | None = None,
    confidence: float = 0.9,
    pos_label: object = None,
    scale: ScoreScale | str = PROBABILITY,
    bounds: tuple[float, float] | None = None,
    **method_parameters: Any,
) -> RocRelease:
    """Release a differentially private ROC curve of private labels and scores.

    Parameters
    ----------
    y_true : array-like, shape (n,), or ScoreHistogram
        Class of each record; whatever equals `pos_label` is positive. A histogram holds labels and
        scores already.
    y_score : array-like, shape (n,), optional
        The greater, the more likely the positive class; left out with a histogram. Thresholds are
        those of the score between 0 and 1 that its scale makes of it.
    epsilon : int, float, str or Fraction
        Privacy loss of the whole curve; positive.
    method : str, default "quantile-bins"
        A name from `roc_methods`.
    neighbors : Neighbors or str, default "add-remove"
        Under "replace" the number of records is public.
    noise : NoiseSource, optional
        `SystemNoise` by default; `SeededNoise` makes a simulation.
    ledger : Ledger, optional
        Where the loss is charged; a new one of just this loss by default.
    part : Part, optional
        The disjoint share of the records that these are, such as the test part of a split.
    confidence : float, default 0.9
        Of bands and interval, between 0 and 1.
    pos_label : object, optional
        1 if left out, which is allowed where labels are numbers; a simulation warns if they are
        others than 0 and 1, or -1 and 1.
    scale : {"probability", "percent", "log-odds", "any"}, default "probability"
        What the scores are; see `ScoreHistogram.from_arrays`.
    bounds : (float, float), optional
        Public ends of the scale "any".
    **method_parameters
        As declared by the method.

    Returns
    -------
    RocRelease

    Raises
    ------
    InvalidArgument
        If an argument is out of range, or labels are no numbers and `pos_label` is left out; in a
        simulation also if a score is not on its scale.
    UnknownMethod
        If no method has that name.
    PrivacyError
        If the method is BROKEN and the noise real, the ledger cannot afford epsilon, or its
        neighbour relation is another. Nothing is charged or drawn then.

    Privacy
        epsilon-DP in the given relation, by the guarantee of the method. With real noise no record
        makes an error: one without a label or a usable score is left out, or under "replace", where
        it counts, a negative with the lowest score. A list of labels that are not all numbers needs
        `pos_label`: without it, 1 is positive.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> scores = [0.1, 0.2, 0.7, 0.9] * 250
    >>> curve = private_roc_curve([0, 0, 1, 1] * 250, scores, epsilon=1, noise=SeededNoise(1))
    >>> curve.auc > 0.95, curve.simulated, len(curve.charges)
    (True, True, 2)
    """
    loss = positive_loss(epsilon)
    require_share(confidence=confidence)
    declared = roc_methods.get(method)
    parameters = declared.check(method_parameters)
    with evaluation(
        "ROC curve", y_true, y_score, loss=loss, method=declared, neighbors=neighbors,
        noise=noise, ledger=ledger, part=part, pos_label=pos_label,
        scale=ScoreScale.of(scale, bounds),
    ) as (scores, gate):  # fmt: skip
        curve = declared.run(scores, loss=loss, gate=gate, **parameters).thinned()
    return RocRelease(
        fpr=curve.fpr,
        tpr=curve.tpr,
        thresholds=curve.thresholds,
        charges=gate.charges,
        simulated=gate.simulated,
        method=method,
        parameters=parameters,
        neighbors=gate.neighbors,
        confidence=float(confidence),
        bins=curve.bins,
    )
