"""The guided first visit: five short steps in a corner, which can be skipped at any of them."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from pages.session import mode
from pages.session.text import escape, piece, table
from pages.widgets import badges, cards, plot

# Of each its meaning, and a formula.
WORDS = {
    name: cards.words_of("shell", name)
    for name in ("Epsilon", "Sensitivity", "Neighbours", "Composition", "Rates")
}


def show_glossary() -> None:
    """A row of words at the foot of a page, and all other terms behind one."""
    with st.container(horizontal=True, gap="small", key="glossary"):
        for name, (meaning, formula) in WORDS.items():
            with st.popover(name, type="tertiary", icon=":material/dictionary:"):
                st.markdown(f"**{name}**")
                st.latex(formula)
                st.markdown(meaning)
        st.html(glossary())


@cache
def glossary() -> str:
    """HTML of all other terms, in a fold that opens when a link leads to one of them."""
    entries = "".join(
        piece("term", place=badges.place_of(name), name=escape(name), meaning=escape(meaning))
        for name, meaning in badges.TERMS.items()
    )
    return piece("glossary", entries=entries)


_FOLDER = Path(__file__).parent

_HTML, _CSS = (_FOLDER / name for name in ("guide.html", "guide.css"))
_guide = plot.component(
    "guide", _FOLDER, html=_HTML.read_text(encoding="utf-8"), css=_CSS.read_text(encoding="utf-8")
)


class Step(NamedTuple):
    """One step: its page ("" is the overview), what the button to it says, and the words.

    What stands at the place `about`, a CSS selector, comes into sight.
    """

    page: str
    name: str
    title: str
    words: str
    about: str = ""


STEPS = tuple(Step(**step) for step in table(_FOLDER / "guide.toml")["step"])


def show(page: str) -> None:
    """Guide a first visit through Teach mode; in Private mode there is nothing to try out."""
    steps = () if mode.is_private() else filter(lambda step: mode.shows(step.page), STEPS)
    _guide(key="guide", data={"steps": [step._asdict() for step in steps], "page": page}, height=0)


def invitation() -> None:
    """A button that begins the guide again; the browser hears it, the server need not."""
    st.html('<button type="button" class="dpcore-again" data-guide="again">Guided visit</button>')
