"""Audit: attack a method on two neighbouring data sets, and watch what that proves."""

from collections.abc import Collection, Iterable, Mapping
from functools import partial

import streamlit as st

from pages.audit import choices, view
from pages.audit.choices import OWN, AuditChoice
from pages.audit.view import Run
from pages.session import state
from pages.session.text import said
from pages.shell import page_shell
from pages.widgets import badges, cards, forms, long_task, pin, plot, python_code, score_pages


def take(dependent: Iterable[str], name: str, offered: Collection[str]) -> None:
    """Callback of a list: what it shows becomes the choice, and what depends on it begins again."""
    if state.has_widget(name):
        state.choice_from_widget(name, offered)
        for other in dependent:
            state.set_choice(other, choices.DEFAULTS[other])


def listed(name: str, words: Mapping[str, str], now: str, *dependent: str) -> None:
    """One of a list, on which other choices depend."""
    forms.listed(name, words, now=now, on_change=partial(take, dependent))


def own_choice(choice: AuditChoice) -> None:
    """Kind, method, relation and pair."""
    kinds = choices.kind_words()
    rest = ("audit_method", "audit_neighbors", "audit_pair")
    listed("audit_kind", kinds, choice.kind, *rest)
    listed("audit_method", choices.method_names(choice.kind), choice.method, *rest[1:])
    known = choices.relations(choice.kind, choice.method)
    words = {one.value: one.words for one in known}
    listed("audit_neighbors", words, choice.neighbors.value, rest[2])
    pairs = choices.pairs_of(choice.kind, choice.method, choice.neighbors)
    numbered = {str(place): pair.words for place, pair in enumerate(pairs, start=1)}
    listed("audit_pair", numbered, str(choice.pair))


def again(choice: AuditChoice) -> None:
    """Draws of other noise."""
    label, words = f"Attack again (seed {choice.seed})", "With other noise, from the next seed."
    forms.draw_again(label, state.set_choice, "audit_seed", choice.seed + 1, help_text=words)


def show(run: Run) -> None:
    """What follows from the draws so far."""
    cards.headline(view.headline(run))
    look, words = run.attack.look, view.state_words(run)
    long_task.bar("audit", run, look.trials / look.of, words)
    if run.attack.done:
        st.caption(words)
    theme = state.theme()
    pin.show(view.outputs_picture(run, theme), key="audit outputs")
    st.html(cards.numbers(view.figures(run)))
    left, right = cards.pair("what an attacker reaches")
    with left:
        plot.show(view.roc_picture(run, theme), key="audit roc")
    with right:
        plot.show(view.bound_picture(run, theme), key="audit bound")
    if run.attack.result is not None:
        st.markdown(f"**Verdict.** {view.verdict(run, run.attack.result)}")
        st.html(view.table_html(run, run.attack.result))


def side(choice: AuditChoice, run: Run) -> None:
    """Everything beside the figures: first the verdict of the project, with its reason."""
    guarantee = run.attack.target.guarantee
    badges.word(guarantee)
    st.caption(f"{'Theorem' if guarantee.holds else 'Counterexample'}: {guarantee.reason}.")
    again(choice)
    table = "CSV", "audit-simulation.csv", lambda: view.as_csv(run)
    score_pages.offer([table, ("JSON", "audit-simulation.json", lambda: view.as_json(run))])


def drawn() -> pin.Drawn:
    """The figure of the present choices, for a pin."""
    run = view.current(choices.read(state.chosen()))
    return run, lambda: view.outputs_picture(run, state.theme())


def body() -> None:
    notices = st.container()
    choice, refused = score_pages.settled(choices.read, choices.DEFAULTS)
    listed("audit_show", choices.attacks(), choice.preset or OWN, "audit_trials")
    figure, beside = pin.frame(drawn)
    with beside:
        if choice.preset is None:
            own_choice(choice)
        run = view.current(choice)
        run.refused += refused
        side(choice, run)
    with notices:
        cards.not_followed(run.refused)
    with figure:
        with forms.moves():
            told = {"now": str(choice.trials), "format_func": lambda text: f"{int(text):,}"}
            forms.stops("audit_trials", **told)
        long_task.watch(run, lambda: show(run))
        if run.subject.story:
            st.markdown(run.subject.story)
        st.html(view.pair_html(run))
        python_code.show(lambda: view.code(choice))
    with cards.costs():
        st.markdown(said("an attack costs nothing").format(run.attack.target.loss))
    cards.what_is_this(*cards.words_of("audit"))


page_shell.run(body)
