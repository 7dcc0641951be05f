"""What stands around every page: style, sidebar, notices, and errors in one sentence."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import ParamSpec

import streamlit as st

from dpcore.errors import DataError, DpcoreError
from pages.parts.private import private_budget
from pages.shared import (
    access,
    budget,
    closed,
    glossary,
    guide,
    hand_out,
    mode,
    navigation,
    records,
    state,
    study,
    uploads,
)
from pages.shared.words import escape, plain

P = ParamSpec("P")
# Streamlit collects garbage after every run, a slider's move included. What the imports made lives
# as long as the server, and looking through it takes a tenth of a second each time.
gc.collect()
gc.freeze()

LOG = logging.getLogger(__name__)
METER = "budget meter"
OPENED = "page opened"
# Pages that publish nothing of the study; those that spend have an epsilon of their own.
BESIDE_THE_STUDY = {"data", *(name for name, _, _ in navigation.PAGES["Learn"])}
PRIVATE_FAILURE = (
    "This should not have happened. Nothing more is said in Private mode; what has been charged "
    "and released stands in the ledger."
)
_STYLE = Path(__file__).parent / "style.css"


def open_page(name: str = "") -> None:
    """Style, sidebar and notices; called by app.py before the page of that name runs."""
    if mode.is_private():
        st.set_option("client.showErrorDetails", "none")
    st.session_state[OPENED] = True
    st.session_state[state.PAGE] = name
    st.html(_STYLE)
    with st.sidebar:
        _sidebar()
        guide.show(name)
        hand_out.prepare(name)
    for sentence in st.session_state.pop(state.NOTICES, []):
        st.warning(plain(sentence), icon=":material/link_off:")


def _sidebar() -> None:
    state.chosen()
    if mode.is_private():
        _private_sidebar()
        return
    opened = records.current()
    with st.container(border=True, key="mode"):
        st.markdown(":material/school: **Teach mode**")
        st.caption(
            f"Noise is simulated from seed {_seed_words()}, so anyone can repeat it. "
            "Nothing shown here is private."
        )
        if mode.can_switch():
            mode.switch()
    st.html(
        f'<div class="dpcore-aside"><div class="name">{escape(opened.title)}</div>'
        f'<div class="more">{escape(opened.size)}</div></div>'
    )
    st.session_state[METER] = st.empty()
    show_meter()


def _private_sidebar() -> None:
    with st.container(border=True, key="mode"):
        st.markdown(":material/lock: **Private mode**")
        st.caption("Only releases are shown. Each is charged to the ledger before it is drawn.")
        if mode.can_switch():
            mode.switch()
    access.control()
    st.session_state[METER] = st.empty()
    show_meter()


def _seed_words() -> str:
    seed, redraws = state.chosen()["seed"], state.chosen()["redraw"]
    return seed if redraws == "0" else f"{seed} (redraw {redraws})"


def show_meter() -> None:
    """Draw the budget meter, from the page or from a fragment of it."""
    if mode.is_private():
        st.session_state[METER].html(private_budget.meter())
    elif st.session_state[state.PAGE] not in BESIDE_THE_STUDY:
        st.session_state[METER].html(budget.meter(study.planned(study.config())))


def run(body: Callable[[], None], *, private: bool = False) -> None:
    """Run a page; whatever dpcore refuses becomes one sentence.

    Parameters
    ----------
    body : callable
    private : bool, default False
        Whether the page may run in Private mode. One that does not say so is closed there: it was
        written to show what it finds.
    """
    if not st.session_state.pop(OPENED, False):
        navigation.repair()
        open_page()
        st.session_state.pop(OPENED)
    with _calm(), uploads.door():
        (closed.in_private_mode if mode.is_private() and not private else body)()
    glossary.show()
    state.publish()


@contextmanager
def _calm() -> Iterator[None]:
    """Whatever goes wrong is one sentence for the visitor; the rest goes to the server's log."""
    try:
        yield
    except DpcoreError as error:
        st.error(plain(str(error)), icon=":material/error:")
        if isinstance(error, DataError) and st.session_state[state.PAGE] != "data":
            st.page_link("pages/data.py", label="To the Data page", icon=":material/table:")
    # The last stop before a traceback on the screen.
    except Exception as error:
        if mode.is_private():
            # The kind of an error may depend on a row, and its text may quote one.
            LOG.error("a page failed in Private mode (%s)", type(error).__name__)
            st.error(PRIVATE_FAILURE, icon=":material/error:")
            return
        LOG.exception("a page failed")
        st.error(
            f"This should not have happened ({type(error).__name__}). Nothing is lost: try other "
            "choices, or go back to a sample on the Data page. The server's log says more.",
            icon=":material/error:",
        )


def fragment(body: Callable[P, None]) -> Callable[P, None]:
    """A part of a page that reruns alone, and keeps address and budget meter up to date."""

    @st.fragment
    @wraps(body)
    def guarded(*arguments: P.args, **options: P.kwargs) -> None:
        # A browser may ask for a fragment of a page that was open before the mode changed.
        if mode.is_private():
            return
        with _calm():
            body(*arguments, **options)
        show_meter()
        state.publish()

    return guarded
