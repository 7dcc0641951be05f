"""Exact losses of a reusable holdout that corrects one answer."""

from __future__ import annotations

import numpy as np

from dpcore.audit.exact.law import ExactLaw
from dpcore.audit.holdout_answers import HoldoutAnswers
from dpcore.audit.pair import Pair
from dpcore.mechanisms.threshold.reusable_holdout import CELLS
from dpcore.selection.exact import Asked, Comparisons, log_probability

__all__ = ["EXACT"]


def _loss(mechanism: HoldoutAnswers, pair: Pair) -> float | None:
    """The largest loss over the question that is corrected first, or none.

    Up to it everything is one run of AboveThreshold on the differences. Its answer has fresh noise,
    and far out on the side of the larger mean it costs the whole shift; so it always adds up.
    """
    holdout = mechanism.holdout
    if holdout.budget != 1:
        return None
    scale = float(holdout.scale) / (holdout.records * CELLS)
    comparisons = Comparisons(
        algorithm=1, threshold_scale=2 * scale, query_scale=4 * scale, cutoff=1, stops=True,
        refresh=False, numeric=False, declared=float(holdout.loss.epsilon),
    )  # fmt: skip
    held = [np.asarray(side, dtype=np.float64).mean(axis=1) for side in (pair.here, pair.there)]
    trained = np.asarray(mechanism.train, dtype=np.float64).mean(axis=1)
    gaps = [(np.abs(side - trained) - holdout.threshold).tolist() for side in held]
    worst = _apart(comparisons, gaps, len(trained), corrected=False)
    for place in range(len(trained)):
        shift = float(abs(held[0][place] - held[1][place])) / scale
        worst = max(worst, _apart(comparisons, gaps, place, corrected=True) + shift)
    return worst


def _apart(
    comparisons: Comparisons, gaps: list[list[float]], passed: int, *, corrected: bool
) -> float:
    """Log-ratio of "so many answers from training, and then perhaps one that is corrected"."""
    here, there = (
        log_probability(
            comparisons,
            [Asked(gap, False) for gap in side[:passed]]
            + [Asked(gap, True) for gap in side[passed : passed + corrected]],
        )
        for side in gaps
    )
    return abs(here - there)


EXACT = ExactLaw(mechanisms=(HoldoutAnswers,), loss=_loss)
