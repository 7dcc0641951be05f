"""What the visitor can take away; made when it is asked for, not while a slider moves."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcore.publications import publication, roc
from dpcore.publications.report import report_html
from dpcore.study import WorkflowResult, to_json

LATEST = "latest result"


def _holder() -> dict[str, WorkflowResult]:
    """Where the buttons find the present result: it changes while they stay."""
    found: dict[str, WorkflowResult] = st.session_state.setdefault(LATEST, {})
    return found


def remember(result: WorkflowResult) -> None:
    """Let the buttons hand out this result."""
    _holder()["result"] = result


def offer() -> None:
    """Buttons for every form of the result."""
    holder = _holder()
    with st.container(key="take-away"):
        st.caption("Take it with you, stamped as a simulation")
        with st.container(horizontal=True, gap="small"):
            _button("CSV", "roc-simulation.csv", "text/csv", lambda: points_csv(holder["result"]))
            _button(
                "JSON",
                "result-simulation.json",
                "application/json",
                lambda: holder["result"].to_json(),
            )
            _button(
                "HTML",
                "report-simulation.html",
                "text/html",
                lambda: report_html(holder["result"]),
            )
            _button(
                "Study", "study.json", "application/json", lambda: to_json(holder["result"].config)
            )
        st.caption(
            "The buttons beneath a figure save the figure alone. "
            "`python -m dpcore run study.json` repeats the study."
        )


def _button(label: str, name: str, mime: str, make: Any) -> None:
    st.download_button(
        label, make, file_name=name, mime=mime, on_click="ignore", key=f"download {label}"
    )


def points_csv(result: WorkflowResult) -> str:
    """Both curves, point by point."""
    return publication("roc").csv(roc.of_study(result))
