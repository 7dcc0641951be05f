"""Exact losses of the sparse vector technique, integrated over the threshold noise."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.exact.law import ExactLaw
from dpcore.audit.exact.quadrature import laplace_density, laplace_tail, pieces
from dpcore.audit.pair import Pair
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import PublishedSparseVector, SparseVector

__all__ = ["EXACT"]

_REACH, _PIECES = 60.0, 600


@dataclass(frozen=True)
class _Stream:
    """What decides the answers of either class, in units of the scores."""

    threshold: float
    threshold_scale: float
    query_scale: float
    cutoff: int | None
    refresh: bool
    numeric: bool


def _stream(mechanism: SparseVector | PublishedSparseVector) -> _Stream:
    if mechanism.threshold is None:
        raise InvalidArgument("threshold", None, "public, where the exact loss is asked for")
    cell = mechanism.grid.cell
    scales = float(mechanism.threshold_scale) * cell, mechanism.query_scale * cell
    if isinstance(mechanism, SparseVector):
        level = mechanism.threshold + mechanism.raised_by * cell
        return _Stream(level, *scales, mechanism.k, False, False)
    table = mechanism.table
    cutoff = mechanism.cutoff if table.stops else None
    return _Stream(mechanism.threshold, *scales, cutoff, table.refresh, table.numeric)


def _loss(mechanism: SparseVector | PublishedSparseVector, pair: Pair) -> float | None:
    """The largest loss over the patterns in which equal candidates get equal answers.

    Candidates with the same scores on both data sets form a group; in a pattern each group fails or
    passes as a whole, those that fail are visited first (the order is public), and then at most as
    many as the cut-off pass. The loss of the best pattern is a loss of the mechanism.
    """
    stream = _stream(mechanism)
    both = np.stack([np.asarray(side, dtype=np.float64) for side in (pair.here, pair.there)])
    groups, sizes = np.unique(both, axis=1, return_counts=True)
    worst = 0.0
    for passed in product((False, True), repeat=sizes.size):
        mask = np.array(passed)
        if stream.cutoff is not None and sizes[mask].sum() > stream.cutoff:
            continue
        logs = tuple(_log_chance(stream, side, sizes, mask) for side in groups)
        if np.isneginf(logs).all():
            continue
        if stream.numeric and mask.any():
            logs = _with_answer(stream, groups, sizes, mask)
        worst = max(worst, abs(logs[0] - logs[1]))
    return worst


def _log_chance(stream: _Stream, scores: FloatArray, sizes: Any, passed: Any) -> float:
    """Log-probability of a pattern on one data set."""
    if stream.query_scale == 0.0:
        return _without_query_noise(stream, scores, passed)
    runs = int(sizes[passed].sum()) if stream.refresh and passed.any() else 1
    if runs == 1:
        return float(np.logaddexp.reduce(_integrand(stream, scores, sizes, passed)))
    # Refreshed thresholds: an equal share of the failures comes before every pass.
    one = [
        float(
            np.logaddexp.reduce(_integrand(stream, scores, _shared(sizes, passed, g, runs), None))
        )
        for g in np.flatnonzero(passed).tolist()
        for _ in range(int(sizes[g]))
    ]
    return sum(one)


def _shared(sizes: Any, passed: Any, group: int, runs: int) -> FloatArray:
    """Sizes of one run: a share of every group that fails, minus one for the one that passes."""
    shares = np.where(passed, 0.0, sizes / runs)
    shares[group] = -1.0
    return shares


def _integrand(stream: _Stream, scores: FloatArray, sizes: Any, passed: Any) -> FloatArray:
    """Log of weight times density times chance, at the points of the threshold noise.

    Without `passed`, a negative size means that a group passes.
    """
    moved, weights = _points(stream, scores)
    if passed is None:
        passed, sizes = sizes < 0, np.abs(sizes)
    total = np.log(weights) + np.log(laplace_density(moved, stream.threshold_scale))
    for score, size, up in zip(scores, sizes, passed, strict=True):
        gap = stream.threshold + moved - score
        # P(fail) = P(-noise >= -gap), by symmetry.
        total += size * np.log(laplace_tail(gap if up else -gap, stream.query_scale))
    return np.asarray(total)


def _points(stream: _Stream, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    reach = _REACH * max(stream.threshold_scale, stream.query_scale)
    kinks = np.append(scores - stream.threshold, 0.0)
    spread = np.linspace(kinks.min() - reach, kinks.max() + reach, _PIECES)
    return pieces(np.unique(np.concatenate([spread, kinks])))


def _without_query_noise(stream: _Stream, scores: FloatArray, passed: Any) -> float:
    """The threshold must lie above all that failed and below all that passed."""
    low = scores[~passed].max(initial=-np.inf) - stream.threshold
    high = scores[passed].min(initial=np.inf) - stream.threshold
    if high <= low:
        return -np.inf
    ends = np.array([low, high])
    tails = laplace_tail(ends, stream.threshold_scale)
    return float(np.log(tails[0] - tails[1]))


def _with_answer(
    stream: _Stream, groups: FloatArray, sizes: Any, passed: Any
) -> tuple[float, float]:
    """Log-densities of the worst pattern in which the passes are answered by the same number.

    A number answered says that the noisy threshold was below it.
    """
    worst = (0.0, 0.0)
    top = groups[:, passed].max()
    for answer in np.linspace(top - 10 * stream.query_scale, top + 10 * stream.query_scale, 81):
        logs = []
        for scores in groups:
            failing = np.where(passed, 0, sizes)
            terms = _integrand(stream, scores, failing, np.zeros_like(passed))
            moved, _ = _points(stream, scores)
            below = terms[stream.threshold + moved < answer]
            density = -np.abs(answer - scores) / stream.query_scale
            logs.append(float(np.logaddexp.reduce(below) + (sizes * density)[passed].sum()))
        if abs(logs[0] - logs[1]) > abs(worst[0] - worst[1]):
            worst = (logs[0], logs[1])
    return worst


EXACT = ExactLaw(mechanisms=(SparseVector, PublishedSparseVector), loss=_loss)
