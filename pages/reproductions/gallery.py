"""All reproductions: one figure of what is seen, and a card for each."""

from __future__ import annotations

import streamlit as st

from dpcore.publications.publication import csv_text
from pages.reproductions import results
from pages.reproductions.choices import NAME, PANEL
from pages.session import state
from pages.session.text import escape
from pages.widgets import cards, figure, score_pages
from reproductions import PAPERS, Experiment, Judgement, experiments
from reproductions.summary import reproduction_summary_picture
from reproductions.thumbnail import reproduction_thumbnail

_COLUMNS = 3
_LOOK = (
    "Each small picture is the first panel of its figure. Solid green: sound, this project's "
    "choice; dashed orange: published, run again; dash-dotted pink: published, not private as "
    "claimed; solid blue: without privacy; dotted grey: printed in the paper."
)


def open_experiment(name: str) -> None:
    """Callback of a card."""
    state.put(NAME, name)
    state.put(PANEL, "0")


def show() -> None:
    """The gallery."""
    judged = [
        (one, found) for one in experiments().values() if (found := results.judged(one)) is not None
    ]
    trends = [trend for _, found in judged for trend in found.trends]
    seen = sum(trend.seen for trend in trends)
    cards.headline(
        f"Of {len(trends)} trends that five papers report, {seen} are seen when their methods "
        "run again here."
    )
    figure.show(reproduction_summary_picture(judged, theme=state.theme()), key="reproductions")
    st.caption(_LOOK)
    for prefix, paper in PAPERS.items():
        st.subheader(paper.name, anchor=False)
        st.caption(paper.citation)
        _cards([one for one in experiments().values() if one.name.startswith(f"{prefix}-")])
    with st.expander("Every trend, and the figure that decided", icon=":material/table:"):
        st.html(_table(judged))
    _downloads(judged)


def _cards(found: list[Experiment]) -> None:
    for start in range(0, len(found), _COLUMNS):
        for place, one in zip(st.columns(_COLUMNS), found[start : start + _COLUMNS], strict=False):
            with (
                place,
                st.container(border=True, height="stretch", vertical_alignment="distribute"),
            ):
                _card(one)


def _card(one: Experiment) -> None:
    result = results.of(one)
    drawn, chip = "", "not run yet"
    if result is not None:
        drawn = reproduction_thumbnail(one, result.rows, theme=state.theme())
        chip = _chip(one.judge(result.rows))
    st.html(
        f'<div class="dpcore-card">{drawn}<p>{escape(one.figures)} {chip}</p>'
        f'<p class="name">{escape(one.title)}</p></div>'
    )
    st.button(
        "Open",
        key=f"open {one.name}",
        icon=":material/menu_book:",
        on_click=open_experiment,
        args=(one.name,),
        help=f"{one.paper.name}, {one.figures}: {one.title}",
        width="stretch",
    )


def _chip(judgement: Judgement) -> str:
    seen, count = sum(trend.seen for trend in judgement.trends), len(judgement.trends)
    kind = "all" if seen == count else "some" if seen else "none"
    return f'<span class="chip {kind}">{seen} of {count} seen</span>'


def _rows(judged: list[tuple[Experiment, Judgement]]) -> list[tuple[str, ...]]:
    return [
        (f"{one.paper.name}, {one.figures}", trend.claim, trend.word, trend.finding)
        for one, found in judged
        for trend in found.trends
    ]


_HEADER = ("experiment", "the paper's claim", "here", "figure")


def _table(judged: list[tuple[Experiment, Judgement]]) -> str:
    table = cards.table(_HEADER, _rows(judged), caption="Computed from the numbers of each run")
    return f'<div class="dpcore-wrapping">{table}</div>'


def _downloads(judged: list[tuple[Experiment, Judgement]]) -> None:
    score_pages.offer(
        [
            (
                "CSV",
                "reproductions-simulation.csv",
                "text/csv",
                lambda: csv_text(_HEADER, _rows(judged)),
            )
        ]
    )
