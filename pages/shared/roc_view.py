"""The ROC figure and its words, as the overview and the ROC page show them."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from dpcore.figures import Picture, Theme, roc_picture, true_trace
from dpcore.privacy.loss import shown
from dpcore.studies.workflow import Truth, WorkflowResult
from pages.shared import state

# Where a reader looks first: strict thresholds.
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75)


def headline(result: WorkflowResult) -> str:
    """The takeaway in one sentence."""
    epsilon = shown(result.config.epsilon.evaluation)
    sentence = f"At epsilon {epsilon} the private AUC is {result.roc.auc:.3f}"
    if result.roc.auc_interval:
        low, high = result.roc.auc_interval
        sentence += f", and the noise leaves {low:.2f} to {high:.2f} possible"
    if result.truth is None:
        return f"{sentence}."
    return f"{sentence}; the true one is {result.truth.model.auc:.3f}."


def picture(result: WorkflowResult) -> Picture:
    """Private and true curve, with the privacy band if the method has one."""
    theme = state.theme()
    roc = result.roc
    confidence = f"{result.config.evaluation.confidence:.0%}".replace("%", " %")
    return roc_picture(
        roc.fpr,
        roc.tpr,
        theme=theme,
        truth=_true_trace(result.truth, theme) if result.truth else None,
        band=roc.envelope,
        band_name=f"privacy band, {confidence}",
        simulated=result.simulated,
    )


def _true_trace(truth: Truth, theme: Theme) -> dict[str, Any]:
    """The true curve, thinned once: it stays while only the private one moves."""
    kept = st.session_state.get("true trace")
    if kept is None or kept[0] is not truth.fpr or kept[1] is not theme:
        kept = truth.fpr, theme, true_trace(truth.fpr, truth.tpr, theme)
        st.session_state["true trace"] = kept
    return kept[2]


def rows(result: WorkflowResult) -> list[tuple[str, ...]]:
    """Both curves at a few false positive rates, as text for a table."""
    rates = np.array(RATES)
    private = np.interp(rates, result.roc.fpr, result.roc.tpr)
    if result.truth is None:
        return [(f"{rate:.0%}", f"{mine:.3f}") for rate, mine in zip(rates, private, strict=True)]
    true = np.interp(rates, *result.truth.curve)
    return [
        (_percent(rate), f"{mine:.3f}", f"{exact:.3f}", f"{mine - exact:+.3f}")
        for rate, mine, exact in zip(rates, private, true, strict=True)
    ]


def _percent(rate: float) -> str:
    return f"{rate:.0%}".replace("%", " %")
