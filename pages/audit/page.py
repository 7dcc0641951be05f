"""Audit: attack a method on two neighbouring data sets, and watch what that proves."""

import streamlit as st

from pages.audit import controls, view
from pages.audit import run as audit_run
from pages.audit.choices import AuditChoice
from pages.audit.run import Run
from pages.session import state
from pages.session.text import plain
from pages.shell import page_shell
from pages.widgets import badges, cards, long_task, python_code, score_pages
from pages.widgets import figure as plot


def badge(run: Run) -> None:
    """The verdict of the project on the method, with its reason."""
    guarantee = run.attack.target.guarantee
    badges.word(guarantee)
    st.caption(f"{'Theorem' if guarantee.holds else 'Counterexample'}: {guarantee.reason}.")


def buttons(run: Run) -> None:
    """Progress, and the end of it."""
    look, words = run.attack.look, view.state_words(run)
    if run.attack.done:
        st.caption(words)
        return
    st.progress(look.trials / look.of, text=words)
    if run.running:
        st.button("Stop", icon=":material/stop:", on_click=run.stop, key="audit stop")
    else:
        st.button("Go on", icon=":material/play_arrow:", on_click=run.resume, key="audit resume")


def show(run: Run) -> None:
    """What follows from the draws so far."""
    cards.headline(view.headline(run))
    buttons(run)
    theme = state.theme()
    plot.show(view.outputs_picture(run, theme), key="audit outputs")
    st.html(cards.numbers(view.figures(run)))
    left, right = st.columns(2)
    with left:
        plot.show(view.roc_picture(run, theme), key="audit roc")
    with right:
        plot.show(view.bound_picture(run, theme), key="audit bound")
    if run.attack.result is not None:
        st.markdown(f"**Verdict.** {view.verdict(run, run.attack.result)}")
        st.html(view.table_html(run, run.attack.result))


def side(choice: AuditChoice, run: Run) -> None:
    """Everything beside the figures."""
    badge(run)
    controls.draws(choice)
    score_pages.offer(
        [
            ("CSV", "audit-simulation.csv", lambda: audit_run.as_csv(run)),
            ("JSON", "audit-simulation.json", lambda: audit_run.as_json(run)),
        ]
    )


def body() -> None:
    cards.heading(
        "Audit",
        "Believe no privacy claim: run the method on two data sets that differ in one record, and "
        "try to tell them apart.",
    )
    notices = st.container()
    choice, refused = controls.chosen()
    controls.show_picker(choice)
    figure, beside = st.columns([5, 2], gap="large")
    with beside:
        if choice.preset is None:
            controls.own_choice(choice)
        run = audit_run.current(choice)
        run.refused += refused
        side(choice, run)
    for sentence in run.refused:
        notices.warning(plain(sentence), icon=":material/link_off:")
    with figure:
        long_task.watch(run, lambda: show(run))
        if run.subject.story:
            st.markdown(run.subject.story)
        st.html(view.pair_html(run))
        python_code.show(lambda: audit_run.code(choice))
    with st.expander("What it costs", icon=":material/receipt_long:"):
        st.markdown(
            "Nothing. Both data sets are made up, and all noise is simulated from a seed. One real "
            f"run of this method would be charged {run.attack.target.loss}."
        )
    cards.what_is_this(*cards.words_of("audit"))


page_shell.run(body)
