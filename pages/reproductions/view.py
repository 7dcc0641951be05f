"""One reproduction: claim, figure, trends, gap, and where its numbers come from."""

from __future__ import annotations

import json

import streamlit as st

from dpcore.figures import Picture
from dpcore.figures.frames import frames_between
from pages.reproductions import results
from pages.reproductions.choices import ALL, NAME, PANEL, ReproductionChoice
from pages.session import state
from pages.session.text import plain
from pages.widgets import cards, figure, score_pages
from reproductions import ROLES, Experiment, Judgement, Result
from reproductions.markdown import csv_text, markdown_section, panel_table
from reproductions.pictures import reproduction_picture, reproductions_html

_ASKED = "reproduction asked for"
NOT_COMPARABLE = "Do not compare these numbers with the paper’s."


def show(choice: ReproductionChoice) -> None:
    """The experiment that is open."""
    one = choice.experiment
    assert one is not None
    st.button(
        "All reproductions", icon=":material/arrow_back:", on_click=state.put, args=(NAME, ALL)
    )
    st.subheader(f"{one.paper.name}, {one.figures}: {one.title}", anchor=False)
    st.markdown(f"**The paper's claim.** {one.claim}")
    _run_here(one)
    result = results.of(one)
    if result is None:
        cards.headline("Nothing has been measured yet.")
        return
    judgement = one.judge(result.rows)
    cards.headline(_takeaway(judgement))
    st.markdown(f"**Beside a sound method.** {plain(judgement.gap)}")
    _say_stand_ins(one, result)
    panel = _panel(one, result, choice.panel)
    figure.show(_picture(one, result, panel), key=one.name)
    _follow(one, result)
    st.html(_panel_html(one, result, panel) + _trends_html(judgement))
    _words(one, result)
    _downloads(one, result)


def _say_stand_ins(one: Experiment, result: Result) -> None:
    """Where data were replaced, it is said above the figure; loudly, if it was done here."""
    if found := results.stand_ins(result):
        words = plain(f"{' '.join(found)} {NOT_COMPARABLE}")
        if results.is_mine(one):
            st.warning(words, icon=":material/science:")
        else:
            st.caption(words)


def _takeaway(judgement: Judgement) -> str:
    """How much of what the paper reports is seen."""
    return f"{judgement.verdict} when the paper’s methods run again."


def _run_here(one: Experiment) -> None:
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Run it here",
            icon=":material/play_arrow:",
            on_click=_ask,
            args=(one.name,),
            help=f"The quick settings: {one.settings(True)}. Where this server lacks the paper’s "
            "files, samples stand in for them, and the numbers are not comparable.",
        )
        place = st.empty()
    if st.session_state.pop(_ASKED, None) == one.name:
        # Any click ends the run; this button has no other effect.
        place.button("Cancel", icon=":material/close:", key="cancel reproduction")
        results.run(one)
        place.empty()


def _ask(name: str) -> None:
    st.session_state[_ASKED] = name


def _panel(one: Experiment, result: Result, chosen: int) -> str:
    panels = result.rows.panels
    at = min(chosen, len(panels) - 1)
    if len(panels) > 1:
        key = state.control(f"{PANEL} {one.name}")
        if key not in st.session_state:
            st.session_state[key] = panels[at]
        if one.chart.slider:
            st.select_slider(
                _label(one), panels, key=key, on_change=_take_panel, args=(key, panels)
            )
        else:
            st.selectbox(_label(one), panels, key=key, on_change=_take_panel, args=(key, panels))
    return panels[at]


def _label(one: Experiment) -> str:
    return one.chart.panel.capitalize()


def _take_panel(key: str, panels: tuple[str, ...]) -> None:
    state.put(PANEL, panels.index(st.session_state[key]))


def _picture(one: Experiment, result: Result, panel: str) -> Picture:
    return reproduction_picture(one, result.rows, panel, theme=state.theme())


def _follow(one: Experiment, result: Result) -> None:
    """The figure moves while the slider is dragged."""
    if one.chart.slider:
        found = frames_between({name: _picture(one, result, name) for name in result.rows.panels})
        text = json.dumps(found, separators=(",", ":"))
        figure.follow({_label(one): text} if found else {}, figure=one.name)


def _panel_html(one: Experiment, result: Result, panel: str) -> str:
    if one.chart.kind == "curves":
        return ""
    header, rows = panel_table(result.rows, panel)
    found = results.stand_ins(result)
    whole = len(found) == len(result.sources)
    instead = f"{', ' if whole else ', in part '}on stand-in data" if found else ""
    caption = f"{panel}{instead}: {one.chart.y}; {one.chart.x} to the right"
    return cards.table(header, rows, caption=caption)


def _trends_html(judgement: Judgement) -> str:
    rows = [(trend.claim, trend.word, trend.finding) for trend in judgement.trends]
    table = cards.table(("the paper's trend", "here", "figure"), rows, caption="Seen or not")
    return f'<div class="dpcore-wrapping">{table}</div>'


def _words(one: Experiment, result: Result) -> None:
    whose = "Run in this visit" if results.is_mine(one) else "Shipped with the app"
    kind = "quick" if result.quick else "full"
    roles = dict.fromkeys(row.role for row in result.rows)
    if "broken" in roles:
        st.badge("BROKEN", icon=":material/gpp_bad:", color="red")
        st.caption("Lines marked “published, not private as claimed” run in simulations only.")
    with st.expander("Methods and data", icon=":material/menu_book:", expanded=True):
        st.markdown(
            f"**Published, run again.** {one.published}.\n\n"
            f"**Sound.** {one.sound}.\n\n"
            f"**Data.** {' '.join(result.sources) or 'Generated, as in the paper.'}\n\n"
            f"**Settings ({kind}).** {one.settings(result.quick)}. {whose}; {result.seconds:.0f} s."
        )
    with st.expander("What it costs", icon=":material/receipt_long:"):
        st.markdown(
            "Nothing is charged to your study: every number is a simulation on public data, drawn "
            "from fixed seeds and shown beside the truth. Each point stands for a release that "
            "would spend the whole epsilon of its experiment."
        )
    with st.expander("What am I looking at?", icon=":material/help:"):
        st.markdown(
            f"{one.chart.y.capitalize()} against {one.chart.x}. "
            + " ".join(f"*{ROLES[role].capitalize()}*:{_methods(result, role)}." for role in roles)
        )
        st.latex(one.formula)
        st.markdown(f"**Source.** {one.paper.citation}; {one.figures}.")


def _methods(result: Result, role: str) -> str:
    names = dict.fromkeys(row.method for row in result.rows if row.role == role)
    return f" {', '.join(names)}"


def _downloads(one: Experiment, result: Result) -> None:
    stem = f"{one.name}-simulation"
    score_pages.offer(
        [
            ("CSV", f"{stem}.csv", "text/csv", lambda: csv_text(one, result)),
            ("HTML", f"{stem}.html", "text/html", lambda: reproductions_html([(one, result)])),
            ("Markdown", f"{stem}.md", "text/markdown", lambda: markdown_section(one, result)),
        ]
    )
