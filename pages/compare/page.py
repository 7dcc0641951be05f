"""Compare: which of two models ranks the same records better? Private against true."""

from dataclasses import replace
from functools import partial

import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.evaluation.decisions.comparison import METHOD
from dpcore.figures import Picture
from dpcore.privacy import Charge, Ledger, Loss
from dpcore.publications.contrasts import comparison_headline
from dpcore.study import WorkflowResult, to_json
from dpcore.study.sections import TRAIN
from pages.compare import choices, view
from pages.compare.choices import CompareChoice
from pages.session import open_data, state, study
from pages.shell import page_shell, wrong_mode
from pages.widgets import badges, cards, forms, fragments, pin, python_code, score_pages
from pages.widgets import figure as plot


def pickers(choice: CompareChoice, names: tuple[str, ...]) -> None:
    """Choose two different models of a file."""
    a, b = choice.among(len(names))
    for name, now in (("compare_a", a), ("compare_b", b)):
        if state.chosen()[name] != str(now):
            state.set_choice(name, now)
    others = [place for place in range(1, len(names) + 1) if place != a]
    offered = {"compare_a": list(range(1, len(names) + 1)), "compare_b": others}
    for column, (name, options), now in zip(st.columns(2), offered.items(), (a, b), strict=True):
        with column:
            forms.listed(name, {place: names[place - 1] for place in options}, now=now)


def models(
    choice: CompareChoice, whole: WorkflowResult
) -> tuple[CompareChoice, view.Pair, tuple[Charge, ...]]:
    """Two score columns of the open predictions, or the model of the Model page and another.

    The other one is trained for this page, and charged; a file may have fewer columns than chosen.
    """
    if whole.config.trains:
        other = choices.other_study(whole.config, choice.other)
        asked = to_json(other), open_data.current()
        second = state.cached("other trained model", view.trained, *asked)
        return choice, view.pair_of_studies(whole, second), second.charges
    read = open_data.current().records
    names = read.models
    a, b = choice.among(len(names))
    columns = names[a - 1], names[b - 1]
    pair = state.cached("compared models", view.pair_of, read.parsed, *columns)
    return replace(choice, a=a, b=b), pair, ()


def drawn() -> Picture:
    """The figure of the present choices, for a pin."""
    whole = study.run()
    choice, pair, _ = models(choices.read(state.chosen()), whole)
    result = score_pages.released(view.run, whole)(choice, pair)
    return view.picture(result, state.theme())


@fragments.fragment
def comparison() -> tuple[Charge, ...]:
    """Figure and controls; nothing else reruns while they move."""
    choice = score_pages.choice(choices.read, choices.DEFAULTS)
    figure, side = pin.frame()
    with figure:
        whole = study.run()
        if whole.config.trains:
            forms.listed("compare_other", choices.OTHERS)
        else:
            read = open_data.current().records
            pickers(choice, read.models)
        choice, pair, charges = models(choices.read(state.chosen()), whole)
        with forms.moves():
            forms.epsilon_slider("compare_epsilon")
        release = score_pages.released(view.run, whole)
        result = release(choice, pair)
        cards.headline(comparison_headline(result.found))
        pin.show(view.picture(result, state.theme()), key="comparison", draw=drawn)
        st.html(cards.numbers(view.figures(result)))
        python_code.show(lambda: view.code(choice, pair, whole), whole.config)
        score_pages.follow(
            "compare_epsilon",
            "comparison",
            choice,
            whole,
            lambda moved, theme: view.picture(release(moved, pair), theme),
        )
        st.markdown(
            "**Both true curves**: exact, and not private. Only this simulation shows them."
        )
        plot.show(view.true_curves(pair, state.theme()), key="true curves")
        lines = partial(view.true_code, choice, pair, whole)
        python_code.show(lines, whole.config, key="python true curves")
    with side:
        badges.verdict(METHOD)
        with forms.settings(state.chosen()["neighbors"]):
            forms.neighbors(METHOD.neighbors)
        score_pages.redraw()
        score_pages.offer(view.files(result, pair.names, whole))
    remark = "Training model B is charged to the train records." if charges else ""
    score_pages.cost(whole, (*charges, *result.release.charges), remark)
    cards.what_is_this(*cards.words_of("compare"), METHOD, whole.config.neighbors)
    trained = Ledger(neighbors=whole.config.neighbors).total(charges)
    model_b = (Charge("training of B", "", trained, TRAIN),) if charges else ()
    return *model_b, Charge("comparison", "", Loss(choice.epsilon), score_pages.test_part(whole))


def body() -> None:
    cards.heading("compare")
    read = open_data.current().records
    if not isinstance(read, Predictions) or len(read.models) > 1:
        comparison()
        return
    wrong_mode.without_columns(
        "There is one model here, and a comparison takes two",
        "Open predictions with two score columns or more: one row for each record, with its label "
        "and the score of each model.",
    )


page_shell.run(body)
