"""The model: which one, on which budget, and how good it is with and without privacy."""

from collections.abc import Collection

import streamlit as st

from dpcore.study import WorkflowResult, sections, to_json
from pages.model import choices, compare, parameters, scores
from pages.session import state, study
from pages.shell import page_shell, wrong_mode
from pages.widgets import budget_meter, cards, forms, fragments, model_words, pin, score_pages


def change_kind(name: str, offered: Collection[object]) -> None:
    """Another kind of model starts with its own default method."""
    state.choice_from_widget(name, offered)
    state.set_choice("training", "")


def controls() -> None:
    kind = forms.segments("model", model_words.KINDS, on_change=change_kind)
    trainers, now = sections.trainers(kind), state.config().model.method
    with forms.method_settings("training", trainers, now, *forms.parameter_words("training")):
        forms.parameters("training")
    with st.container(key="split"):
        st.markdown("#### Budget")
        budget_meter.locks(study.config())


def downloads(result: WorkflowResult) -> None:
    """The released model, and the numbers of the first view."""
    # Read when a file is asked for: the threshold moves without this part of the page.
    chosen, stem = state.chosen(), "model-simulation"
    files = [
        ("CSV", f"{stem}.csv", lambda: scores.as_csv(choices.read(chosen), result)),
        ("Parameters", f"{stem}.json", result.model.to_json),
        ("Study", "study.json", lambda: to_json(result.config)),
    ]
    # Scikit-learn's own parts can say what a model says that has features.
    if plain := bool(result.model.model_.terms):
        files.insert(2, ("scikit-learn", f"{stem}.py", lambda: scores.code(result)))
    score_pages.offer(files)
    if not plain:
        st.caption(
            "There is no plain scikit-learn file for this model, because it has no features. "
            "`from_json` reads the parameters."
        )


def drawn() -> pin.Drawn:
    """The figure of the present choices, for a pin."""
    choice, result = choices.read(state.chosen()), study.run()
    if choice.view in compare.GROWING:
        return pin.growing(compare.GROWING[choice.view](choice, result))
    if choice.view == "parameters":
        return parameters.picture(result)
    return scores.picture(choice, result)


@fragments.fragment
def view() -> None:
    """The figure that is chosen; nothing else reruns while its sliders move."""
    if st.session_state.pop(budget_meter.MOVED, False):
        # What one person pays stands beside.
        st.rerun()
    choice = score_pages.choice(choices.read, choices.DEFAULTS)
    forms.segments("model_view")
    with forms.moves():
        budget_meter.total_slider(study.config())
        if choice.view == "model":
            forms.slider("model_threshold", 0.0, 1.0, step=0.01)
        budget_meter.shares(study.config())
    result = study.run()
    if choice.view in compare.GROWING:
        compare.settings(choice)
        pin.grow(lambda: compare.GROWING[choice.view](choice, result))
    elif choice.view == "parameters":
        parameters.show(result)
    else:
        scores.show(choice, result)
    method = model_words.method_of(result)
    words = cards.words_of("model", choice.view)
    cards.what_is_this(*words, method, result.config.neighbors)


def body() -> None:
    st.session_state.pop(budget_meter.MOVED, None)
    told = "These are predictions of a model that is trained already"
    if wrong_mode.are_predictions(told, "train a model here"):
        return
    figure, side = pin.frame(drawn)
    with side:
        controls()
        result = study.run()
        downloads(result)
    with figure:
        view()
    st.markdown("#### Where the privacy went")
    budget_meter.ledger_table(result)


page_shell.run(body)
