"""One reproduction: claim, figure, trends, gap, and where its numbers come from."""

import streamlit as st

import reproductions
from dpcore.figures import Picture
from dpcore.publications.publication import csv_text
from dpcore.study.python import Script
from pages.reproductions.choices import ALL, NAME, PANEL, ReproductionChoice
from pages.session import state
from pages.session.text import escape, plain, said
from pages.widgets import cards, forms, plot, python_code, score_pages, slider_frames
from reproductions import ROLES, Experiment, PaperData, Result, Row, Verdict, experiments, recorded
from reproductions.markdown import csv_text as panels_csv
from reproductions.markdown import markdown_section, panel_table
from reproductions.pictures import reproduction_picture, reproductions_html
from reproductions.summary import reproduction_summary_picture
from reproductions.thumbnail import reproduction_thumbnail

# What a result says of data that were replaced.
STOOD_IN = " in place of "


def of(experiment: Experiment) -> Result | None:
    """The latest result of an experiment."""
    return _mine().get(experiment.name) or recorded(experiment)


def is_mine(experiment: Experiment) -> bool:
    """Whether it was run in this visit."""
    return experiment.name in _mine()


def stand_ins(result: Result) -> tuple[str, ...]:
    """What is said of each sample of the project that stood in for a file of the paper."""
    return tuple(source for source in result.sources if STOOD_IN in source)


def judged(experiment: Experiment) -> Verdict | None:
    """What the latest result says."""
    result = of(experiment)
    return None if result is None else experiment.judge(result.rows)


def run(experiment: Experiment) -> None:
    """Run the quick settings with a bar; any click ends the run, and nothing is kept then."""
    place, known = st.empty(), recorded(experiment, quick=True)
    expected = len(known.rows) if known else 0

    def show(count: int, row: Row) -> None:
        share = min(count / expected, 1.0) if expected else 0.0
        place.progress(share, text=f"{row.panel}: {row.method}")

    place.progress(0.0, text="Reading the data")
    told = {"quick": True, "materials": PaperData(reproductions.data_folder()), "progress": show}
    result = reproductions.run_experiment(experiment, **told)
    place.empty()
    _mine()[experiment.name] = result


def _mine() -> dict[str, Result]:
    return st.session_state.setdefault("reproductions of this visit", {})


_COLUMNS = 3


def open_experiment(name: str) -> None:
    """Callback of a card."""
    state.set_choice(NAME, name)
    state.set_choice(PANEL, "0")


def show_gallery() -> None:
    """The gallery."""
    every = [(one, found) for one in experiments().values() if (found := judged(one)) is not None]
    trends = [trend for _, found in every for trend in found.trends]
    seen = sum(trend.seen for trend in trends)
    cards.headline(
        f"Of {len(trends)} trends that five papers report, {seen} are seen when their methods "
        "run again here."
    )
    picture = reproduction_summary_picture(every, theme=state.theme())
    plot.show(picture, key="reproductions", tall=True)
    python_code.show(lambda: python_code.written("gallery"))
    st.caption(said("what the small pictures show"))
    for prefix, paper in reproductions.PAPERS.items():
        st.subheader(paper.name, anchor=False)
        st.caption(paper.citation)
        _cards([one for one in experiments().values() if one.name.startswith(f"{prefix}-")])
    with st.expander("Every trend, and the figure that decided", icon=":material/table:"):
        st.html(_table(every))
    name = "reproductions-simulation.csv"
    score_pages.offer([("CSV", name, lambda: csv_text(_HEADER, _rows(every)))])


def code(one: Experiment, panel: str) -> Script:
    """The lines that run the experiment here again, or read what ships of it."""
    name = "reproduction run here" if is_mine(one) else "reproduction that ships"
    return python_code.written(name, name=one.name, panel=panel)


def _cards(found: list[Experiment]) -> None:
    for start in range(0, len(found), _COLUMNS):
        for place, one in zip(st.columns(_COLUMNS), found[start : start + _COLUMNS], strict=False):
            told = {"height": "stretch", "vertical_alignment": "distribute"}
            with place, st.container(border=True, **told):
                _card(one)


def _card(one: Experiment) -> None:
    result = of(one)
    drawn, chip = "", "not run yet"
    if result is not None:
        drawn = reproduction_thumbnail(one, result.rows, theme=state.theme())
        chip = _chip(one.judge(result.rows))
    st.html(
        f'<div class="dpcore-card">{drawn}<p>{escape(one.figures)} {chip}</p>'
        f'<p class="name">{escape(one.title)}</p></div>'
    )
    told = {"help_text": _named(one), "key": f"open {one.name}", "width": "stretch"}
    forms.button("Open", "menu_book", open_experiment, one.name, **told)


def _named(one: Experiment) -> str:
    return f"{one.paper.name}, {one.figures}: {one.title}"


def _chip(judgement: Verdict) -> str:
    seen, count = sum(trend.seen for trend in judgement.trends), len(judgement.trends)
    kind = "all" if seen == count else "some" if seen else "none"
    return f'<span class="chip {kind}">{seen} of {count} seen</span>'


def _rows(judged: list[tuple[Experiment, Verdict]]) -> list[tuple[str, ...]]:
    return [
        (f"{one.paper.name}, {one.figures}", trend.claim, trend.word, trend.finding)
        for one, found in judged
        for trend in found.trends
    ]


_HEADER = ("experiment", "the paper's claim", "here", "figure")


def _table(judged: list[tuple[Experiment, Verdict]]) -> str:
    caption = "Computed from the numbers of each run"
    return cards.table(_HEADER, _rows(judged), caption=caption, wrapping=True)


