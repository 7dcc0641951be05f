"""What a decision needs, in a report: the AUC by itself, and the counts at a threshold."""

from __future__ import annotations

from html import escape

import numpy as np

from dpcore.evaluation import AucRelease, ConfusionRelease
from dpcore.figures.report_page import section, table
from dpcore.postprocess.monotone import nothing_said

__all__ = ["CELL_WORDS", "MEASURE_WORDS", "auc_section", "threshold_section"]

CELL_WORDS = {
    "tp": "positives alarmed",
    "fp": "negatives alarmed",
    "fn": "positives missed",
    "tn": "negatives left alone",
}
MEASURE_WORDS = {
    "sensitivity": "sensitivity (recall)",
    "specificity": "specificity",
    "ppv": "positive predictive value (precision)",
    "npv": "negative predictive value",
    "accuracy": "accuracy",
    "f1": "F1",
    "mcc": "Matthews correlation",
    "prevalence": "prevalence",
}


def auc_section(area: AucRelease | None) -> str:
    """The AUC with both intervals; nothing if it was not asked for."""
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
        f"<p>With a chance of {area.auc:.4f} a positive record scores above a negative one. Each "
        f"interval holds with a chance of about {share}.</p>"
    )
    return section("AUC", says, table(["interval for", "from", "to"], rows))


def threshold_section(matrix: ConfusionRelease | None) -> str:
    """The confusion matrix per 1,000 records, and what follows from it."""
    if matrix is None:
        return ""
    cells = ", ".join(
        f"{round(count)} {CELL_WORDS[name]}" for name, count in matrix.per_thousand.items()
    )
    rows: list[list[str | float | int]] = []
    for name, words in MEASURE_WORDS.items():
        value, here, there = getattr(matrix, name)
        rows.append([words, "unknown" if np.isnan(value) else float(value), *here, *there])
    head = ["", "estimate", "these records: from", "to", "people like these: from", "to"]
    says = f"<p>Of every 1,000 records: {escape(cells)}.</p>"
    return section(f"Alarm from a score of {matrix.threshold:.3g} on", says, table(head, rows))
