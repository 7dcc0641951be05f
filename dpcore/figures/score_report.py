"""An evaluation of counted scores as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import numpy as np

from dpcore import __version__
from dpcore.evaluation import (
    CalibrationRelease,
    EcdfRelease,
    RocRelease,
    ecdf_of_scores,
    true_calibration,
)
from dpcore.evaluation.score_evaluation import ScoreEvaluation
from dpcore.figures.calibration import TrueRates, calibration_picture
from dpcore.figures.ecdf import EcdfCurve, ecdf_picture
from dpcore.figures.numbers import band_names, interval
from dpcore.figures.picture import Picture
from dpcore.figures.report_page import figure, page, section, table
from dpcore.figures.roc import roc_picture, true_trace
from dpcore.figures.theme import DARK, LIGHT, Theme
from dpcore.figures.thin import thin
from dpcore.postprocess.possible import nothing_said
from dpcore.privacy import Neighbors

__all__ = ["score_report_html"]

_ON_CELLS = "without noise, on the public cells"
_SIDES = ("negatives", "positives")
_CELLS = {
    "tp": "positives alarmed",
    "fp": "negatives alarmed",
    "fn": "positives missed",
    "tn": "negatives left alone",
}
_MEASURES = {
    "sensitivity": "sensitivity (recall)",
    "specificity": "specificity",
    "ppv": "positive predictive value (precision)",
    "npv": "negative predictive value",
    "accuracy": "accuracy",
    "f1": "F1",
    "mcc": "Matthews correlation",
    "prevalence": "prevalence",
}


def score_report_html(found: ScoreEvaluation, *, title: str = "Predictions") -> str:
    """Draw releases about scores.

    Parameters
    ----------
    found : ScoreEvaluation
    title : str

    Returns
    -------
    str
        HTML that opens without a network; equal evaluations give equal texts.
    """
    parts = [
        _opening(title, found),
        _roc(found),
        _auc(found),
        _threshold(found),
        _ecdf(found),
        _calibration(found),
        _privacy(found),
    ]
    return page(title, [part for part in parts if part])


def _opening(title: str, found: ScoreEvaluation) -> str:
    spent = found.ledger.spent
    if found.simulated:
        stamp = "SIMULATION"
        note = (
            f"The noise comes from seed {found.seed}: this is not a private release. What is "
            "called true is counted on the public cells, which merge scores with log-odds beyond "
            "±20."
        )
    else:
        stamp, note = f"PRIVATE RELEASE, {spent}", "Every figure is a released value."
    return (
        f'<header>\n<h1>{escape(title)}</h1>\n<p><span class="stamp">{escape(stamp)}</span></p>\n'
        f'<p class="lead">{escape(headline(found))}</p>\n<p class="note">{escape(note)}</p>\n'
        f'<p class="note">{escape(_left_out(found))}</p>\n</header>'
    )


def _left_out(found: ScoreEvaluation) -> str:
    """What became of rows without a label or a usable score, whose number is private."""
    many = "How many rows had no label or no usable score is private, and was not released;"
    if found.truth is not None:
        many = f"Rows without a label or a usable score: {found.truth.left_out:,};"
    if found.ledger.neighbors is Neighbors.REPLACE:
        return f"{many} each counts as negative, with the lowest score."
    return f"{many} they are left out."


def headline(found: ScoreEvaluation) -> str:
    """The takeaway in one sentence."""
    if found.truth is not None:
        if not found.truth.n_positive and not found.truth.n_negative:
            return "No row has a label and a usable score: check the columns."
        if not found.truth.n_positive:
            return "No row is positive: check which label is."
        if not found.truth.n_negative:
            return "Every row is positive: check which label is."
    epsilon = found.ledger.spent.short
    what = found.auc or found.roc
    if what is None:
        return f"Scores of a model, released at epsilon {epsilon}."
    within, ends = "", what.auc_interval if isinstance(what, RocRelease) else what.interval
    if ends is not None:
        if what.says_nothing:
            silent = "this release" if found.auc else "this curve"
            return nothing_said(silent, "any AUC", epsilon)
        within = f" ({interval(*ends, what.confidence)})"
    # The scores of files are never held one by one, so their exact order is not known.
    true = ""
    if found.truth is not None:
        true = f"; without noise, on the public cells, it is {found.truth.auc():.3f}"
    return f"At epsilon {epsilon} the private AUC is {what.auc:.3f}{within}{true}."


def _roc(found: ScoreEvaluation) -> str:
    roc, truth = found.roc, found.truth
    if roc is None:
        return ""

    def draw(theme: Theme) -> Picture:
        true = None if truth is None else true_trace(*truth.roc()[:2], theme, name=_ON_CELLS)
        return roc_picture(
            roc.fpr,
            roc.tpr,
            theme=theme,
            truth=true,
            band=roc.envelope,
            band_name=band_names(roc.confidence)[0],
            simulated=found.simulated,
        )

    fpr, tpr = thin(roc.fpr, roc.tpr)
    points = [[float(x), float(y)] for x, y in zip(fpr, tpr, strict=True)]
    rows = table(["false positive rate", "true positive rate"], points)
    return section("ROC curve", _both(draw), _details(f"Points ({len(points)})", rows))


def _auc(found: ScoreEvaluation) -> str:
    area = found.auc
    if area is None:
        return ""
    if area.says_nothing:
        return section("AUC", f"<p>{escape(nothing_said('this AUC', 'any value'))}</p>")
    rows: list[list[str | float | int]] = [
        ["these records (noise)", *area.interval],
        ["people like these (noise and sampling)", *area.population_interval],
    ]
    share = f"{100 * area.confidence:g} %"
    says = (
        f"<p>The private AUC is {area.auc:.4f}: the chance that a positive scores above a "
        f"negative. Each interval holds with a chance of about {share}.</p>"
    )
    return section("AUC", says, table(["interval for", "from", "to"], rows))


def _threshold(found: ScoreEvaluation) -> str:
    matrix = found.threshold
    if matrix is None:
        return ""
    cells = ", ".join(
        f"{round(count)} {_CELLS[name]}" for name, count in matrix.per_thousand.items()
    )
    rows: list[list[str | float | int]] = []
    for name, words in _MEASURES.items():
        value, here, there = getattr(matrix, name)
        rows.append([words, "unknown" if np.isnan(value) else float(value), *here, *there])
    head = ["", "estimate", "these records: from", "to", "people like these: from", "to"]
    says = f"<p>Of every 1,000 records: {escape(cells)}.</p>"
    return section(f"Alarm from a score of {matrix.threshold:.3g} on", says, table(head, rows))


def _ecdf(found: ScoreEvaluation) -> str:
    if found.ecdf is None:
        return ""
    curves = [
        _curve(release, side, found) for release, side in zip(found.ecdf, _SIDES, strict=True)
    ]

    def draw(theme: Theme) -> Picture:
        return ecdf_picture(*curves, theme=theme, simulated=found.simulated)

    at = np.linspace(0.1, 1.0, 10)
    place = np.minimum(np.searchsorted(curves[0].grid, at), curves[0].grid.size - 1)
    shares = [
        [float(score), *(float(curve.cdf[index]) for curve in curves)]
        for score, index in zip(at, place, strict=True)
    ]
    header = ["score at most", *(f"share of {side}" for side in _SIDES)]
    return section("Distribution of scores", _both(draw), _details("Table", table(header, shares)))


def _curve(release: EcdfRelease, side: str, found: ScoreEvaluation) -> EcdfCurve:
    truth = None
    if found.truth is not None and found.truth.n_positive and found.truth.n_negative:
        exact = ecdf_of_scores(found.truth, side, points=release.grid.size)
        truth = exact.grid, exact.cdf
    return EcdfCurve(name=side, grid=release.grid, cdf=release.cdf, band=release.band, truth=truth)


def _calibration(found: ScoreEvaluation) -> str:
    release = found.calibration
    if release is None:
        return ""
    truth = None if found.truth is None else _true_rates(found, release)

    def draw(theme: Theme) -> Picture:
        return calibration_picture(
            release.table, theme=theme, truth=truth, simulated=found.simulated
        )

    within = interval(*release.calibration_error_interval, release.confidence, digits=4)
    rows: list[list[str | float]] = [
        ["trend in calibration", release.trend_statistic, release.trend_p_value],
        ["Hosmer-Lemeshow, corrected for the noise", release.statistic, release.p_value],
    ]
    error = (
        f"Calibration error {release.calibration_error:.4f}, {within}; a perfectly calibrated "
        f"model shows about {release.table.error_by_chance:.4f} by sampling alone."
    )
    tests = table(["test", "statistic", "p-value"], rows)
    return section("Calibration", _both(draw), tests, f"<p>{escape(error)}</p>")


def _true_rates(found: ScoreEvaluation, release: CalibrationRelease) -> TrueRates:
    assert found.truth is not None
    edges = np.append(release.table.lower, release.table.upper[-1])
    exact = true_calibration(found.truth, edges=edges)
    return TrueRates(expected=exact.expected, observed=exact.observed, n=exact.n)


def _privacy(found: ScoreEvaluation) -> str:
    rows = [
        [
            charge.label,
            charge.mechanism,
            str(charge.part) if charge.part else "all records",
            charge.loss.short,
        ]
        for charge in found.ledger.charges
    ]
    return section(
        "Privacy ledger",
        table(["for", "mechanism", "records", "epsilon"], rows),
        f"<p>Together {escape(str(found.ledger.spent))}, for "
        f"{escape(found.ledger.neighbors.words)}. Made by dpcore {__version__}.</p>",
    )


def _both(draw: Callable[[Theme], Picture]) -> str:
    return figure(draw(LIGHT), draw(DARK))


def _details(summary: str, content: str) -> str:
    return f"<details>\n<summary>{escape(summary)}</summary>\n{content}\n</details>"
