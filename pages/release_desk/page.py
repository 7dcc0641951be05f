"""The release desk: choose what to publish, see its cost and what to expect, release it once."""

from dataclasses import replace

import streamlit as st

from dpcore.desk import releases
from pages.release_desk import choices, controls, plan, preview
from pages.session import state
from pages.shell import page_shell, wrong_mode
from pages.widgets import cards, private_data, private_source, stored_release


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
        if planned := st.session_state.pop(private_data.PLANNED, None):
            controls.take_total(request, planned)
            request = choices.request(state.chosen(), source)
        preview.seek(request, opened.schema)
    with left:
        found = None
        with st.container(key="plan"):
            if private_data.account() is None:
                cards.headline("These data have no budget yet, so nothing can be released.")
                with plan.row():
                    controls.publish(opened)
                    cards.ways_on("budget")
            else:
                found = plan.show(request, opened)
        controls.losses(request)
        preview.show(request, opened.schema)
        if found is not None:
            plan.charges(found)
    if request.methods:
        cards.what_is_this(
            *cards.words_of("release_desk"), request.methods[-1], request.study.neighbors
        )


def body() -> None:
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


page_shell.run(body, private="Releases are made in Private mode.")
