"""Hypothetical outcomes: the same curve redrawn many times, all pale at once, and one by one."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from dpcore.figures import Picture
from dpcore.figures.roc import pale_trace, roc_frame
from dpcore.privacy import shown
from dpcore.study import WorkflowResult
from pages.roc import variants
from pages.roc.variants import Variant
from pages.session import state
from pages.widgets import cards, figure, roc_curve

NUMBER = 20


def show(result: WorkflowResult) -> None:
    """Headline, figure with its player, and table."""
    drawn = redraws(result)
    cards.headline(headline(drawn, result))
    figure.show(picture(drawn, result), key="roc redraws")
    st.html(table(drawn))
    first = result.config.evaluation_noise.seed or 0
    seeds = f"for seed in range({first}, {first + NUMBER})"
    variants.show_code(result, "evaluation=replace(study.evaluation, seed=seed)", seeds)


def redraws(result: WorkflowResult) -> list[Variant]:
    """The curve as it is, and as later redraws would make it."""
    study = result.config
    seeds = range(first := study.evaluation_noise.seed, first + NUMBER)
    return [variants.of(result, variants.from_seed(study, seed)) for seed in seeds]


def headline(drawn: Sequence[Variant], result: WorkflowResult) -> str:
    """How much one draw may differ from the next."""
    aucs = [one.roc.auc for one in drawn]
    epsilon = shown(result.config.epsilon.evaluation)
    return (
        f"At epsilon {epsilon} the {roc_curve.adjective(result)} AUC of {NUMBER} redraws runs from "
        f"{min(aucs):.3f} to {max(aucs):.3f}; the true one is {result.truth.model.auc:.3f}."
    )


def picture(drawn: Sequence[Variant], result: WorkflowResult) -> Picture:
    """The ROC figure over all redraws, which are pale, with a frame for each of them."""
    whole = roc_curve.picture(result)
    curves = [(one.roc.fpr, one.roc.tpr) for one in drawn]
    pale = pale_trace(curves, f"all {NUMBER} redraws", state.theme())
    frames = [
        roc_frame(
            one.roc.fpr,
            one.roc.tpr,
            name=f"Redraw {place} of {NUMBER}: AUC {one.roc.auc:.3f}",
            band=one.roc.envelope,
        )
        for place, one in enumerate(drawn, start=1)
    ]
    # Beneath all others stands the pale line, which never moves.
    moved = [{**one, "traces": [place + 1 for place in one["traces"]]} for one in frames]
    alt = f"{whole.alt} Pale lines show {NUMBER} redraws of the noise at once."
    return replace(whole, data=[pale, *whole.data], frames=moved, alt=alt)


def table(drawn: Sequence[Variant]) -> str:
    """Quantiles of what the redraws got wrong."""
    columns = {
        "AUC": [one.roc.auc for one in drawn],
        "AUC error, absolute": [abs(one.auc_error) for one in drawn],
        "area between (L1)": [one.area for one in drawn],
    }
    rows = [
        (name, *(f"{value:.4f}" for value in np.quantile(values, (0.0, 0.25, 0.5, 0.75, 1.0))))
        for name, values in columns.items()
    ]
    return cards.table(
        ("", "least", "lower quarter", "median", "upper quarter", "most"),
        rows,
        caption=f"Over {NUMBER} redraws of the noise; a release is one of them",
    )
