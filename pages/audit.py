"""Audit: attack a method on two neighbouring data sets, and watch what that proves."""

from collections.abc import Mapping

import streamlit as st

from dpcore.audit import presets
from dpcore.errors import DpcoreError
from pages.shared import (
    audit_fields,
    audit_run,
    audit_view,
    beside_roc,
    cards,
    frame,
    page_fields,
    plot,
    state,
)
from pages.shared.audit_fields import OWN, AuditChoice
from pages.shared.audit_run import Run

WORDS = """
Two data sets differ in one record. The same method runs on both, thousands of times, and an
attacker looks at the outputs. With the first half of the draws the attacker chooses an **event**
(shaded) that happens often on one data set and rarely on the other; with the second half, which was
not used for that choice, its chances are counted.

If a method is (ε, δ)-differentially private, no event can be more than e^ε times as likely on one
data set as on the other, plus δ. So the counts prove a **lower bound** on ε. If that is above what
the method declares, the claim is **refuted**. In the ROC figure the same claim is a limit: nobody
can guess the data set better than the dashed line.

**What an audit cannot show.** A bound below the declared ε proves nothing: the attack may be too
weak, the pair of data sets harmless, the draws too few. Only a proof covers every pair and every
attacker. That is why a proven method stays marked PROVEN, and why a broken one is often caught by a
computed loss and not by draws.
"""
FORMULA = (
    r"\varepsilon\ \ge\ \ln\frac{\underline{P}(\text{event on one})-\delta}"
    r"{\overline{P}(\text{event on the other})}"
)
PAPER = """
Underline and overline are the one-sided limits of Clopper and Pearson; their risk is divided among
the events, both limits and all looks at the growing bound, so that stopping early changes nothing.

**Papers.** M. Jagielski, J. Ullman, A. Oprea (2020), *Auditing differentially private machine
learning*, Section 3. P. Kairouz, S. Oh, P. Viswanath (2015), *The composition theorem for
differential privacy*, Theorem 2.1 (the limit of the ROC curve). C. J. Clopper, E. S. Pearson
(1934), Biometrika 26(4).
"""
RELATIONS = {"add-remove": "one record added or removed", "replace": "one record replaced"}
TRIALS = (200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000)
# How often the browser asks for the next chunk, in seconds.
EVERY = audit_run.CHUNK + 0.1
DRAWN = "audit chunk drawn by the page"


def forget(*names: str) -> None:
    """Choices that depend on the one just made go back to the first that there is."""
    for name in names:
        state.put(name, audit_fields.DEFAULTS[name])


def take(name: str, *dependent: str) -> None:
    """Callback of a list: what it shows becomes the choice."""
    # A list that was just forgotten may report its own change in the same run.
    if state.control(name) in st.session_state:
        state.take(name)
        forget(*dependent)


def listed(label: str, name: str, words: Mapping[str, str], now: str, *dependent: str) -> None:
    """One of a list, on which other choices depend."""
    st.selectbox(
        label,
        [*words],
        format_func=lambda name: words[name],
        key=state.seed_control(name, now),
        on_change=take,
        args=(name, *dependent),
    )


def show_picker(choice: AuditChoice) -> None:
    """The presets, and the way to a choice of one's own."""
    words = {name: preset.title for name, preset in presets().items()}
    first = "threshold-testing"
    ordered = {first: words[first], **words, OWN: "My own choice of method and pair"}
    listed("Attack", "audit_show", ordered, choice.preset or OWN, "audit_trials")


def own_choice(choice: AuditChoice) -> None:
    """Kind, method, relation and pair."""
    kinds = audit_fields.kind_words()
    rest = ("audit_method", "audit_neighbors", "audit_pair")
    listed("Kind of method", "audit_kind", kinds, choice.kind, *rest)
    names = audit_fields.method_names(choice.kind)
    listed("Method", "audit_method", names, choice.method, *rest[1:])
    known = audit_fields.relations(choice.kind, choice.method)
    words = {one.value: RELATIONS[one.value] for one in known}
    listed("Neighbours", "audit_neighbors", words, choice.neighbors.value, rest[2])
    pairs = audit_fields.pairs_of(choice.kind, choice.method, choice.neighbors)
    numbered = {str(place): pair.words for place, pair in enumerate(pairs, start=1)}
    listed("Pair of data sets", "audit_pair", numbered, str(choice.pair))


