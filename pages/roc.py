"""The ROC curve: drag epsilon and watch the private curve move against the true one."""

from contextlib import nullcontext

import streamlit as st

from dpcore.evaluation import roc_methods
from dpcore.registry import Method, Parameter
from pages.shared import cards, downloads, forms, frame, plot, roc_view, state, study

WORDS = """
Every point is a threshold on the score. Its height is the share of positives found, the true
positive rate; its distance from the left is the share of negatives flagged by mistake, the false
positive rate. The area under the curve (AUC) is the chance that a random positive scores higher
than a random negative.

The solid curve is exact and belongs to nobody but this simulation. The dashed curve is what would
be published: one record more or less changes the probability of any such curve by a factor of at
most $e^\\varepsilon$. The shaded band holds the exact curve of these test records with the stated
confidence, given only what was published. It says how far *privacy noise* may have moved the curve,
not how far another sample of people would.
"""
FORMULA = (
    r"\mathrm{TPR}(t)=\frac{\#\{i: y_i=1,\ s_i\ge t\}}{\#\{i: y_i=1\}},\qquad"
    r"\mathrm{FPR}(t)=\frac{\#\{i: y_i=0,\ s_i\ge t\}}{\#\{i: y_i=0\}}"
)


def moving(method: Method) -> list[Parameter]:
    """Parameters that have a slider; the others stand beside, with what is chosen now and then."""
    return [parameter for parameter in method.parameters if parameter.kind is not str]


@frame.fragment
def curve() -> None:
    """The sliders and what they move; nothing else reruns while they are dragged."""
    parameters = moving(roc_methods()[state.config().evaluation.method])
    places = st.columns([3] + [2] * len(parameters)) if parameters else [nullcontext()]
    with places[0]:
        forms.epsilon_slider(
            "Epsilon of the ROC curve",
            "epsilon",
            help_text="Smaller is more private, and noisier.",
        )
    for place, parameter in zip(places[1:], parameters, strict=True):
        with place:
            forms.control(parameter, "method")
    result = study.run()
    downloads.remember(result)
    cards.headline(roc_view.headline(result))
    plot.show(roc_view.picture(result), key="roc")
    st.html(cards.numbers(roc_view.figures(result)) + roc_view.table(result))


def redraw() -> None:
    """Another seed: every noise of the study is drawn anew."""
    state.put("seed", int(state.chosen()["seed"]) + 1)


def controls() -> None:
    """What is chosen now and then."""
    methods = roc_methods()
    forms.method_picker("method", methods, state.config().evaluation.method)
    method = methods[state.config().evaluation.method]
    forms.parameters("method", without=[parameter.name for parameter in moving(method)])
    forms.neighbors(method.neighbors)
    st.button(
        f"Redraw the noise (seed {state.chosen()['seed']})",
        icon=":material/casino:",
        on_click=redraw,
        help="The next seed: selection, training and evaluation draw new noise.",
        width="stretch",
    )


def body() -> None:
    cards.heading(
        "ROC curve",
        "How well does the model separate the classes, and how much of that survives the noise?",
    )
    study.run()
    figure, side = st.columns([5, 2], gap="large")
    with side:
        controls()
        downloads.offer()
    with figure:
        curve()
    config = study.config()
    method = roc_methods()[config.evaluation.method]
    cards.what_is_this(WORDS, FORMULA, method, config.neighbors)


frame.run(body)
