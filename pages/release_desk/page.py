"""The release desk: choose what to publish, see its cost and what to expect, release it once."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpcore.desk import Assumed, Preview, Request, epsilon_for, preview, releases
from dpcore.errors import DpcoreError
from dpcore.figures import Picture, Theme, roc_picture
from dpcore.figures.expected import expected_picture
from dpcore.privacy import shown
from dpcore.schema import Schema
from pages.release_desk import choices, controls, plan
from pages.release_desk.choices import PREFIX, TARGET
from pages.session import mode, state
from pages.session.text import plain, stated
from pages.shell import page_shell, wrong_mode
from pages.widgets import cards, forms, private_data, private_source, stored_release
from pages.widgets import figure as plot

KEPT = "kept preview"
SEEK, FOUND = "epsilon to be found", "epsilon found"
# The same runs for both: the epsilon that is found is one whose preview keeps to the target.
REPEATS = 20
AXES = {
    "calibration": ("score", "observed rate of positives"),
    "ecdf": ("score", "share of the positive class up to it"),
    "features": ("the best features, first the very best (share of them)", "share that is found"),
    "model": ("false positive rate", "true positive rate"),
}


def show(request: Request, schema: Schema | None) -> None:
    """The expectation as sentence and figure, and the guesses that it rests on."""
    try:
        expected = _kept(request, schema)
    except DpcoreError as error:
        # The rehearsal would refuse it for the same reason, and nothing would be charged.
        cards.headline("These choices cannot be released.")
        st.info(plain(stated(error)), icon=":material/info:")
        return
    cards.headline(expected.sentence)
    st.markdown(expected.spread_sentence)
    if (figure := picture(expected, state.theme())) is not None:
        plot.show(figure, key=f"expected {request.what}")
    elif request.what == "features":
        st.caption("Without noise no feature would be chosen, so there is no curve to expect.")
    with st.expander("What the preview takes for granted", icon=":material/help:"):
        st.markdown(
            "Guesses of yours, never facts of the data. The records are made up to the public "
            "schema, so moving these about costs nothing and tells nothing."
        )
        _guesses()


def _kept(request: Request, schema: Schema | None) -> Preview:
    """The preview of these choices, computed once."""
    assumed = choices.assumed(state.chosen())
    return state.cached(KEPT, _simulated, request.to_json(), assumed, schema)


def _simulated(request: str, assumed: Assumed, schema: Schema | None) -> Preview:
    with st.spinner("Simulating releases"):
        return preview(schema, Request.from_json(request), assumed=assumed, repeats=REPEATS)


def picture(expected: Preview, theme: Theme) -> Picture | None:
    """Median and projected band; None if there is nothing to find."""
    if expected.x is None or expected.y is None:
        return None
    assert expected.lower is not None
    assert expected.upper is not None
    if expected.request.what == "roc":
        return roc_picture(
            expected.x,
            expected.y,
            theme=theme,
            band=(expected.x, expected.lower, expected.upper),
            band_name=expected.band_name,
            private_name="median release",
        )
    axes = AXES[expected.request.what]
    return expected_picture(
        expected.x,
        expected.y,
        (expected.lower, expected.upper),
        theme=theme,
        axes=axes,
        band_name=expected.band_name,
    )


def _guesses() -> None:
    for label, name, options in (
        ("Records", "n", ("200", "500", "1000", "2000", "5000", "10000", "20000", "50000")),
        ("Share of positives", "prevalence", ("0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5")),
        ("AUC of the best score", "auc", ("0.6", "0.7", "0.8", "0.9", "0.95", "0.99")),
    ):
        forms.stops(label, PREFIX + name, options)


def seek(request: Request, schema: Schema | None) -> None:
    """ "I need AUC ± 0.03": the least epsilon that reaches it in the simulation."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            f"I need {_mark(request)} this ({request.kind.unit})",
            min_value=0.001,
            max_value=0.5,
            step=0.005,
            format="%.3f",
            **state.seeded(TARGET, float(state.chosen()[TARGET])),
            on_change=state.choice_from_widget,
            args=(TARGET,),
        )
        st.button("Find epsilon", icon=":material/search:", on_click=_seek)
    if st.session_state.pop(SEEK, False):
        _find(request, schema)
    if found := st.session_state.get(FOUND):
        st.caption(plain(found))


def _mark(request: Request) -> str:
    """Features and models are released without an interval: there is only an error to bound."""
    return "at most" if request.kind.methods is None else "±"


def _seek() -> None:
    st.session_state[SEEK] = True


def _find(request: Request, schema: Schema | None) -> None:
    wanted = choices.target(state.chosen())
    assumed = choices.assumed(state.chosen())
    try:
        with st.spinner("Trying epsilons on simulated records"):
            total = epsilon_for(wanted, request, schema=schema, assumed=assumed, repeats=REPEATS)
    except DpcoreError as error:
        st.session_state[FOUND] = f"{error}."
    else:
        controls.take_total(request, total)
        st.session_state[FOUND] = (
            f"{_mark(request).capitalize()} {wanted:g} takes epsilon {shown(total)} in all, if the "
            "records are like the simulated ones: that is what the preview now expects."
        )
    st.rerun()


TITLE = "Release desk"
PURPOSE = "Publish from private data, once, for a charge that the ledger never forgets."


def stored(opened: private_data.Private) -> None:
    """The releases of these data, the present one first."""
    found = releases(private_data.store(), opened.digest)
    if not found:
        return
    shown, replayed = st.session_state.get(plan.SHOWN, (found[-1].request_id, True))
    st.subheader("Released", anchor=False)
    release = stored_release.pick(found, {}, shown)
    replayed = replayed or release.request_id != shown
    stored_release.card(replace(release, replayed=replayed))


def desk(opened: private_data.Private) -> None:
    """Choices, preview and plan."""
    controls.settle(opened)
    left, right = st.columns([5, 3], gap="large")
    with right:
        controls.choose(opened)
        source = choices.declared(state.chosen(), opened.source, opened.schema)
        request = choices.request(state.chosen(), source)
        controls.losses(request)
        seek(request, opened.schema)
    with left:
        if private_data.account() is None:
            cards.headline("These data have no budget yet, so nothing can be released.")
            cards.ways_on(
                ("pages/budget/page.py", "Set their budget", ":material/account_balance_wallet:")
            )
        else:
            plan.show(request, opened)
        st.divider()
        st.markdown("**What to expect**, simulated")
        show(request, opened.schema)
    if request.methods:
        cards.what_is_this(
            *cards.words_of("release_desk"), request.methods[-1], request.study.neighbors
        )


def body() -> None:
    if not mode.is_private():
        wrong_mode.in_teach_mode(TITLE, PURPOSE, "Releases are made in Private mode.")
        return
    cards.heading(TITLE, PURPOSE)
    opened = private_data.current()
    if opened is None:
        cards.headline("Nothing is open. A release begins with data that their owner declares.")
        private_source.choose()
        wrong_mode.no_figure()
        return
    private_source.choose()
    # What has just been released comes first; what was released before stands below.
    if plan.SHOWN in st.session_state:
        stored(opened)
        st.divider()
        desk(opened)
    else:
        desk(opened)
        stored(opened)


page_shell.run(body, private=True)
