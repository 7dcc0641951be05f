"""Calibration: does a score of 0.7 mean seven in ten? Private against true."""

import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.evaluation import calibration_methods
from dpcore.figures import Picture
from dpcore.privacy import Charge, Loss
from pages.calibration import choices, view
from pages.calibration.choices import CalibrationChoice
from pages.session import open_data, state, study
from pages.shell import page_shell, wrong_mode
from pages.widgets import cards, forms, fragments, pin, python_code, score_pages


def controls(choice: CalibrationChoice) -> None:
    """What is chosen now and then."""
    forms.method_picker("calibration_method", calibration_methods(), choice.method.name)
    with forms.settings(
        f"edges by {choices.EDGES[choice.edges].lower()}", state.chosen()["neighbors"]
    ):
        settings(choice)
    score_pages.redraw()


def settings(choice: CalibrationChoice) -> None:
    """What most visitors leave as it is."""
    forms.parameters_of(choice.method.parameters, choices.PREFIX)
    forms.segments("calibration_edges", choices.EDGES)
    forms.toggle("calibration_sampling")
    forms.neighbors(choice.method.neighbors)


def sliders() -> None:
    """What is dragged while looking at the figure."""
    left, right = forms.moves().columns([3, 2])
    with left:
        forms.epsilon_slider("calibration_epsilon")
    with right:
        forms.slider("calibration_groups", choices.FEWEST, choices.MOST)


def drawn() -> Picture:
    """The figure of the present choices, for a pin."""
    whole = study.run()
    release = score_pages.released(view.run, whole)
    result = release(choices.read(state.chosen()), score_pages.tested(whole))
    return view.picture(result, state.theme(), score_pages.class_names()[1])


@fragments.fragment
def diagram() -> Charge:
    """Figure and controls; nothing else reruns while they move."""
    choice = score_pages.choice(choices.read, choices.DEFAULTS)
    positive = score_pages.class_names()[1]
    figure, side = pin.frame()
    with figure:
        sliders()
        whole = study.run()
        release, tested = score_pages.released(view.run, whole), score_pages.tested(whole)
        result = release(choice, tested)
        cards.headline(view.headline(result))
        score_pages.point_out_merging(whole)
        pin.show(view.picture(result, state.theme(), positive), key="calibration", draw=drawn)
        st.html(cards.numbers([*view.figures(result), score_pages.true_auc(whole)]))
        python_code.show(lambda: view.code(choice, whole.config), whole.config)
        score_pages.follow(
            "calibration_epsilon",
            "calibration",
            choice,
            whole,
            lambda moved, theme: view.picture(release(moved, tested), theme, positive),
        )
    with side:
        controls(choice)
        score_pages.offer(view.files(result, whole, positive))
    st.html(view.tables_html(result))
    score_pages.cost(whole, result.release.charges)
    cards.what_is_this(*cards.words_of("calibration"), choice.method, whole.config.neighbors)
    return Charge("calibration", "", Loss(choice.epsilon), score_pages.test_part(whole))


def body() -> None:
    cards.heading("calibration")
    read = open_data.current().records
    if isinstance(read, Predictions) and read.scale.bounds is not None:
        wrong_mode.without_columns(
            "These scores are no probabilities: of any numbers only the order counts",
            "Calibration compares a probability with how often it comes true. If the scores are "
            "probabilities, say so on the Data page.",
            ranked=True,
        )
        return
    diagram()


page_shell.run(body)
