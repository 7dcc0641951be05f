"""Whether bands hold what they should, and how often they must; for tests and benchmarks."""

from __future__ import annotations

import numpy as np
from scipy.stats import binom

from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.roc.bands import Band
from dpcore.evaluation.roc.roc_release import RocRelease


def covers(curve: RocRelease, scores: ScoreHistogram, band: Band | None = None) -> bool:
    """Whether the rates of `scores` at every threshold lie in the box of their bin, or cut.

    The band is the curve's own for its test set, unless another is given.
    """
    assert curve.bins is not None
    if band is None:
        band = Band(curve.fpr_band, curve.tpr_band)
    fpr, tpr, thresholds = scores.roc()
    knots = curve.bins.knots
    cuts = curve.thresholds[knots]
    bin_ = np.searchsorted(-cuts, -thresholds, side="right") - 1
    after = np.where(np.isin(thresholds, cuts), bin_, np.minimum(bin_ + 1, knots.size - 1))
    inside = [
        (bounds[0][knots][bin_] - 1e-9 <= rate) & (rate <= bounds[1][knots][after] + 1e-9)
        for bounds, rate in [(band.fpr, fpr), (band.tpr, tpr)]
    ]
    return bool(np.logical_and(*inside).all())


def fewest(draws: int, nominal: float = 0.9) -> int:
    """Hits of that many which a band of the nominal coverage misses with odds below 1e-6."""
    return int(binom.ppf(1e-6, draws, nominal))
