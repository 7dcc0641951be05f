"""Exact losses of sparse vectors and of the reusable holdout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.audit.exact.laws import ExactLaw
from dpcore.audit.held_out import HoldoutAnswers
from dpcore.audit.pair import Pair
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import PublishedSparseVector, SparseVector
from dpcore.mechanisms.threshold.reusable_holdout import CELLS
from dpcore.selection.exact import Asked, Comparisons, log_probability, loss_between, passing_law

__all__ = ["_HOLDOUTS", "_SPARSE_VECTORS"]

# Numeric answers that are tried, up to so many scales of the noise from the largest score.
_VALUES, _REACH = 81, 10.0


def _sparse_vectors_loss(mechanism: SparseVector | PublishedSparseVector, pair: Pair) -> float:
    """The largest loss over the patterns in which equal candidates get equal answers.

    Candidates with the same scores on both data sets form a group; in a pattern each group fails or
    passes as a whole, those that fail are visited first (the order is public), and then at most as
    many as the cut-off pass. The loss of the best pattern is a loss of the mechanism.

    A threshold between the scores, and visiting again, take the law of all that can be released.
    """
    if isinstance(mechanism, SparseVector) and (
        mechanism.retraverse or mechanism.threshold is None
    ):
        return loss_between(passing_law(mechanism, pair.here), passing_law(mechanism, pair.there))
    if mechanism.threshold is None:
        raise InvalidArgument("threshold", None, "public, where the exact loss is asked for")
    comparisons = Comparisons.of_mechanism(mechanism)
    raised = mechanism.raised_by if isinstance(mechanism, SparseVector) else 0
    level = mechanism.threshold + raised * mechanism.grid.cell
    both = np.stack([np.asarray(side, dtype=np.float64) for side in (pair.here, pair.there)])
    groups, sizes = np.unique(both - level, axis=1, return_counts=True)
    worst = 0.0
    for passed in product((False, True), repeat=sizes.size):
        mask = np.array(passed)
        if comparisons.stops and sizes[mask].sum() > comparisons.cutoff:
            continue
        for value in _values(comparisons, groups[:, mask]):
            here, there = (
                log_probability(comparisons, _asked(comparisons, side, sizes, mask, value))
                for side in groups
            )
            if not (np.isneginf(here) and np.isneginf(there)):
                worst = max(worst, abs(here - there))
    return worst


def _values(comparisons: Comparisons, passing: FloatArray) -> Iterator[float | None]:
    """Numbers that all successes are answered by; None where success is all that is said."""
    if not comparisons.numeric or not passing.size:
        yield None
        return
    reach = _REACH * comparisons.query_scale
    yield from np.linspace(passing.max() - reach, passing.max() + reach, _VALUES).tolist()


def _asked(
    comparisons: Comparisons,
    scores: FloatArray,
    sizes: IntArray,
    passed: BoolArray,
    value: float | None,
) -> list[Asked]:
    """A pattern as a stream: before each success of a refreshed threshold a share of the failures.

    Without fresh thresholds the order of the answers does not matter.
    """
    failures = sizes[~passed]
    successes = _times(scores[passed], sizes[passed], True, value)
    if not comparisons.refresh:
        return [*_times(scores[~passed], failures, False), *successes]
    each = [replace(one, times=1) for one in successes for _ in range(one.times)]
    runs = max(len(each), 1)
    shares = [failures * (run + 1) // runs - failures * run // runs for run in range(runs)]
    return [
        one
        for run, share in enumerate(shares)
        for one in (*_times(scores[~passed], share, False), *each[run : run + 1])
    ]


def _times(
    scores: FloatArray, sizes: IntArray, passed: bool, value: float | None = None
) -> list[Asked]:
    pairs = zip(scores.tolist(), sizes.tolist(), strict=True)
    return [Asked(score, passed, size, value) for score, size in pairs if size]


_SPARSE_VECTORS = ExactLaw(
    mechanisms=(SparseVector, PublishedSparseVector), loss=_sparse_vectors_loss
)


def _holdouts_loss(mechanism: HoldoutAnswers, pair: Pair) -> float | None:
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


_HOLDOUTS = ExactLaw(mechanisms=(HoldoutAnswers,), loss=_holdouts_loss)

EXACT = (
    _SPARSE_VECTORS,
    _HOLDOUTS,
)