def controls(choice: AuditChoice) -> None:
    """How many draws, and of which noise."""
    options = sorted({*TRIALS, choice.trials})
    st.select_slider(
        "Draws from each data set",
        [str(number) for number in options],
        format_func=lambda text: f"{int(text):,}",
        key=state.seed_control("audit_trials", str(choice.trials)),
        on_change=state.take,
        args=("audit_trials",),
        help="Half of them choose the event, half count it.",
    )
    st.button(
        f"Attack again (seed {choice.seed})",
        icon=":material/casino:",
        on_click=state.put,
        args=("audit_seed", choice.seed + 1),
        help="With other noise, from the next seed.",
        width="stretch",
    )


def badge(run: Run) -> None:
    """The verdict of the project on the method, with its reason."""
    guarantee = run.attack.target.guarantee
    proven = guarantee.holds
    st.badge(
        guarantee.word,
        icon=":material/verified:" if proven else ":material/gpp_bad:",
        color="green" if proven else "red",
    )
    st.caption(f"{'Theorem' if proven else 'Counterexample'}: {guarantee.reason}.")


def buttons(run: Run) -> None:
    """Progress, and the end of it."""
    look = run.attack.look
    st.progress(look.trials / look.of, text=audit_view.state_words(run))
    if run.running:
        st.button("Stop", icon=":material/stop:", on_click=run.stop, key="audit stop")
    elif not run.attack.done:
        st.button("Go on", icon=":material/play_arrow:", on_click=run.resume, key="audit resume")


def watch(run: Run, *, polled: bool) -> None:
    """One chunk of draws, unless the page itself has just drawn one, and what follows from it."""
    chunk = not st.session_state.pop(DRAWN, False)
    try:
        if chunk:
            run.work()
        cards.headline(audit_view.headline(run))
        buttons(run)
        theme = state.theme()
        plot.show(audit_view.outputs_picture(run, theme), key="audit outputs")
        st.html(cards.numbers(audit_view.figures(run)))
        left, right = st.columns(2)
        with left:
            plot.show(audit_view.roc_picture(run, theme), key="audit roc")
        with right:
            plot.show(audit_view.bound_picture(run, theme), key="audit bound")
        if run.attack.result is not None:
            st.markdown(f"**Verdict.** {audit_view.verdict(run, run.attack.result)}")
            st.html(audit_view.table_html(run, run.attack.result))
    except DpcoreError as error:
        run.stop()
        st.error(str(error), icon=":material/error:")
    if run.running is not polled:
        # Only a run of the whole page begins or ends the asking for the next chunk.
        st.rerun()


def side(choice: AuditChoice, run: Run) -> None:
    """Everything beside the figures."""
    badge(run)
    controls(choice)
    beside_roc.offer(
        [
            ("CSV", "audit-simulation.csv", "text/csv", lambda: audit_view.as_csv(run)),
            ("JSON", "audit-simulation.json", "application/json", lambda: audit_view.as_json(run)),
        ]
    )


def chosen() -> tuple[AuditChoice, list[str]]:
    """The checked choices, and a sentence for each that a link asks for in vain."""
    defaults, refused = audit_fields.DEFAULTS, []
    for name, sentence in list(page_fields.refused(audit_fields.read, defaults, state.chosen())):
        state.put(name, defaults[name])
        refused.append(sentence)
    return audit_fields.read(state.chosen()), refused


def body() -> None:
    cards.heading(
        "Audit",
        "Believe no privacy claim: run the method on two data sets that differ in one record, and "
        "try to tell them apart.",
    )
    notices = st.container()
    choice, refused = chosen()
    show_picker(choice)
    figure, beside = st.columns([5, 2], gap="large")
    with beside:
        if choice.preset is None:
            own_choice(choice)
        run = audit_run.current(choice)
        run.refused += refused
        run.work()
        st.session_state[DRAWN] = True
        side(choice, run)
    for sentence in run.refused:
        notices.warning(sentence, icon=":material/link_off:")
    with figure:
        if run.subject.story:
            st.markdown(run.subject.story)
        st.html(audit_view.pair_html(run))
        polled = run.running
        st.fragment(watch, run_every=EVERY if polled else None)(run, polled=polled)
    with st.expander("What it costs", icon=":material/receipt_long:"):
        st.markdown(
            "Nothing. Both data sets are made up, and all noise is simulated from a seed. One real "
            f"run of this method would be charged {run.attack.target.loss}."
        )
    with st.expander("What am I looking at?", icon=":material/help:"):
        st.markdown(WORDS)
        st.latex(FORMULA)
        st.markdown(PAPER)


frame.run(body)
