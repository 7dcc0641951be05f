"""Teach or Private: which of them a session is in, and who decides."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import DpcoreError
from pages.session import gate, study_fields
from pages.session.server_settings import BOTH, PRIVATE, TEACH, settings
from pages.session.text import plain

MODE = "mode of this visit"
WORDS = {TEACH: "Teach", PRIVATE: "Private"}
# The pages that release, and those that both modes show.
RELEASING = ("budget", "release_desk", "ledger")
SHARED = ("overview",)
# What one mode holds, the other never sees.
KEPT = (MODE, "chosen", "notices", "page opened", "name of the page")


def current() -> str:
    """The server's mode if it has one, else that of this visit, which begins in Teach mode.

    A locked server is asked first: no link, no session state and no message of a browser matters.
    """
    locked = settings().mode
    if locked != BOTH:
        return locked
    return PRIVATE if st.session_state.get(MODE) == PRIVATE else TEACH


def require_settings() -> None:
    """Show one sentence and nothing else if the operator's settings are unclear."""
    try:
        settings()
    except DpcoreError as error:
        st.error(f"This server is not set up: {plain(str(error))}.", icon=":material/error:")
        st.stop()
    if settings().mode == PRIVATE and gate.is_missing():
        # Its figures would tell how many bytes wait in uploads.
        st.error(
            "This server is not set up: a private one is started with `streamlit run server.py`.",
            icon=":material/error:",
        )
        st.stop()


def is_private() -> bool:
    """Whether nothing but releases may be shown."""
    return current() == PRIVATE


def can_switch() -> bool:
    """Whether the visitor may choose; without the gate there is Teach mode only."""
    return settings().mode == BOTH and not gate.is_missing()


def enter(wanted: str) -> None:
    """Change the mode of this visit, and forget every record that the other one has opened."""
    if not can_switch() or wanted == current():
        return
    for name in list(st.session_state):
        if name not in KEPT:
            del st.session_state[name]
    st.session_state[MODE] = wanted
    if st.session_state["chosen"].get("data") == "upload":
        st.session_state["chosen"]["data"] = study_fields.SAMPLE


def shows(page: str) -> bool:
    """Whether the navigation lists a page; a link reaches the others, which say what is so."""
    if is_private():
        return page in RELEASING or page in SHARED
    return can_switch() or page not in RELEASING
