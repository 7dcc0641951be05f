"""The Laplace line of Table 1 and Figure 7, drawn as the paper draws it."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import roc_area_between
from dpcore.mechanisms import Geometric
from dpcore.noise import SeededNoise
from dpcore.privacy import Loss, Number
from dpcore.release import open_gate


def laplace_line(
    scores: ScoreHistogram, epsilon: Number, *, thresholds: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Rates at thresholds that are chosen based on the data, without the step that orders them.

    The ROC method `laplace` differs: its thresholds are public, its noise is less under add-remove,
    and it makes the rates monotone, as the paper's own methods do but not this line of it.

    Parameters
    ----------
    thresholds
        Number t of quantiles of all scores.
    seed
        Of the simulated noise.

    Returns
    -------
    fpr, tpr : float arrays, shape (thresholds + 2,)
        From (0, 0) to (1, 1), joined in the order of the fpr.

    Sensitivity
        L1, add-remove: 2t + 1, as printed (t + 1 is the least).
    Privacy
        None: the quantiles are exact. Only simulated noise is drawn.

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for
    empirical machine learning, Sections 4.2 and 5.2. arXiv:1411.5428

    Examples
    --------
    >>> scores = ScoreHistogram.from_arrays([0, 1] * 500, [0.2, 0.8] * 500)
    >>> fpr, tpr = laplace_line(scores, 1000, thresholds=1, seed=0)
    >>> len(fpr), float(fpr[0]), float(tpr[-1])
    (3, 0.0, 1.0)
    """
    cuts = _quantiles(scores, thresholds)
    above = [below[-1] - below[cuts] for below in (scores.negatives_below, scores.positives_below)]
    sizes = [scores.n_negative, scores.n_positive]
    loss = Loss(epsilon)
    noisy = open_gate(loss, noise=SeededNoise(seed)).release(
        Geometric(epsilon=loss.epsilon, l1_sensitivity=2 * thresholds + 1),
        np.concatenate([*above, sizes]),
        label="true and false positives",
    )
    counts, classes = noisy[:-2].reshape(2, thresholds), np.maximum(noisy[-2:, None], 1)
    fpr, tpr = np.pad(np.clip(counts / classes, 0.0, 1.0), ((0, 0), (1, 1)))
    fpr[-1] = tpr[-1] = 1.0
    order = np.lexsort((tpr, fpr))
    return fpr[order], tpr[order]


def laplace_line_area(
    scores: ScoreHistogram, epsilon: Number, *, thresholds: int, runs: int
) -> float:
    """Median area between that line and the true curve, over seeds 0, 1, ...

    Examples
    --------
    >>> scores = ScoreHistogram.from_arrays([0, 1] * 500, [0.2, 0.8] * 500)
    >>> laplace_line_area(scores, 1000, thresholds=1, runs=3) < 0.01
    True
    """
    fpr, tpr, _ = scores.roc()
    lines = (laplace_line(scores, epsilon, thresholds=thresholds, seed=s) for s in range(runs))
    return float(np.median([roc_area_between(*line, fpr, tpr) for line in lines]))


def _quantiles(scores: ScoreHistogram, thresholds: int) -> IntArray:
    below = scores.negatives_below + scores.positives_below
    levels = np.arange(1, thresholds + 1) / (thresholds + 1)
    return np.asarray(np.searchsorted(below, levels * below[-1]), dtype=np.int64)
