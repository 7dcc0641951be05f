"""A threshold: of 1,000 people, who is flagged, and how far the noise lets one say so."""

from fractions import Fraction
from functools import partial

import streamlit as st

from dpcore.evaluation import roc_methods
from dpcore.figures import Picture
from dpcore.privacy import shown
from dpcore.study import WorkflowResult
from pages.session import state, study
from pages.session.text import OPTIONS, plain, said
from pages.shell import page_shell
from pages.threshold import choices, view
from pages.threshold.choices import ThresholdChoice
from pages.threshold.view import ThresholdResult
from pages.widgets import budget_meter, cards, forms, pin, plot, python_code, roc_curve, score_pages
from pages.widgets.fragments import fragment
from pages.widgets.slider_frames import follow, of_fractions


def written(at: Fraction) -> str:
    """A threshold as the file writes scores."""
    return score_pages.written(float(at))


def side(whole: WorkflowResult) -> None:
    """What is chosen now and then: it belongs to the private ROC curve."""
    methods, now = roc_methods(), whole.config.evaluation.method
    with forms.method_settings("method", methods, now, whole.config.neighbors.value):
        forms.parameters("method")
        forms.neighbors(methods[now].neighbors)
    score_pages.redraw()
    roc_curve.offer()


def drag(result: ThresholdResult, choice: ThresholdChoice, whole: WorkflowResult) -> None:
    """Let both figures move while the threshold is dragged."""
    theme, config = state.theme(), whole.config
    fits = *score_pages.upstream(whole), config.evaluation, config.epsilon, theme.name
    draws = {"threshold": (partial(view.picture, result, theme), *fits)}
    curve = partial(view.curve_picture, result, theme, choice.curve)
    draws["threshold curve"] = curve, *fits, choice.curve
    for figure, about in draws.items():
        slider = of_fractions("threshold_at", *about, stops=choices.STOPS, words=written)
        follow(figure, slider, public=study.is_public())


def weigh(result: ThresholdResult) -> None:
    """Where to set the threshold, if somebody knows what the two kinds of error cost."""
    forms.stops("threshold_cost", choices.COSTS)
    best, sentence = view.cheapest(result, choices.read(state.chosen()).cost, written)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(plain(sentence), width="stretch")
        if best is not None:
            forms.button("Take this threshold", "tune", take, best, help_text=said("where taken"))


def take(best: Fraction) -> None:
    """Use one threshold wherever there is one."""
    for name in ("threshold_at", "groups_threshold", "model_threshold"):
        state.set_choice(name, float(best))


def shown_at(result: ThresholdResult, choice: ThresholdChoice, whole: WorkflowResult) -> None:
    """All that the release says of the threshold."""
    cards.headline(view.headline(result, choice.at, written(choice.at)))
    theme = state.theme()
    pin.show(view.picture(result, theme, choice.at), key="threshold")
    st.html(view.table(result, choice.at))
    python_code.show(lambda: view.code(choice.at, choice.curve, whole), whole.config)
    weigh(result)
    curves = dict(OPTIONS["threshold_curve"])
    if score_pages.scale().name == "any":
        # It weighs a false alarm by the probability from which people act: points have none.
        del curves["net_benefit"]
    if choice.curve not in curves:
        state.set_choice("threshold_curve", next(iter(curves)))
    forms.segments("threshold_curve", curves)
    choice = choices.read(state.chosen())
    plot.show(view.curve_picture(result, theme, choice.curve, choice.at), key="threshold curve")
    lines = partial(view.code, choice.at, choice.curve, whole)
    python_code.show(lines, whole.config, key="python curve")
    drag(result, choice, whole)


def result_of(whole: WorkflowResult) -> ThresholdResult:
    """The counts of the private ROC curve, beside the exact ones."""
    return ThresholdResult(
        roc=whole.roc,
        exact=whole.truth.model.exact,
        epsilon=shown(whole.config.epsilon.evaluation),
        adjective=roc_curve.adjective(whole),
        positive=score_pages.class_names()[1],
    )


def drawn() -> Picture | None:
    """The figure of the present choices, for a pin."""
    whole, at = study.run(), choices.read(state.chosen()).at
    counts = whole.roc.bins is not None
    return view.picture(result_of(whole), state.theme(), at) if counts else None


@fragment
def threshold() -> None:
    """Figures and controls; nothing else reruns while they move."""
    choice = score_pages.choice(choices.read, choices.DEFAULTS)
    figure, beside = pin.frame(drawn)
    with figure:
        with forms.moves():
            forms.epsilon_slider("threshold_at", stops=choices.STOPS, words=written)
            forms.epsilon_slider("epsilon")
        whole = study.run()
        roc_curve.remember(whole)
        score_pages.point_out_merging(whole)
        if whole.roc.bins is None:
            cards.headline("This method does not say what happens at a threshold")
            st.info("It releases a curve without counts. The default, quantile bins, has them.")
        else:
            shown_at(result_of(whole), choice, whole)
    with beside:
        side(whole)
    cost(whole)


def cost(whole: WorkflowResult) -> None:
    """The curve, and nothing for what follows from it."""
    with cards.costs():
        st.markdown(said("the curve is charged"))
        budget_meter.ledger_table(whole)
    config = whole.config
    method = roc_methods()[config.evaluation.method]
    (words, _), (rates, formula) = cards.words_of("threshold"), cards.words_of("shell", "Rates")
    cards.what_is_this(f"{rates}\n\n{words}", formula, method, config.neighbors)


page_shell.run(threshold)