_ASKED = "reproduction asked for"

NOT_COMPARABLE = "Do not compare these numbers with the paper’s."


def show(choice: ReproductionChoice) -> None:
    """The experiment that is open."""
    one = choice.experiment
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        forms.button("All reproductions", "arrow_back", state.set_choice, NAME, ALL)
        st.subheader(_named(one), anchor=False, width="stretch")
        words, asked = said("quick settings").format(one.settings(True)), {_ASKED: one.name}
        forms.button("Run it here", "play_arrow", st.session_state.update, asked, help_text=words)
        place = st.empty()
    if st.session_state.pop(_ASKED, None) == one.name:
        # Any click ends the run; this button has no other effect.
        place.button("Cancel", icon=":material/close:", key="cancel reproduction")
        run(one)
        place.empty()
    claim, result = f"**The paper's claim.** {one.claim}", of(one)
    if result is None:
        cards.headline("Nothing has been measured yet.")
        st.markdown(claim)
        return
    judgement = one.judge(result.rows)
    # Here the sliders stay in sight no longer than their figure does.
    with st.container():
        cards.headline(f"{judgement.verdict} when the paper’s methods run again.")
        _say_stand_ins(one, result)
        panel = _panel(one, result, choice.panel)
        plot.show(_picture(one, result, panel), key=one.name)
        _follow(one, result)
    python_code.show(lambda: code(one, panel))
    st.markdown(f"{claim}\n\n**Beside a sound method.** {plain(judgement.gap)}")
    st.html(_panel_html(one, result, panel) + _trends_html(judgement))
    _words(one, result)
    _view_downloads(one, result)


def _say_stand_ins(one: Experiment, result: Result) -> None:
    """Where data were replaced, it is said above the figure; loudly, if it was done here."""
    if found := stand_ins(result):
        words = plain(f"{' '.join(found)} {NOT_COMPARABLE}")
        if is_mine(one):
            st.warning(words, icon=":material/science:")
        else:
            st.caption(words)


def _panel(one: Experiment, result: Result, chosen: int) -> str:
    panels = result.rows.panels
    at = min(chosen, len(panels) - 1)
    if len(panels) > 1:
        key = state.seed_control(f"{PANEL} {one.name}", panels[at])
        choose = st.select_slider if one.chart.slider else st.selectbox
        told = {"key": key, "on_change": _take_panel, "args": (key, panels)}
        with forms.moves():
            choose(one.chart.panel.capitalize(), panels, **told)
    return panels[at]


def _take_panel(key: str, panels: tuple[str, ...]) -> None:
    state.set_choice(PANEL, panels.index(st.session_state[key]))


def _picture(one: Experiment, result: Result, panel: str) -> Picture:
    return reproduction_picture(one, result.rows, panel, theme=state.theme())


def _follow(one: Experiment, result: Result) -> None:
    """The figure moves while the slider is dragged."""
    if one.chart.slider:
        panels = {name: _picture(one, result, name) for name in result.rows.panels}
        text = slider_frames.of_pictures(panels)
        plot.follow({one.chart.panel.capitalize(): text} if text else {}, figure=one.name)


def _panel_html(one: Experiment, result: Result, panel: str) -> str:
    if one.chart.kind == "curves":
        return ""
    header, rows = panel_table(result.rows, panel)
    found = stand_ins(result)
    whole = len(found) == len(result.sources)
    instead = f"{', ' if whole else ', in part '}on stand-in data" if found else ""
    caption = f"{panel}{instead}: {one.chart.y}; {one.chart.x} to the right"
    return cards.table(header, rows, caption=caption)


def _trends_html(judgement: Verdict) -> str:
    rows = [(trend.claim, trend.word, trend.finding) for trend in judgement.trends]
    header = ("the paper's trend", "here", "figure")
    return cards.table(header, rows, caption="Seen or not", wrapping=True)


def _words(one: Experiment, result: Result) -> None:
    whose = "Run in this visit" if is_mine(one) else "Shipped with the app"
    kind = "quick" if result.quick else "full"
    roles = dict.fromkeys(row.role for row in result.rows)
    if "broken" in roles:
        st.badge("not private", icon=":material/gpp_bad:", color="red")
        st.caption("Lines marked “published, not private as claimed” run in simulations only.")
    with st.expander("Methods and data", icon=":material/menu_book:", expanded=True):
        data = " ".join(result.sources) or "Generated, as in the paper."
        settings = f"**Settings ({kind}).** {one.settings(result.quick)}"
        words = said("methods and data").format(one.published, one.sound, data)
        st.markdown(f"{words}\n\n{settings}. {whose}; {result.seconds:.0f} s.")
    with cards.costs():
        st.markdown(said("a reproduction costs nothing"))
    with st.expander("What am I looking at?", icon=":material/help:"):
        st.markdown(
            f"{one.chart.y.capitalize()} against {one.chart.x}. "
            + " ".join(f"*{ROLES[role].capitalize()}*: {_methods(result, role)}." for role in roles)
        )
        st.latex(one.formula)
        st.markdown(f"**Source.** {one.paper.citation}; {one.figures}.")


def _methods(result: Result, role: str) -> str:
    return ", ".join(dict.fromkeys(row.method for row in result.rows if row.role == role))


def _view_downloads(one: Experiment, result: Result) -> None:
    stem = f"{one.name}-simulation"
    table = "CSV", f"{stem}.csv", lambda: panels_csv(one, result)
    report = "HTML", f"{stem}.html", lambda: reproductions_html([(one, result)])
    text = "Markdown", f"{stem}.md", lambda: markdown_section(one, result)
    score_pages.offer([table, report, text])
