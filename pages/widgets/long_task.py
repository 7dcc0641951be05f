"""Figures that take a while: a progress bar, a way to stop, and what is computed stays."""

from __future__ import annotations

from collections.abc import Callable, Hashable, MutableMapping
from time import monotonic
from typing import Any, TypeVar

import streamlit as st

from dpcore._numbers import percent
from dpcore.curves import Progress

T = TypeVar("T")
CELLS = "computed cells"
STOPPED = "stopped computations"
MOST_CELLS = 20_000
# Nothing is drawn for what takes less, in seconds.
PATIENCE = 0.4


def run(
    name: str, fits: Hashable, study: Callable[[MutableMapping[Any, Any], Progress], T]
) -> T | None:
    """Run a study that reports its progress, unless the visitor stopped it; then None.

    Call it outside of fragments: a click inside one does not end a run that is going on.

    Parameters
    ----------
    name : str
        Of the figure.
    fits : hashable
        All that the study depends on: another choice starts a stopped one again.
    study : callable
        Takes the cells that are kept, and whom to tell the share that is done.
    """
    stopped = st.session_state.setdefault(STOPPED, {})
    if stopped.get(name) == fits:
        st.info("Stopped. What was computed is kept.", icon=":material/pause_circle:")
        st.button(
            "Go on", icon=":material/play_arrow:", on_click=stopped.pop, args=(name, None),
            key=f"go on {name}",
        )  # fmt: skip
        return None
    cells = st.session_state.setdefault(CELLS, {})
    if len(cells) > MOST_CELLS:
        cells.clear()
    place, began, bar = st.empty(), monotonic(), None

    def report(share: float) -> None:
        # Every call of Streamlit lets a click end this run; the cells so far stay.
        nonlocal bar
        if bar is None and monotonic() - began > PATIENCE:
            bar = _bar(place, name, fits)
        if bar is not None:
            bar.progress(share, text=f"Computing: {percent(share, digits=0)}")

    found = study(cells, report)
    place.empty()
    return found


def is_stopped(name: str) -> bool:
    """Whether the visitor stopped the study of that name, and has not let it go on."""
    return name in st.session_state.get(STOPPED, {})


def _bar(place: Any, name: str, fits: Hashable) -> Any:
    with place.container():
        bar = st.progress(0.0)
        st.button(
            "Cancel", icon=":material/cancel:", on_click=_stop, args=(name, fits),
            key=f"cancel {name}",
        )  # fmt: skip
    return bar


def _stop(name: str, fits: Hashable) -> None:
    st.session_state[STOPPED][name] = fits
