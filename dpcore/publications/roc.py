"""ROC curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore._numbers import ANY, band_names, level, rate, telling_digits
from dpcore._typing import FloatArray, Interval, Json
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import RocRelease, private_roc_curve, roc_methods
from dpcore.exported import as_plain
from dpcore.figures import Picture, Theme, roc_picture, true_trace
from dpcore.postprocess.monotone import nothing_said
from dpcore.privacy import shown
from dpcore.publications.publication import Found, Measured, Row, exported
from dpcore.study import Truth, WorkflowResult

# What counted scores show in place of the truth.
ON_CELLS = "without noise, on the public cells"
# A method that releases no counts cannot say how far its area may be off.
NO_INTERVAL = "this method states no interval"
PLACES = np.linspace(0.0, 1.0, 51)


@dataclass(frozen=True, kw_only=True, eq=False)
class TrueCurve:
    """The curve without noise, beside a released one.

    Parameters
    ----------
    fpr, tpr : float arrays, shape (points,)
    words
        Where its area is, as the end of a sentence.
    n
        Number of records.
    merged
        Whether the public cells merge so many scores that a tenth is lost of what the curve tells.
    name
        What a legend calls it.
    """

    fpr: FloatArray
    tpr: FloatArray
    words: str
    n: int
    merged: bool = False
    name: str = "true"

    @classmethod
    def of(cls, truth: Truth) -> TrueCurve:
        """The exact curve of a study."""
        model, words = truth.model, f"the true one is {truth.model.auc_words}"
        # What they lose of next to nothing is no reason for anything.
        merged = 10 * abs(model.auc - model.auc_on_cells) > abs(model.auc - 0.5)
        return cls(fpr=truth.fpr, tpr=truth.tpr, words=words, n=truth.n_test, merged=merged)

    @classmethod
    def on_cells(cls, scores: ScoreHistogram) -> TrueCurve:
        """The curve of counted scores, whose exact order nobody knows."""
        fpr, tpr, _ = scores.roc()
        words, n = f"{ON_CELLS}, it is {scores.auc():.3f}", scores.n_positive + scores.n_negative
        return cls(fpr=fpr, tpr=tpr, words=words, n=n, name=ON_CELLS)


def of_study(result: WorkflowResult) -> Found:
    """What a study found."""
    method = roc_methods()[result.config.evaluation.method]
    return Found(
        release=result.roc,
        epsilon=result.config.epsilon.evaluation,
        noise=str(result.config.evaluation_noise),
        truth=None if result.truth is None else TrueCurve.of(result.truth),
        proven=method.guarantee.holds,
        scale=result.config.data.score_scale,
    )


def _table(found: Found) -> tuple[Row, list[Row]]:
    roc: RocRelease = found.release
    header = ["threshold", "fpr", "tpr"]
    # The curve begins above all scores.
    written = found.scale.written(roc.thresholds)
    columns: list[list[Any]] = [as_plain(written), roc.fpr.tolist(), roc.tpr.tolist()]
    if roc.fpr_band is not None and roc.tpr_band is not None:
        header += ["fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"]
        columns += [*roc.fpr_band.tolist(), *roc.tpr_band.tolist()]
    rows: list[Row] = list(zip(*columns, strict=True))
    if not found.simulated:
        return header, rows
    beside = [""] * (len(header) - 3)
    true = () if found.truth is None else zip(found.truth.fpr, found.truth.tpr, strict=True)
    every: list[Row] = [(found.adjective, *row) for row in rows]
    every += [(found.truth.name, "", float(x), float(y), *beside) for x, y in true]
    return ["curve", *header], every


def _headline(found: Found) -> str:
    roc: RocRelease = found.release
    if roc.says_nothing:
        return _too_few(found)
    return auc_sentence(found, roc.auc, roc.auc_interval, roc.confidence)


def auc_sentence(found: Found, auc: float, interval: Interval | None, confidence: float) -> str:
    """An AUC and what the noise leaves for it, of a curve or by itself."""
    truth: TrueCurve | None = found.truth
    start, sure = f"{found.at_epsilon} the {found.adjective} AUC is", ""
    if interval is None:
        sentence = f"{start} {rate(auc)} ({NO_INTERVAL})"
    else:
        # The truth has three digits, and would seem to lie beyond an interval of more.
        digits = telling_digits(*interval) if truth is None else 3
        area, low, high = [rate(one, digits=digits) for one in (auc, *interval)]
        within = f"{low} to {high} possible for these records"
        sentence = f"{start} {area}, and the noise leaves {within}"
        sure = f", with {level(confidence)} confidence"
    # Beside the truth nobody asks how sure the interval is.
    return f"{sentence}{sure if truth is None else f'; {truth.words}'}."


def auc_words(release: RocRelease) -> str:
    """The area in a table or a line: with its interval, or with the word that it has none."""
    if release.auc_interval is None:
        return f"{rate(release.auc)}, {NO_INTERVAL}"
    low, high = map(rate, release.auc_interval)
    return f"{rate(release.auc)} ({low} to {high})"


def _too_few(found: Found) -> str:
    """Why a smooth curve is no result."""
    epsilon, truth = shown(found.epsilon), found.truth
    if truth is None:
        return nothing_said("this curve", "any AUC", epsilon)
    # Few records are the usual reason, and not the only one: all scores may be the same.
    why = f"with {truth.n:,} records"
    if truth.merged:
        why = "it is drawn from cells that merge the scores, and"
    return (
        f"At epsilon {epsilon} this curve says nothing: {why} the noise leaves any AUC possible; "
        f"{truth.words}."
    )


def picture(
    found: Found, theme: Theme, *, true: Json | None = None, sampling: bool = False
) -> Picture:
    """Released and true curve with the bands that the method has; the wider one if asked.

    `true` is the trace of the true curve, if it has been thinned before.
    """
    roc: RocRelease = found.release
    truth: TrueCurve | None = found.truth
    if true is None and truth is not None:
        true = true_trace(truth.fpr, truth.tpr, theme, name=truth.name)
    narrow, wide = band_names(roc.confidence)
    return roc_picture(
        roc.fpr,
        roc.tpr,
        theme=theme,
        truth=true,
        band=roc.envelope,
        band_name=narrow,
        wide_band=roc.sampling_envelope if sampling else None,
        wide_name=wide,
        private_name=found.adjective + (f", {ANY}" if roc.says_nothing else ""),
        simulated=found.simulated,
    )


def tpr_at(fpr: FloatArray, tpr: FloatArray) -> FloatArray:
    """A curve at 51 even false positive rates, the highest point where it is vertical."""
    return np.interp(PLACES, fpr, tpr)


def _measure(outcome: WorkflowResult) -> Measured:
    roc: RocRelease = outcome.evaluated
    true = outcome.performance.scores.auc()
    curve: Json = {"x": PLACES, "y": tpr_at(roc.fpr, roc.tpr)}
    if roc.envelope is None or roc.auc_interval is None:
        return Measured(roc.auc, abs(roc.auc - true), **curve)
    fpr, lower, upper = roc.envelope
    band = {"lower": tpr_at(fpr, lower), "upper": tpr_at(fpr, upper)}
    return Measured.of(roc.auc, roc.auc_interval, true, **curve, **band)


PUBLICATION = exported("roc", RocRelease, private_roc_curve, roc_methods)(
    _table, _headline, _measure, picture
)
