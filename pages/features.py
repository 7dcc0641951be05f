"""Feature selection: what the noisy scores say, what is chosen, and how close that is to true."""

import numpy as np
import streamlit as st

from dpcore._typing import FloatArray, IntArray
from dpcore.figures import features_picture
from dpcore.intake import Predictions
from dpcore.privacy.loss import shown
from dpcore.selection import f1, jaccard, selectors
from dpcore.studies.workflow import WorkflowResult
from pages.shared import budget, cards, forms, frame, plot, records, state, study, true_scores

WORDS = """
Every level of a category and every word is a feature that a record has or has not. Its score is the
number of training records that have it. The method chooses by these scores, with enough chance in
it that no single record decides. Numbers are never scored; they are always kept.

Strong bars were chosen, pale bars left out. Where a method publishes noisy scores, the bars show
them and a tick marks the true score, which only a simulation may show; otherwise the bars are the
true scores.
"""
NOISY_SCORES = (
    r"\tilde q_j = q_j + \mathrm{Lap}(s/\varepsilon),\qquad s=\text{most features in one record}"
)
ANY_CHOICE = r"\Pr[\text{choice}\mid D]\le e^{\varepsilon}\,\Pr[\text{choice}\mid D']"
RULES = {"top_k": "the best k", "threshold": "above a score"}


def change_method() -> None:
    """A method that reads data needs a share of the budget; one that does not needs none."""
    state.take("select")
    budget.give_selection_a_share(selectors()[state.chosen()["select"]].spends)


def controls() -> None:
    methods = selectors()
    most = study.indicators()
    if most == 0:
        st.info("These records hold numbers only. They are always kept: nothing is to be chosen.")
        methods = {"none": methods["none"]}
    now = study.config().selection.method
    forms.method_picker("select", methods, now, on_change=change_method)
    if not methods[now].spends:
        return
    forms.rule("select", RULES, most={"top_k": most})
    forms.parameters("select", without=(*RULES, "score"))
    budget.split(study.config(), only="selection")


def headline(result: WorkflowResult, true: FloatArray, wanted: IntArray) -> str:
    chosen = indicators(result.selection.selected, true)
    if not result.config.selects:
        return f"All {len(result.feature_names):,} features go into the model."
    hits = np.intersect1d(chosen, wanted).size
    epsilon = shown(result.config.epsilon.selection)
    claimed = "" if selectors()[result.config.selection.method].guarantee.holds else "a claimed "
    return (
        f"At {claimed}epsilon {epsilon}, {hits} of the {chosen.size} chosen features are among the "
        f"{wanted.size} that truly score best."
    )


def indicators(selected: IntArray, true: FloatArray) -> IntArray:
    """The chosen features that were scored at all."""
    return selected[~np.isnan(true[selected])]


def figures(result: WorkflowResult, true: FloatArray) -> None:
    wanted = true_scores.best(true, result.config)
    cards.headline(headline(result, true, wanted))
    scored = np.flatnonzero(~np.isnan(true))
    if not scored.size:
        names = ", ".join(result.feature_names)
        st.markdown(f"Numeric features, all kept: {names}.")
        return
    chosen = indicators(result.selection.selected, true)
    noisy = None if result.selection.scores is None else result.selection.scores[scored]
    names = [result.feature_names[index] for index in scored]
    picture = features_picture(
        names,
        noisy,
        np.searchsorted(scored, chosen),
        theme=state.theme(),
        true=true[scored],
        score_name="records that have the feature",
        simulated=result.simulated,
    )
    if result.config.selects:
        agreement(chosen, wanted)
    plot.show(picture, key="features")
    with st.expander("All scores as a table"):
        columns = {"feature": names, "true score": true[scored]}
        columns |= {} if noisy is None else {"noisy score": noisy}
        columns |= {"chosen": np.isin(scored, chosen)}
        st.dataframe(columns, hide_index=True)


def agreement(chosen: IntArray, wanted: IntArray) -> None:
    figures = [
        ("F1", f"{f1(chosen, wanted):.2f}", "1 if the chosen set is the true one"),
        ("Jaccard", f"{jaccard(chosen, wanted):.2f}", "overlap of both sets over their union"),
    ]
    st.html(cards.numbers(figures))


def body() -> None:
    cards.heading("Features", "Choose what the model may look at, without telling who has what.")
    if isinstance(records.current().records, Predictions):
        st.info("Predictions have no features: see the ROC page.")
        st.page_link("pages/roc.py", icon=":material/show_chart:")
        return
    figure, side = st.columns([5, 3], gap="large")
    with side:
        controls()
    with figure:
        result = study.run()
        figures(result, true_scores.of(result))
    method = selectors()[result.config.selection.method]
    formula = NOISY_SCORES if method.name == "noisy-scores" else ANY_CHOICE
    cards.what_is_this(WORDS, formula, method, result.config.neighbors)


frame.run(body)
