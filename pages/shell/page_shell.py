"""What stands around every page: style, sidebar, notices, and errors in one sentence."""

from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path

import streamlit as st

from dpcore.figures import DARK, LIGHT
from dpcore.figures.roc_panels import MOST_METHODS, method_styles
from dpcore.figures.theme import channels
from pages.session import memory, mode, open_data, state
from pages.session.text import said
from pages.shell import guide, navigation, wrong_mode
from pages.widgets import budget_meter, cards, figure, forms, private_data, uploads
from pages.widgets.fragments import METER, calm, show_meter

_DARK_FIGURE = f'.dpcore-figure[data-page="{DARK.page}"] .main-svg'


def on_paper() -> dict[str, str]:
    """Each colour of a figure on a dark page, and the one that it has on a light page."""
    dark, light = (
        [*astuple(theme)[1:], *(style["color"] for style in method_styles(theme, MOST_METHODS))]
        for theme in (DARK, LIGHT)
    )
    return dict(zip(dark, light, strict=True))


def style_of_paper() -> str:
    """CSS that prints the figures of a dark page in the colours of a light one."""
    rules = [
        f'{_DARK_FIGURE} [style*="{what}: rgb({channels(dark)})"] {{ {what}: {light} !important; }}'
        for dark, light in on_paper().items()
        for what in ("fill", "stroke")
    ]
    return "@media print {\n" + "\n".join(rules) + "\n}\n"


_FOLDER = Path(__file__).parent
_PLACE = '<div class="dpcore-for-paper"></div>'
_printing = figure.component("printing", _FOLDER, html=_PLACE, css=style_of_paper())


def prepare(page: str) -> None:
    """Let the browser know what it cannot see, before somebody prints the page."""
    colours = on_paper() if state.theme() is DARK else {}
    told = {"colours": colours, "of_records": open_data.is_shown(page)}
    _printing(key="printing", data=told, height=0)


# Now, while what the imports made is all there is: server.py imports this before anybody comes.
memory.set_apart()

SWITCH = "mode switch"


def open_page(name: str = "") -> None:
    """Style, sidebar and notices; called by app.py before the page of that name runs."""
    if mode.is_private():
        st.set_option("client.showErrorDetails", "none")
    st.session_state[mode.OPENED] = True
    st.session_state[state.PAGE] = name
    st.html(_FOLDER / "style.css")
    with st.sidebar:
        _sidebar()
        guide.show(name)
        prepare(name)
    cards.not_followed(st.session_state.pop(state.NOTICES, []))


def _sidebar() -> None:
    seed, redraws = state.chosen()["seed"], state.chosen()["redraw"]
    told = seed if redraws == "0" else f"{seed} (redraw {redraws})"
    title, words = ":material/school: **Teach mode**", said("Teach mode").format(told)
    if mode.is_private():
        title, words = ":material/lock: **Private mode**", said("Private mode")
    with st.container(border=True, key="mode"):
        st.markdown(title)
        st.caption(words)
        if mode.can_switch():
            key = f"{SWITCH} {mode.current()}"
            switch = {"default": mode.current(), "label_visibility": "collapsed"}
            switch |= {"on_change": lambda: mode.enter(st.session_state[key]), "width": "stretch"}
            forms.segmented(mode.WORDS, key, **switch, **forms.told(SWITCH))
    if mode.is_private():
        private_data.control()
    else:
        opened = open_data.current()
        st.html(budget_meter.aside(opened.title, opened.size))
    st.session_state[METER] = st.empty()
    show_meter()


def run(body: Callable[[], None], *, private: str = "") -> None:
    """Run a page; whatever dpcore refuses becomes one sentence.

    Parameters
    ----------
    private
        What is done on this page in Private mode alone. One that does not say so is closed there:
        it was written to show what it finds.
    """
    if not st.session_state.pop(mode.OPENED, False):
        navigation.repair()
        open_page()
        st.session_state.pop(mode.OPENED)
    with calm(), uploads.door():
        if mode.is_private() is bool(private):
            body()
        elif private:
            wrong_mode.in_teach_mode(private)
        else:
            wrong_mode.in_private_mode()
    guide.show_glossary()
    state.publish()
