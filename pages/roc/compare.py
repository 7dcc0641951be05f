"""Two or more methods on one figure: picture, headline and table."""

from collections.abc import Sequence

import streamlit as st

from dpcore.evaluation import roc_methods
from dpcore.figures import Picture
from dpcore.figures.roc_panels import MOST_METHODS, roc_methods_picture
from dpcore.privacy import shown
from dpcore.study import WorkflowResult
from pages.roc import variants
from pages.roc.choices import FEWEST_METHODS, RocChoice
from pages.roc.variants import Variant
from pages.session import state
from pages.widgets import badges, cards, figure, forms, roc_curve

NAME = "roc_methods"


def picker(choice: RocChoice) -> None:
    """Choose the methods."""
    shown_methods = forms.several(
        NAME,
        badges.names_with_verdicts(roc_methods()),
        choice.methods,
        most=MOST_METHODS,
        fewest=FEWEST_METHODS,
    )
    if shown_methods < FEWEST_METHODS:
        st.caption("Pick one more method to compare with.")


def show(choice: RocChoice, result: WorkflowResult) -> None:
    """Headline, figure and table."""
    drawn = [
        variants.of(result, variants.by_method(result.config, name)) for name in choice.methods
    ]
    cards.headline(headline(drawn, result))
    figure.show(picture(drawn, result), key="roc")
    st.html(table(drawn, result))
    methods = [one.evaluation for one in drawn]
    variants.show_code(result, "evaluation=method", "for method in methods", methods=methods)


def headline(drawn: Sequence[Variant], result: WorkflowResult) -> str:
    """Which method is closest to the truth, and by how much."""
    ranked = sorted(drawn, key=lambda one: one.area)
    best, worst = ranked[0], ranked[-1]
    epsilon = shown(result.config.epsilon.evaluation)
    factor = worst.area / best.area if best.area > 0.0 else float("inf")
    words = f"{factor:.1f} times" if factor < 1_000 else "very much"
    return (
        f"At epsilon {epsilon} “{best.method.title}” is closest to the true curve, with an area of "
        f"{best.area:.4f} between the two; “{worst.method.title}” is {words} farther from it."
    )


def picture(drawn: Sequence[Variant], result: WorkflowResult) -> Picture:
    """Each method in its own colour and dash over the true curve."""
    theme = state.theme()
    return roc_methods_picture(
        {badges.name_with_verdict(one.method): (one.roc.fpr, one.roc.tpr) for one in drawn},
        theme=theme,
        truth=roc_curve.kept_true_trace(result, theme),
    )


def table(drawn: Sequence[Variant], result: WorkflowResult) -> str:
    """L1 area and AUC error of each method."""
    rows = [(one.method.title, one.method.guarantee.badge, *one.cells) for one in drawn]
    rows.append(("True curve", "exact", "0", f"{result.truth.model.auc:.3f}", "0"))
    return cards.table(
        ("method", "privacy", "area between (L1)", "AUC", "AUC error"),
        rows,
        caption="One draw of each method; another redraw changes the figures",
        wrapping=True,
    )
