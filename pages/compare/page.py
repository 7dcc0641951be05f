"""Compare: which of two models ranks the same records better? Private against true."""

from dataclasses import replace

import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.privacy import Charge, Loss
from pages.compare import choices, view
from pages.compare.choices import CompareChoice
from pages.session import open_data, state, study
from pages.shell import page_shell, wrong_mode
from pages.widgets import badges, cards, forms, fragments, score_pages
from pages.widgets import figure as plot

WORDS = """
The AUC of a model is the chance that a positive record scores above a negative one. Both models
scored the same records, so what is asked for is the **difference** of their AUCs itself: noise that
both share cancels, and the answer is far surer than two private AUCs set against each other.

The square is what would be published. Its bar says where the difference **of these records** lies,
given the noise; the paler bar where it lies among **people like these**, whom the records were
drawn from. If a bar reaches over the dotted line at zero, either model may be the better one. The
circle is exact, and belongs to nobody but this simulation.

All of it is one release with one charge. The two AUCs come with it, and are less exact.
"""
FORMULA = (
    r"\tilde d=\frac{\tilde N_B-\tilde N_A}{\tilde n_+\,\tilde n_-},\quad\ "
    r"N=\sum_{i\in+}\sum_{j\in-}\left[\mathbf 1(s_i>s_j)+\tfrac12\mathbf 1(s_i=s_j)\right]"
)
EPSILON = "Epsilon of the comparison"


def pickers(choice: CompareChoice, names: list[str]) -> CompareChoice:
    """Choose two different models; returns what is chosen where the file has fewer columns."""
    a, b = choice.among(len(names))
    for name, now in (("compare_a", a), ("compare_b", b)):
        if state.chosen()[name] != str(now):
            state.set_choice(name, now)
    others = [place for place in range(1, len(names) + 1) if place != a]
    offered = {"compare_a": list(range(1, len(names) + 1)), "compare_b": others}
    columns = zip(st.columns(2), "AB", offered.items(), (a, b), strict=True)
    for column, letter, (name, options), now in columns:
        with column:
            words = {place: names[place - 1] for place in options}
            forms.listed(f"Model {letter}", name, words, "The column of its scores.", now=now)
    return replace(choice, a=a, b=b)


@fragments.fragment
def comparison() -> Charge:
    """Figure and controls; nothing else reruns while they move."""
    read = open_data.current().records
    assert isinstance(read, Predictions)
    names = view.score_columns(read)
    choice = score_pages.choice(choices.read, choices.DEFAULTS)
    figure, side = st.columns([5, 2], gap="large")
    with figure:
        choice = pickers(choice, names)
        forms.epsilon_slider(
            EPSILON, "compare_epsilon", help_text="Smaller is more private, and noisier."
        )
        whole = study.run()
        chosen = names[choice.a - 1], names[choice.b - 1]
        pair = state.cached("compared models", view.pair_of, read.parsed, *chosen)
        release = score_pages.released(view.run, whole)
        result = release(choice, pair)
        cards.headline(result.release.verdict)
        plot.show(view.picture(result, state.theme()), key="comparison")
        st.html(cards.numbers(view.figures(result)))
        score_pages.follow(
            EPSILON,
            "comparison",
            choice,
            whole,
            lambda moved, theme: view.picture(release(moved, pair), theme),
        )
        st.markdown(
            "**Both true curves**: exact, and not private. Only this simulation shows them."
        )
        plot.show(view.true_curves(pair, state.theme()), key="true curves")
    with side:
        badges.verdict(view.METHOD)
        forms.neighbors(view.METHOD.neighbors)
        score_pages.redraw()
        score_pages.offer(view.files(result, whole))
    score_pages.cost(whole, result.release.charges)
    cards.what_is_this(WORDS, FORMULA, view.METHOD, whole.config.neighbors)
    return Charge("comparison", "", Loss(choice.epsilon), score_pages.test_part(whole))


def body() -> None:
    cards.heading("Compare", "Which of two models is better, and can that be published?")
    read = open_data.current().records
    if isinstance(read, Predictions) and len(view.score_columns(read)) > 1:
        comparison()
        return
    wrong_mode.without_columns(
        "There is one model here, and a comparison takes two",
        "Open predictions with two score columns or more: one row for each record, with its label "
        "and the score of each model.",
    )


page_shell.run(body)
