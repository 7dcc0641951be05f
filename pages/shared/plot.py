"""Figures on a page, drawn so that they move without blinking."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st
import streamlit.components.v1 as served

from dpcore.figures import Picture, plotly_folder
from pages.shared import state

# Serves the drawing library that Plotly's own package brings; nothing comes from the network.
_LIBRARY = served.declare_component("plotly", path=str(plotly_folder()))
_FOLDER = Path(__file__).parent
_draw = st.components.v2.component(
    "figure",
    html=(_FOLDER / "plot.html").read_text(encoding="utf-8"),
    css=(_FOLDER / "plot.css").read_text(encoding="utf-8"),
    js=(_FOLDER / "plot.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)
_drag = st.components.v2.component(
    "drag",
    html='<div class="dpcore-drag"></div>',
    js=(_FOLDER / "drag.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def show(
    picture: Picture,
    *,
    key: str,
    at: int | None = None,
    on_step: Callable[[int], None] | None = None,
) -> None:
    """Draw a figure; under the same key the next one moves into its place.

    A picture with frames gets buttons to play and to step through them. With `on_step` the page is
    told which frame somebody stepped to, and `at` is the frame that the picture itself shows.
    """
    _draw(
        key=key,
        data={
            "library": f"component/{_LIBRARY.name}/plotly.min.js",
            "data": picture.data,
            "layout": picture.layout,
            "config": picture.config(),
            "alt": picture.alt,
            "height": picture.height,
            "aspect": picture.aspect,
            "page": state.theme().page,
            "frames": picture.frames,
            "at": at,
            "key": key,
        },
        # The browser asks for a run with the other colours; there is nothing else to do.
        on_theme_change=lambda: None,
        on_step_change=lambda: on_step and on_step(int(st.session_state[key]["step"])),
    )


def follow(sliders: Mapping[str, str], *, figure: str) -> None:
    """Let a figure move while a slider is dragged, before the server knows.

    Parameters
    ----------
    sliders : mapping of str to str
        Frames as JSON by the label of their slider; each frame is named by the text of its stop.
    figure : str
        The key of the figure.
    """
    _drag(key=f"{figure} drag", data={"figure": figure, "sliders": dict(sliders)}, height=0)
