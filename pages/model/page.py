"""The model: which one, on which budget, and how good it is with and without privacy."""

import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.study import WorkflowResult, methods, to_json
from pages.model import choices, compare, parameters, scores
from pages.session import open_data, state, study
from pages.shell import page_shell, wrong_mode
from pages.widgets import budget_meter, cards, forms, fragments, model_words, pin, score_pages

VIEWS = {
    "model": "This model",
    "accuracy": "Accuracy over epsilon",
    "parameters": "Parameters",
    "runtime": "Running time",
}
SPLIT = """
The records are divided by an independent coin for each: some train the model, the others test it.
The model is trained with noise, so it may be published if its method is proven. The figures on this
page come from exact test scores, which only a simulation may show; the ROC page releases them
privately.
"""
WORDS = {
    "model": """
The two outlines are the scores that the model gives to the test records of either class. Records at
or above the threshold are called positive. The **confusion matrix** counts what becomes of both
classes; **balanced accuracy** is the mean of the two shares that are right, so that a rare class
counts as much as a frequent one. Where the outlines overlap, no threshold tells the classes apart.
""",
    "accuracy": """
Every point is a model that was trained on the training records at that epsilon and tested on the
test records; the band reaches from the worst to the best of the draws. The thin
solid line of the same colour is the same method with the noise off: the gap is what noise costs.
Where that line falls too, the method holds back for fear of noise, by coarser cells for one.
The thick solid line is a strong model that owes nobody privacy, a logistic regression of
scikit-learn on splines and all features; the dotted line always says the most frequent class. A
method below the dotted line would better not have looked at the features at all. This is the
comparison of Figures 4 to 12 of Zafarani and Clifton (2020), on your records.
""",
    "parameters": """
The model is a sum over features. The bars show how far the released sum moves the log-odds of the
positive class as one feature changes while all others stay: a level against the other levels of its
column, a word against its absence, a number from its lower to its upper quartile. For naive Bayes
this is a difference of two log-likelihood ratios, which you can check by counting the records of
either class; for a logistic model it is a weight, which depends on the other features. Ticks show
the same method with the noise off, before anything is shrunk or calibrated. The released model does
both on purpose where noise is large, so small effects may come out as none.
""",
    "runtime": """
Seconds to train on so many records, the best of two runs or more, on the computer that serves this
page. A straight line of slope 1 on these axes is a time that grows as the records do. Smooth
sensitivity has to sort them; the paper's algorithm was quadratic (Figure 13 of Zafarani and
Clifton, 2020).
""",
}
FORMULAS = {
    "model": r"\text{balanced accuracy}=\tfrac12\left(\frac{TP}{TP+FN}+\frac{TN}{TN+FP}\right)",
    "accuracy": (
        r"\varepsilon_{\text{one person}}=\max(\varepsilon_{\text{selection}}+"
        r"\varepsilon_{\text{training}},\ \varepsilon_{\text{evaluation}})"
    ),
    "parameters": (
        r"\log\frac{\Pr[+\mid x]}{\Pr[-\mid x]}=b+\sum_j f_j(x_j),\qquad"
        r"\text{effect}_j=f_j(x_j^{\text{high}})-f_j(x_j^{\text{low}})"
    ),
    "runtime": r"\text{seconds}\approx c\cdot n^{\,b}",
}


def change_kind() -> None:
    """Another kind of model starts with its own default method."""
    state.choice_from_widget("model")
    state.set_choice("training", "")


def controls() -> None:
    kind = st.segmented_control(
        "Model",
        list(model_words.KINDS),
        format_func=model_words.KINDS.get,
        required=True,
        wrap=True,
        key=state.seed_control("model", state.chosen()["model"]),
        on_change=change_kind,
    )
    forms.method_picker("training", methods.trainers(kind), state.config().model.method)
    forms.parameters_in_a_fold("training")
    with st.container(key="split"):
        st.markdown("#### Budget")
        config = study.config()
        budget_meter.split(config, study.planned(config))


def downloads(result: WorkflowResult) -> None:
    """The released model, and the numbers of the first view."""
    # Read when a file is asked for: the threshold moves without this part of the page.
    chosen, stem = state.chosen(), "model-simulation"
    files = [
        (
            "CSV",
            f"{stem}.csv",
            "text/csv",
            lambda: scores.as_csv(choices.read(chosen), result),
        ),
        (
            "Parameters",
            f"{stem}.json",
            "application/json",
            lambda: scores.parameters(result),
        ),
        ("Study", "study.json", "application/json", lambda: to_json(result.config)),
    ]
    if plain := scores.can_be_plain(result):
        code = ("scikit-learn", f"{stem}.py", "text/x-python", lambda: scores.code(result))
        files.insert(2, code)
    score_pages.offer(files)
    if not plain:
        st.caption(
            "There is no plain scikit-learn file for this model, because it has no features. "
            "`from_json` reads the parameters."
        )


@fragments.fragment
def view() -> None:
    """The figure that is chosen; nothing else reruns while its sliders move."""
    choice = score_pages.choice(choices.read, choices.DEFAULTS)
    forms.segments(
        "View",
        "model_view",
        VIEWS,
        "The scores of this model; several methods over epsilon; what the model says about each "
        "feature; or how long training takes.",
    )
    result = study.run()
    match choice.view:
        case "accuracy":
            compare.picker()
            compare.accuracy_controls()
            compare.accuracy(choice, result)
        case "parameters":
            parameters.show(result)
        case "runtime":
            compare.picker()
            compare.runtime(choice, result)
        case _:
            scores.show(choice, result)
    method = model_words.method_of(result)
    cards.what_is_this(
        WORDS[choice.view] + SPLIT, FORMULAS[choice.view], method, result.config.neighbors
    )


def body() -> None:
    cards.heading("Model", "Train a private classifier, and see what each share of epsilon buys.")
    if isinstance(open_data.current().records, Predictions):
        wrong_mode.without_features("These are predictions of a model that is trained already")
        return
    figure, side = pin.frame()
    with side:
        controls()
        result = study.run()
        downloads(result)
    with figure:
        view()
    st.markdown("#### Where the privacy went")
    budget_meter.ledger_table(result)


page_shell.run(body)
