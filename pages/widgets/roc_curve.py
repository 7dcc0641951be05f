"""The ROC figure and its words, as the overview and the ROC page show them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.evaluation import roc_methods
from dpcore.figures import Picture, Theme, roc_picture, true_trace
from dpcore.figures.numbers import band_names, level, rate, signed
from dpcore.postprocess.monotone import nothing_said
from dpcore.privacy.loss import shown
from dpcore.registry import Method
from dpcore.study import WorkflowResult
from pages.session import state
from pages.widgets import cards, score_pages

# Where a reader looks first: strict thresholds.
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75)


def adjective(result: WorkflowResult) -> str:
    """What the released curve may be called: nothing that a broken method draws is private."""
    return "private" if _method(result).guarantee.holds else "noisy"


def _method(result: WorkflowResult) -> Method:
    return roc_methods()[result.config.evaluation.method]


def says_nothing(result: WorkflowResult) -> bool:
    """Whether the noise leaves every area possible, from 0 to 1 as they are written."""
    return result.roc.says_nothing


def headline(result: WorkflowResult) -> str:
    """The takeaway in one sentence."""
    if says_nothing(result):
        return _too_few(result)
    epsilon, kind = shown(result.config.epsilon.evaluation), adjective(result)
    claimed = "" if kind == "private" else "a claimed "
    sentence = f"At {claimed}epsilon {epsilon} the {kind} AUC is {result.roc.auc:.3f}"
    if result.roc.auc_interval:
        low, high = result.roc.auc_interval
        sentence += f", and the noise leaves {low:.2f} to {high:.2f} possible for these records"
    if result.truth is None:
        return f"{sentence}."
    return f"{sentence}; the true one is {result.truth.model.auc_words}."


def _too_few(result: WorkflowResult) -> str:
    """Why a smooth curve is no result."""
    epsilon, truth = shown(result.config.epsilon.evaluation), result.truth
    if truth is None:
        return nothing_said("this curve", "any AUC", epsilon)
    if truth.model.merged:
        return (
            f"At epsilon {epsilon} this curve says nothing: it is drawn from cells that merge the "
            f"scores, and the noise leaves any AUC possible; the true one is "
            f"{truth.model.auc_words}."
        )
    return (
        f"{truth.n_test:,} records are too few at epsilon {epsilon}: this curve says nothing. "
        f"The noise leaves any AUC possible; the true one is {truth.model.auc_words}."
    )


def figures(result: WorkflowResult) -> list[tuple[str, str, str]]:
    """The areas: label, value, explanation."""
    kind = adjective(result)
    found = [(f"{kind.capitalize()} AUC", f"{result.roc.auc:.3f}", "area under the dashed curve")]
    if result.truth:
        found += [
            *score_pages.true_auc(result),
            ("Area between", f"{result.truth.area:.4f}", "0 if the curves were the same"),
        ]
    return found


def picture(result: WorkflowResult, *, sampling: bool = False) -> Picture:
    """Private and true curve, with the bands if the method has them; the wider one if asked."""
    theme = state.theme()
    roc = result.roc
    narrow, wide = band_names(result.config.evaluation.confidence)
    return roc_picture(
        roc.fpr,
        roc.tpr,
        theme=theme,
        truth=kept_true_trace(result, theme),
        band=roc.envelope,
        band_name=narrow,
        wide_band=roc.sampling_envelope if sampling else None,
        wide_name=wide,
        private_name=adjective(result) + (", says nothing" if says_nothing(result) else ""),
        simulated=result.simulated,
    )


def kept_true_trace(result: WorkflowResult, theme: Theme) -> dict[str, Any] | None:
    """The true curve, thinned once: it stays while only the private one moves."""
    truth = result.truth
    if truth is None:
        return None
    return state.kept("true trace", true_trace, truth.fpr, truth.tpr, theme)


def table(result: WorkflowResult) -> str:
    """Both curves at a few false positive rates, as HTML."""
    rates = np.array(RATES)
    columns = [np.interp(rates, result.roc.fpr, result.roc.tpr)]
    if result.truth:
        columns.append(np.interp(rates, *result.truth.curve))
        columns.append(columns[0] - columns[1])
    header = ("false positive rate", adjective(result), "true", "difference")
    formats = (rate, rate, signed)
    rows = [
        (
            level(at),
            *(form(float(column[place])) for form, column in zip(formats, columns, strict=False)),
        )
        for place, at in enumerate(RATES)
    ]
    return cards.table(
        header[: 1 + len(columns)],
        rows,
        caption="True positive rate; the CSV has every point",
    )
