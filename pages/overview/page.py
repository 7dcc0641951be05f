"""The overview, where a visit begins: a result first, then what to do with it."""

import streamlit as st

from dpcore.privacy import shown
from pages.session import open_data, study
from pages.session.text import OPTIONS, plain, said
from pages.shell import guide, page_shell
from pages.widgets import cards, model_words, plot, python_code, roc_curve, score_pages


def result_words() -> str:
    """What the figure is about, in one sentence."""
    config = study.config()
    opened = open_data.current()
    model = OPTIONS["model at the beginning of a sentence"][config.model.kind]
    if not config.trains:
        return f"Predictions from {opened.title}, evaluated under differential privacy."
    told = model, shown(config.epsilon.training), opened.title
    return said("tested on other records").format(*told)


def body() -> None:
    # What the model is compared with follows the picture: of many records it takes far longer.
    result = study.run(beside=False)
    cards.headline(roc_curve.headline(result))
    score_pages.point_out_merging(result)
    figure, side = st.columns([5, 3], gap="large")
    with figure:
        plot.show(roc_curve.picture(result), key="overview")
        st.caption(plain(result_words()))
        compared = st.container()
        python_code.show(lambda: roc_curve.code(result), result.config)
    with side:
        st.markdown(said("three curves"))
        for page in ("roc", "data", "model" if result.config.trains else "calibration"):
            with st.container(border=True):
                cards.door(page)
        guide.invitation()
    if result.config.trains:
        with compared:
            st.caption(model_words.compared(study.run().truth))


page_shell.run(body)
