"""The model: which one, on which budget, and how good it is with and without privacy."""

import streamlit as st

from dpcore.figures import scores_picture
from dpcore.intake import Predictions
from dpcore.models import logistic_methods, naive_bayes_methods
from dpcore.privacy.loss import shown
from dpcore.studies.workflow import WorkflowResult
from pages.shared import budget, cards, forms, frame, plot, records, state, study

KINDS = {"naive-bayes": "Naive Bayes", "logistic": "Logistic"}
METHODS = {"naive-bayes": naive_bayes_methods, "logistic": logistic_methods}
WORDS = """
The records are divided by an independent coin for each: some train the model, the others test it.
The model is trained with noise, so it is private and may be published. The figures on this page
come from the exact test scores, which only a simulation may show; the ROC page releases them
privately.

The two outlines are the scores that the private model gives to the test records of either class.
Where they overlap, no threshold tells the classes apart.
"""
FORMULA = (
    r"\varepsilon_{\text{one person}}=\max(\varepsilon_{\text{selection}}+"
    r"\varepsilon_{\text{training}},\ \varepsilon_{\text{evaluation}})"
)


def change_kind() -> None:
    """Another kind of model starts with its own default method."""
    state.take("model")
    state.put("training", "")


def controls() -> None:
    kind = st.segmented_control(
        "Model",
        list(KINDS),
        format_func=KINDS.get,
        required=True,
        wrap=True,
        key=state.seed_control("model", state.chosen()["model"]),
        on_change=change_kind,
    )
    methods = METHODS[kind]()
    forms.method_picker("training", methods, state.config().model.method)
    forms.parameters("training")
    st.divider()
    st.markdown("**Budget**")
    budget.split(study.config())


def headline(result: WorkflowResult) -> str:
    truth = result.truth
    mine, peer = truth.model, truth.peer
    epsilon = shown(result.config.epsilon.training)
    return (
        f"Trained at epsilon {epsilon}, the model reaches a true test AUC of {mine.auc:.3f}; "
        f"without privacy it would be {peer.auc:.3f}."
    )


def figures(result: WorkflowResult) -> None:
    truth = result.truth
    mine, peer = truth.model, truth.peer
    header = ("on the test records", "AUC", "accuracy")
    rows = [
        ("private model", f"{mine.auc:.3f}", f"{mine.accuracy:.3f}"),
        ("the same without privacy, all features", f"{peer.auc:.3f}", f"{peer.accuracy:.3f}"),
    ]
    caption = f"{truth.n_train:,} records to train, {truth.n_test:,} to test"
    label = records.current().records.schema.label
    names = _classes(label)
    plot.show(
        scores_picture(mine.scores, theme=state.theme(), names=names, simulated=result.simulated),
        key="scores",
    )
    st.html(cards.table(header, rows, caption=caption))
    st.markdown("#### Ledger")
    budget.ledger_table(result)


def _classes(label) -> tuple[str, str]:
    others = [name for name in label.classes if name != label.positive]
    return (others[0] if len(others) == 1 else "all others"), label.positive


def body() -> None:
    cards.heading("Model", "Train a private classifier, and see what each share of epsilon buys.")
    if isinstance(records.current().records, Predictions):
        st.info("These are predictions of a model that is trained already: see the ROC page.")
        st.page_link("pages/roc.py", icon=":material/show_chart:")
        return
    figure, side = st.columns([5, 3], gap="large")
    with side:
        controls()
    with figure:
        result = study.run()
        cards.headline(headline(result))
        figures(result)
    method = METHODS[result.config.model.kind]()[result.config.model.method]
    cards.what_is_this(WORDS, FORMULA, method, result.config.neighbors)


frame.run(body)
