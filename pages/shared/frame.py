"""What stands around every page: style, sidebar, notices, and errors in one sentence."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import wraps
from html import escape
from pathlib import Path
from typing import ParamSpec

import streamlit as st

from dpcore.errors import DpcoreError
from pages.shared import budget, navigation, records, state, study

P = ParamSpec("P")
# Streamlit collects garbage after every run, a slider's move included. What the imports made lives
# as long as the server, and looking through it takes a tenth of a second each time.
gc.collect()
gc.freeze()

METER = "budget meter"
OPENED = "page opened"
_STYLE = Path(__file__).parent / "style.css"


def open_page() -> None:
    """Style, sidebar and notices; called by app.py before the page runs."""
    st.session_state[OPENED] = True
    st.html(_STYLE)
    with st.sidebar:
        _sidebar()
    for sentence in st.session_state.pop(state.NOTICES, []):
        st.warning(sentence, icon=":material/link_off:")


def _sidebar() -> None:
    state.chosen()
    opened = records.current()
    with st.container(border=True, key="mode"):
        st.markdown(":material/school: **Teach mode**")
        st.caption(
            f"Noise is simulated from seed {state.chosen()['seed']}, so anyone can repeat it. "
            "Nothing shown here is private."
        )
    st.html(
        f'<div class="dpcore-aside"><div class="name">{escape(opened.title)}</div>'
        f'<div class="more">{escape(opened.size)}</div></div>'
    )
    st.session_state[METER] = st.empty()
    show_meter()


def show_meter() -> None:
    """Draw the budget meter, from the page or from a fragment of it."""
    st.session_state[METER].html(budget.meter(study.planned(study.config())))


def run(body: Callable[[], None]) -> None:
    """Run a page; whatever dpcore refuses becomes one sentence."""
    if not st.session_state.pop(OPENED, False):
        navigation.repair()
        open_page()
        st.session_state.pop(OPENED)
    try:
        body()
    except DpcoreError as error:
        st.error(str(error), icon=":material/error:")
    state.publish()


def fragment(body: Callable[P, None]) -> Callable[P, None]:
    """A part of a page that reruns alone, and keeps address and budget meter up to date."""

    @st.fragment
    @wraps(body)
    def guarded(*arguments: P.args, **options: P.kwargs) -> None:
        try:
            body(*arguments, **options)
        except DpcoreError as error:
            st.error(str(error), icon=":material/error:")
        show_meter()
        state.publish()

    return guarded
