"""Where a visit begins: a result first, then what to do with it."""

import streamlit as st

from dpcore.privacy import shown
from pages.session import open_data, study
from pages.session.text import plain
from pages.shell import guide, page_shell
from pages.widgets import cards, model_words, python_code, roc_curve, score_pages
from pages.widgets import figure as plot

NEXT = (
    ("pages/roc/page.py", "Drag epsilon", ":material/show_chart:",
     "Watch the private curve leave the true one as epsilon falls, and compare methods."),
    ("pages/data/page.py", "Use your own data", ":material/upload:",
     "Upload a table, or just the labels and scores of a model that you already have."),
)  # fmt: skip
OF_PREDICTIONS = (
    "pages/calibration/page.py", "Check the probabilities", ":material/balance:",
    "See whether what the model expects is what happens, with a test that knows of the noise.",
)  # fmt: skip
OF_A_TABLE = (
    "pages/model/page.py", "Split the budget", ":material/model_training:",
    "Give each phase its share of epsilon, and see what it buys in accuracy.",
)  # fmt: skip


def result_words() -> str:
    """What the figure is about, in one sentence."""
    config = study.config()
    opened = open_data.current()
    model = {
        "classifier": "A private classifier",
        "naive-bayes": "A naive Bayes model",
        "logistic": "A logistic model",
    }
    if not config.trains:
        return f"Predictions from {opened.title}, evaluated under differential privacy."
    return (
        f"{model[config.model.kind]}, trained at epsilon {shown(config.epsilon.training)} on "
        f"{opened.title} and tested on records that it has not seen."
    )


def body() -> None:
    cards.heading("overview")
    result = study.run()
    cards.headline(roc_curve.headline(result))
    score_pages.point_out_merging(result)
    figure, side = st.columns([5, 3], gap="large")
    with figure:
        plot.show(roc_curve.picture(result), key="overview")
        st.caption(plain(result_words()))
        if result.truth.noise_free is not None:
            st.caption(model_words.compared(result.truth))
        python_code.show(lambda: roc_curve.code(result), result.config)
    with side:
        st.markdown(
            "The **solid** curve is the truth, which a data owner must not show. The **dashed** "
            "curve carries noise and may be shown. The **band** is where the noise leaves the "
            "truth possible."
        )
        for page, label, icon, words in (
            *NEXT,
            OF_A_TABLE if result.config.trains else OF_PREDICTIONS,
        ):
            with st.container(border=True):
                st.page_link(page, label=f"**{label}**", icon=icon)
                st.caption(words)
        guide.invitation()


page_shell.run(body)
