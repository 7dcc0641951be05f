"""The ROC figure and its words, as the overview and the ROC page show them."""

import numpy as np
import streamlit as st

from dpcore._numbers import ANY, apart, level, rate
from dpcore._typing import FloatArray, Json
from dpcore.evaluation import roc_methods
from dpcore.figures import Picture, Theme, true_trace
from dpcore.publications import publication, roc
from dpcore.publications.report import report_html
from dpcore.study import WorkflowResult, to_json
from dpcore.study.python import Script
from pages.session import state, study
from pages.session.text import plain, said
from pages.widgets import cards, forms, python_code, score_pages

LATEST = "latest result"
EPSILON = forms.label_of("epsilon")


def _holder() -> dict[str, WorkflowResult]:
    """Where the buttons find the present result: it changes while they stay."""
    return st.session_state.setdefault(LATEST, {})


def remember(result: WorkflowResult) -> None:
    """Let the buttons hand out this result."""
    _holder()["result"] = result


def offer() -> None:
    """Buttons for every form of the result."""
    holder, beside = _holder(), python_code.files_beside(study.config())
    kept = f", with {plain(beside)} beside it" if beside else ""
    files = [
        ("CSV", "roc-simulation.csv", lambda: points_csv(holder["result"])),
        ("JSON", "result-simulation.json", lambda: holder["result"].to_json()),
        ("HTML", "report-simulation.html", lambda: report_html(holder["result"])),
        ("Study", "study.json", lambda: to_json(holder["result"].config)),
    ]
    score_pages.offer(files, note=said("repeat the study").format(kept))


def points_csv(result: WorkflowResult) -> str:
    """Both curves, point by point."""
    return publication("roc").csv(roc.of_study(result))


# Where a reader looks first: strict thresholds.
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75)


def adjective(result: WorkflowResult) -> str:
    """What the released curve may be called."""
    return roc_methods()[result.config.evaluation.method].guarantee.adjective


def headline(result: WorkflowResult) -> str:
    """The takeaway in one sentence."""
    return publication("roc").headline(roc.of_study(result))


def figures(result: WorkflowResult) -> list[tuple[str, str, str]]:
    """The areas: label, value, explanation."""
    kind = adjective(result)
    interval = result.roc.auc_interval
    told = roc.NO_INTERVAL
    if interval is not None:
        told = (
            f"between {rate(interval[0])} and {rate(interval[1])}, {level(result.roc.confidence)}"
        )
    area = ANY if result.roc.says_nothing else f"{result.roc.auc:.3f}"
    return [
        (f"{kind.capitalize()} AUC", area, f"under the dashed curve; {told}"),
        score_pages.true_auc(result),
        ("Area between", f"{result.truth.area:.4f}", "0 if the curves were the same"),
    ]


def picture(result: WorkflowResult, *, sampling: bool = False) -> Picture:
    """Private and true curve, with the bands if the method has them; the wider one if asked."""
    theme = state.theme()
    true = kept_true_trace(result, theme)
    return roc.picture(roc.of_study(result), theme, true=true, sampling=sampling)


def code(result: WorkflowResult) -> Script:
    """The lines that draw the curve."""
    return python_code.written("roc curve", python_code.of_study(result.config))


def kept_true_trace(result: WorkflowResult, theme: Theme) -> Json:
    """The true curve, thinned once: it stays while only the private one moves."""
    kept = state.cached("true trace", _compact, result.truth.fpr, result.truth.tpr, theme)
    return kept | {axis: kept[axis].tolist() for axis in "xy"}


def _compact(fpr: FloatArray, tpr: FloatArray, theme: Theme) -> Json:
    """The trace, its points in arrays: each number of a list would be an object."""
    trace = true_trace(fpr, tpr, theme)
    return trace | {axis: np.array(trace[axis]) for axis in "xy"}


def table(result: WorkflowResult) -> str:
    """Both curves at a few false positive rates, as HTML."""
    rates = np.array(RATES)
    curves = (result.roc.fpr, result.roc.tpr), result.truth.curve
    columns = zip(RATES, *(np.interp(rates, *curve).tolist() for curve in curves), strict=True)
    rows = [(level(at), rate(one), rate(true), apart(one, true)) for at, one, true in columns]
    header = ("false positive rate", adjective(result), "true", "difference")
    return cards.table(header, rows, caption="True positive rate; the CSV has every point")
