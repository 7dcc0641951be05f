"""The plan of a release, the question before it, and the one act that spends."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpcore.desk import ReleasePlan, Request, plan, release, request_id
from dpcore.errors import DpcoreError, left_of
from dpcore.privacy import shown
from pages.release_desk import controls
from pages.session.text import OPTIONS, plain, said, stated
from pages.widgets import cards, forms, private_data
from pages.widgets.private_data import Private

ASKED, WANTED = "release to confirm", "release that is confirmed"
SHOWN, REFUSED = "shown release", "release refused"


def row() -> DeltaGenerator:
    """The place of what is published, and of the act."""
    return st.container(horizontal=True, vertical_alignment="bottom")


def show(request: Request, opened: Private) -> ReleasePlan:
    """What it costs, what would be left, and the button."""
    _release_wanted(request, opened)
    found = plan(request, opened.records, private_data.store())
    cards.headline(_headline(found, request))
    with row():
        controls.publish(opened)
        _button(found, request, opened)
    _why_not(found, request)
    if refused := st.session_state.get(REFUSED):
        st.error(plain(refused), icon=":material/error:")
    if st.session_state.get(ASKED) == _identity(request, opened):
        _confirm(found, request, opened)
    return found


def charges(found: ReleasePlan) -> None:
    """Every charge, and how they add up."""
    with st.expander("What is charged", icon=":material/receipt_long:"):
        st.html(cards.charges(found.charges, "The plan"))
        st.markdown(f"{found.composition} {found.state_words}")


def _headline(found: ReleasePlan, request: Request) -> str:
    title = request.kind.title
    if found.state == "released":
        return f"This release of “{title}” is stored: showing it again costs nothing."
    if found.state == "charged":
        return f"This release of “{title}” is being drawn: waiting for it costs nothing."
    if not found.fits:
        left = left_of(found.before, scant=True)
        return f"This release of “{title}” costs {found.total}, and {left} is left."
    return f"Releasing “{title}” costs {found.total}: {found.arrow}."


def _identity(request: Request, opened: Private) -> str:
    return request_id(request, opened.records, private_data.store())


def _button(found: ReleasePlan, request: Request, opened: Private) -> None:
    """Open the question; a button that cannot be pressed says why."""
    why_not = private_data.refusal() or found.refusal
    told = {"type": "primary", "disabled": bool(why_not), "help_text": why_not}
    about = _identity(request, opened), found.state
    forms.button(OPTIONS["button of a release"][found.state], "outbox", _ask, *about, **told)


def _why_not(found: ReleasePlan, request: Request) -> None:
    """What keeps the button from being pressed, and what can be done about it."""
    refused = private_data.refusal()
    why_not = refused or found.refusal
    if not why_not:
        return
    # What stands above says it of a budget, and the button what can be done. Where the act was
    # refused for it, because another tab had spent meanwhile, that is said beneath.
    is_said = bool(found.largest) or stated(why_not) == st.session_state.get(REFUSED)
    if refused or not is_said:
        st.info(plain(stated(why_not)), icon=":material/info:")
    if found.largest:
        label = f"Take epsilon {shown(found.largest)} instead"
        forms.button(label, "", controls.take_total, request, found.largest)


def _ask(identity: str, state: str) -> None:
    st.session_state.pop(REFUSED, None)
    if state in ("released", "charged"):
        st.session_state[WANTED] = identity, False
    else:
        st.session_state[ASKED] = identity


@st.dialog("Release, once and for all?", on_dismiss=lambda: st.session_state.pop(ASKED, None))
def _confirm(found: ReleasePlan, request: Request, opened: Private) -> None:
    if ASKED not in st.session_state:
        # A dialog reruns alone; the answer is for the page.
        st.rerun()
    told = request.kind.title, plain(private_data.title()), found.arrow, found.composition
    st.markdown(said("what is to be confirmed").format(*told))
    st.caption(said("what a release does"))
    identity = _identity(request, opened)
    with st.container(horizontal=True):
        label, again = f"Charge {found.total} and release", found.state == "void"
        forms.button(label, "", _want, identity, again, type="primary")
        forms.button("Cancel", "", _want, "")


def _want(identity: str, again: bool = False) -> None:
    """Confirmed, for this very request: pressed twice it is one release all the same.

    `again` is what the question said: a run that became void since is not paid for once more.
    """
    st.session_state.pop(ASKED, None)
    if identity:
        st.session_state[WANTED] = identity, again


def _release_wanted(request: Request, opened: Private) -> None:
    """Release what was confirmed; no call of Streamlit interrupts it half-way."""
    if WANTED not in st.session_state:
        return
    wanted, again = st.session_state.pop(WANTED)
    store = private_data.store()
    refusal = private_data.refusal()
    if wanted != _identity(request, opened):
        refusal = "The request changed after it was confirmed, so nothing was released or charged."
    if refusal:
        st.session_state[REFUSED] = refusal
        return
    try:
        with st.spinner("Charging, drawing and storing"):
            released = release(request, opened.records, store, again=again)
            # At once: a click meanwhile ends this run as soon as it draws anything.
            st.session_state[SHOWN] = released.request_id, released.replayed
            if (kept := st.session_state.get(private_data.PLAN)) and not released.replayed:
                st.session_state[private_data.PLAN] = kept.spend(request.what, request.cost)
    except DpcoreError as error:
        st.session_state[REFUSED] = stated(error)
    st.rerun()
