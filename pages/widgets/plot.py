"""Figures on a page, drawn so that they move without blinking."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from dpcore.figures.picture import Picture
from pages.session import page_list, state

_FOLDER = Path(__file__).parent
_HTML = (_FOLDER / "plot.html").read_text(encoding="utf-8")
_DRAWERS: dict[str, Any] = {}


def component(
    name: str, folder: Path = _FOLDER, *, html: str = "", scripts: Sequence[str] = (), css: str = ""
) -> Any:
    """A part of a page that runs in the browser, of the files of its name if nothing else is said.

    Without HTML it is a place that nobody sees.
    """
    js = [(folder / one).read_text(encoding="utf-8") for one in scripts or (f"{name}.js",)]
    place = html or f'<div class="dpcore-{name}"></div>'
    told = {"html": place, "css": css or None, "js": "".join(js), "isolate_styles": False}
    return st.components.v2.component(name, **told)


_drag = component("drag")


def _drawer(key: str, picture: Picture, tall: bool) -> Any:
    """What draws the figure of that key.

    Each has its own, because only its HTML can keep the place free before anything has run in the
    browser: words beneath a figure would jump. A figure that changes its height later says so.
    """
    if key not in _DRAWERS:
        height = f"height: {_height(picture, tall)}"
        name = f"figure-{re.sub('[^a-z0-9]+', '-', key.lower())}"
        html = _HTML.replace('role="img"', f'role="img" style="{height}"')
        css, scripts = (_FOLDER / "plot.css").read_text(encoding="utf-8"), ("save.js", "plot.js")
        _DRAWERS[key] = component(name, html=html, css=css, scripts=scripts)
    return _DRAWERS[key]


def _height(picture: Picture, tall: bool) -> str:
    """As much as it wants, and there is."""
    most = "" if tall else ", var(--dpcore-most)"
    return f"min({picture.height}px, {100 * picture.aspect:g}cqi{most})"


def show(
    picture: Picture,
    *,
    key: str,
    tall: bool = False,
    at: int | None = None,
    on_step: Callable[[int], None] | None = None,
    button: str = "",
    on_press: Callable[[], None] | None = None,
    beside: tuple[str, str, str] | None = None,
) -> None:
    """Draw a figure; under the same key the next one moves into its place.

    It is no higher than a screen has room for, unless it is a `tall` one, such as a list of bars.
    A picture with frames gets buttons to play and to step through them. With `on_step` the page is
    told which frame somebody stepped to, and `at` is the frame that the picture itself shows.
    A `button` stands with those that save it. `beside` is the key of a figure that is saved with
    it, and what stands above either then.
    """
    _drawer(key, picture, tall)(
        key=key,
        data={
            **vars(picture),
            "library": page_list.library(),
            "config": picture.config(),
            "place": _height(picture, tall),
            "page": state.theme().page,
            "at": at,
            "key": key,
            "button": button,
            "beside": beside,
        },
        # The browser asks for a run with the other colours; there is nothing else to do.
        on_theme_change=lambda: None,
        on_press_change=lambda: on_press and on_press(),
        on_step_change=lambda: on_step and on_step(int(st.session_state[key]["step"])),
    )


def follow(sliders: Mapping[str, str], *, figure: str) -> None:
    """Let a figure move while a slider is dragged, before the server knows.

    Parameters
    ----------
    sliders
        Frames as JSON by the label of their slider; each frame is named by the text of its stop.
    figure
        The key of the figure.
    """
    _drag(key=f"{figure} drag", data={"figure": figure, "sliders": dict(sliders)}, height=0)
