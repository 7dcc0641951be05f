"""Controls for the score of the features, and for how much one record may count."""

from __future__ import annotations

import streamlit as st

from dpcore.registry import Method
from dpcore.selection.scores import SCORES
from dpcore.study import Workflow
from pages.session import state, study_fields

BOUNDED = "control row bound"
SCORE, MOST, HOW, ROWS = (
    f"select.{name}" for name in ("score", "max_nonzeros", "row_bound", "max_rows")
)
HOWS = {"truncate": "Cut", "weight": "Weigh"}


def controls(method: Method, config: Workflow, width: int) -> None:
    """Score, and row bound; `width` is the number of features that one record can have."""
    told = config.selection.parameters
    scores = SCORES.methods()
    now = str(told.get("score", study_fields.SCORE))
    st.selectbox(
        "Score",
        list(scores),
        format_func=lambda name: scores[name].title,
        key=state.seed_control(SCORE, now),
        on_change=_take_score,
        help=scores[now].summary,
    )
    if "max_rows" in told:
        st.number_input(
            "Most records there can be",
            min_value=1,
            key=state.seed_control(ROWS, int(told["max_rows"])),
            on_change=state.take,
            args=(ROWS,),
            help="Public: the sensitivity of this score grows with it. Later records are not read.",
        )
    if width > 1:
        _row_bound(told.get("max_nonzeros"), str(told.get("row_bound", "truncate")), width)


def _row_bound(most: int | None, how: str, width: int) -> None:
    st.toggle(
        "Bound what one record counts for",
        value=most is not None,
        key=BOUNDED,
        on_change=_switch,
        args=(width,),
        help=f"Without it a record counts for up to {width:,} features, and noise is scaled to "
        "that.",
    )
    if most is None:
        return
    st.slider(
        "Row bound r",
        min_value=1,
        max_value=max(width, most),
        key=state.seed_control(MOST, int(most)),
        on_change=state.take,
        args=(MOST,),
    )
    st.segmented_control(
        "A record with more features",
        list(HOWS),
        format_func=HOWS.get,
        required=True,
        key=state.seed_control(HOW, how),
        on_change=state.take,
        args=(HOW,),
        help="Cut: its first r count, in the public order of the columns. Weigh: all count, each "
        "for less.",
    )


def _take_score() -> None:
    state.take(SCORE)
    state.chosen().pop(ROWS, None)
    st.session_state.pop(state.control(ROWS), None)


def _switch(width: int) -> None:
    if st.session_state[BOUNDED]:
        state.put(MOST, max(width // 2, 1))
        state.put(HOW, "truncate")
        return
    for name in (MOST, HOW):
        state.chosen().pop(name, None)
        st.session_state.pop(state.control(name), None)
