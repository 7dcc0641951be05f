"""What stands around every page: turns, style, sidebar, notices, and errors in one sentence."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path

import streamlit as st

from dpcore.figures import DARK, LIGHT
from dpcore.figures.roc_panels import MOST_METHODS, method_styles
from dpcore.figures.theme import channels
from pages.session import memory, mode, open_data, state
from pages.session.page_list import FIRST
from pages.session.text import said
from pages.shell import guide, wrong_mode
from pages.widgets import budget_meter, cards, forms, plot, private_data, uploads
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
_printing = plot.component("printing", _FOLDER, html=_PLACE, css=style_of_paper())


def prepare(page: str) -> None:
    """Let the browser know what it cannot see, before somebody prints the page."""
    colours = on_paper() if state.theme() is DARK else {}
    told = {"colours": colours, "of_records": open_data.is_shown(page)}
    _printing(key="printing", data=told, height=0)


# Now, while what the imports made is all there is: server.py imports this before anybody comes.
memory.set_apart()

# While one of these waits for the browser or reads a file, another computes.
AT_ONCE = os.cpu_count() or 1
# Seconds after which a page that still draws, as a long view does, is in nobody's way.
SHORT = 1.0


class Turns:
    """Visitors who come together are served one after the other, and soon: so many at once.

    Forty pages drawn at the same time end together, late, and each holds all that it has made until
    then: the pools of Python grow by what nobody needs afterwards, and are never whole again. Only
    those count that began a short time ago.

    Parameters
    ----------
    short
        Seconds: in so many times the length of the queue everybody's turn has come.
    """

    def __init__(self, at_once: int = AT_ONCE, short: float = SHORT) -> None:
        self._at_once, self._short = at_once, short
        self._began: set[tuple[float, int]] = set()
        self._changed = threading.Condition()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Wait for a turn, and take it until the block ends."""
        with self._changed:
            while (wait := self._wait()) > 0.0:
                self._changed.wait(wait)
            mine = time.monotonic(), threading.get_ident()
            self._began.add(mine)
        try:
            yield
        finally:
            with self._changed:
                self._began.discard(mine)
                self._changed.notify()

    def _wait(self) -> float:
        """Seconds until a turn is free for certain; none if one is free now."""
        recent = sorted(began for began, _ in self._began)[-self._at_once :]
        full = len(recent) == self._at_once
        return recent[0] + self._short - time.monotonic() if full else 0.0


TURNS = Turns()

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
    """Run a page beneath its heading; whatever dpcore refuses becomes one sentence.

    Parameters
    ----------
    private
        What is done on this page in Private mode alone. One that does not say so is closed there:
        it was written to show what it finds.
    """
    if not st.session_state.pop(mode.OPENED, False):
        open_page()
        st.session_state.pop(mode.OPENED)
    with calm(), uploads.door():
        if mode.is_private() is bool(private):
            cards.heading(st.session_state[state.PAGE] or FIRST)
            body()
        elif private:
            wrong_mode.in_teach_mode(private)
        else:
            wrong_mode.in_private_mode()
    guide.show_glossary()
    state.publish()
