"""The ROC curve: drag epsilon and watch the private curve move against the true one."""

import streamlit as st

from dpcore.evaluation import roc_methods
from dpcore.figures import Picture
from dpcore.privacy import Charge
from dpcore.publications.contrasts import classes_picture
from dpcore.registry import Method, Parameter
from dpcore.study import WorkflowResult
from pages.roc import choices, classes, view
from pages.roc.choices import RocChoice
from pages.session import open_data, state, study
from pages.session.text import OPTIONS
from pages.shell import page_shell
from pages.widgets import cards, forms, pin, predictions_form, python_code, roc_curve, score_pages
from pages.widgets.fragments import fragment
from pages.widgets.slider_frames import follow


def moving(method: Method) -> list[Parameter]:
    """Parameters that have a slider; the others stand beside, with what is chosen now and then."""
    return [parameter for parameter in method.parameters if parameter.kind is not str]


def sliders(choice: RocChoice) -> None:
    """What is dragged while looking at the figure."""
    method = roc_methods()[state.config().evaluation.method]
    if choice.view == "panels":
        view.pick_rows(method)
        return
    of_classes = choice.view == "classes"
    with forms.moves():
        forms.epsilon_slider("roc_macro" if of_classes else "epsilon")
        for parameter in () if of_classes else moving(method):
            forms.control(parameter, "method")


def drawn() -> Picture:
    """The figure of the present choices, for a pin."""
    choice, result = choices.read(state.chosen()), study.run()
    if choice.view == "classes" and classes.are_several(result):
        return classes_picture(classes.released(choice.macro, result), state.theme())
    if choice.view in view.VIEWS:
        return view.VIEWS[choice.view](choice, result).picture()
    return roc_curve.picture(result, sampling=choice.sampling)


def one_curve(choice: RocChoice, result: WorkflowResult) -> None:
    """The private curve over the true one, and its numbers."""
    cards.headline(roc_curve.headline(result))
    pin.show(roc_curve.picture(result, sampling=choice.sampling), key="roc")
    # Beneath: the figure, which shows as much, is to be on the first screen.
    score_pages.point_out_merging(result)
    predictions_form.point_out_reversal(open_data.current())
    st.html(cards.numbers(roc_curve.figures(result)) + roc_curve.table(result))
    python_code.show(lambda: roc_curve.code(result), result.config)
    follow("roc", *view.sliders(result, choice.sampling), public=study.is_public())


def pick_view() -> None:
    """What is shown. All of the page reruns with it, since what stands beside is for some alone."""
    views = dict(OPTIONS["roc_view"])
    if not classes.are_several(study.run()):
        del views["classes"]
    if score_pages.choice(choices.read, choices.DEFAULTS).view not in views:
        state.set_choice("roc_view", "curve")
    forms.segments("roc_view", views)


@fragment
def curve() -> Charge | None:
    """The sliders and what they move; nothing else reruns while they are dragged."""
    sliders(score_pages.choice(choices.read, choices.DEFAULTS))
    # Read again: a control above may have left a choice that the method does not have.
    choice = choices.read(state.chosen())
    result = study.run()
    roc_curve.remember(result)
    if choice.view != "curve":
        score_pages.point_out_merging(result)
    if choice.view == "classes":
        return classes.show(choice, result)
    if choice.view == "methods":
        view.pick_methods(choice)
    if choice.view == "curve":
        one_curve(choice, result)
    else:
        view.VIEWS[choice.view](choice, result).show()
    return None


def controls() -> None:
    """What is chosen now and then."""
    methods, now = roc_methods(), state.config().evaluation.method
    method, neighbors, view = methods[now], state.chosen()["neighbors"], state.chosen()["roc_view"]
    if view == "classes":
        classes.controls()
    else:
        with forms.method_settings("method", methods, now, neighbors):
            forms.parameters("method", without=[parameter.name for parameter in moving(method)])
            forms.neighbors(method.neighbors)
    if study.run().roc.bins is not None and view == "curve":
        forms.toggle("roc_sampling")
    score_pages.redraw(one_class=view != "classes")
    if study.config().trains:
        words = forms.told("seed", f"Train again too (seed {state.chosen()['seed']})")
        st.button(on_click=state.count_on, args=("seed",), width="stretch", **words)


def body() -> None:
    study.run()
    figure, side = pin.frame(drawn)
    with figure:
        pick_view()
    with side:
        controls()
        roc_curve.offer()
    with figure:
        curve()
    config, of_classes = study.config(), state.chosen()["roc_view"] == "classes"
    method = classes.METHOD if of_classes else roc_methods()[config.evaluation.method]
    cards.what_is_this(*cards.words_of("roc"), method, config.neighbors)


page_shell.run(body)
