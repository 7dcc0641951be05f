"""The distribution of the scores, class by class: private curves over the true ones."""

import streamlit as st

from dpcore.evaluation.ecdf import ecdf_methods
from dpcore.figures import Picture
from dpcore.privacy import Charge, Loss, Neighbors
from pages.ecdf import choices, view
from pages.ecdf.choices import EcdfChoice
from pages.session import state, study
from pages.shell import page_shell
from pages.widgets import cards, forms, fragments, pin, python_code, score_pages

POINTS = ("16", "64", "256", "1024", "4096")


def sliders() -> None:
    """What is dragged while looking at the figure."""
    left, right = forms.moves().columns([3, 2])
    with left:
        forms.epsilon_slider("ecdf_epsilon")
    with right:
        forms.slider("ecdf_q", 0.01, 0.99, step=0.01)


def controls(choice: EcdfChoice) -> None:
    """What is chosen now and then."""
    forms.method_picker("ecdf_method", ecdf_methods(), choice.method.name)
    smoothing = choices.SMOOTHINGS[choice.smoothing or "none"].partition(",")[0]
    told = f"{choice.points:,} points", f"smoothing {smoothing}"
    with forms.settings(*told, state.chosen()["neighbors"]):
        settings(choice)
    score_pages.redraw()


def settings(choice: EcdfChoice) -> None:
    """What most visitors leave as it is."""
    forms.parameters_of(choice.method.parameters, choices.PREFIX)
    forms.stops("ecdf_points", POINTS, format_func=lambda text: f"{int(text):,}")
    forms.segments("ecdf_grid", choices.GRIDS)
    forms.listed("ecdf_smoothing", choices.SMOOTHINGS)
    forms.toggle("ecdf_sampling")
    forms.neighbors(choice.method.neighbors)


def drawn() -> Picture:
    """The figure of the present choices, for a pin."""
    result = view.result_of(choices.read(state.chosen()), study.run())
    return view.picture(result, state.theme())


@fragments.fragment
def curves() -> Charge:
    """Figure and controls; nothing else reruns while they move."""
    choice = score_pages.choice(choices.read, choices.DEFAULTS)
    figure, side = pin.frame()
    with figure:
        sliders()
        whole = study.run()
        result = view.result_of(choice, whole)
        cards.headline(view.headline(result))
        score_pages.point_out_merging(whole)
        pin.show(view.picture(result, state.theme()), key="ecdf", draw=drawn)
        st.html(cards.numbers([*view.figures(result), score_pages.true_auc(whole)]))
        python_code.show(lambda: view.code(choice, whole.config), whole.config)
        score_pages.follow(
            "ecdf_epsilon",
            "ecdf",
            choice,
            whole,
            lambda moved, theme: view.picture(view.result_of(moved, whole), theme),
        )
    with side:
        controls(choice)
        score_pages.offer(view.files(result, whole))
    st.html(view.table_html(result))
    remark = (
        "A record is in one class only, so each class may use the whole epsilon."
        if whole.config.neighbors is Neighbors.ADD_REMOVE
        else "A replaced record may leave one class and enter the other, so each curve is drawn at "
        "half of epsilon."
    )
    score_pages.cost(whole, result.charges, remark)
    cards.what_is_this(*cards.words_of("ecdf"), choice.method, whole.config.neighbors)
    return Charge("ECDF", "", Loss(choice.epsilon), score_pages.test_part(whole))


def body() -> None:
    cards.heading("ecdf")
    curves()


page_shell.run(body)
