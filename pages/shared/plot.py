"""Figures on a page, drawn so that they move without blinking."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
import streamlit.components.v1 as served

from dpcore.figures import Picture, plotly_folder
from pages.shared import state

# Serves the drawing library that Plotly's own package brings; nothing comes from the network.
_LIBRARY = served.declare_component("plotly", path=str(plotly_folder()))
_draw = st.components.v2.component(
    "figure",
    html='<div class="dpcore-frame"><div class="dpcore-figure" role="img"></div></div>',
    css=".dpcore-frame { container-type: inline-size; } .dpcore-figure { width: 100%; }",
    js=(Path(__file__).parent / "plot.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def show(picture: Picture, *, key: str) -> None:
    """Draw a figure; under the same key the next one moves into its place."""
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
        },
        # The browser asks for a run with the other colours; there is nothing else to do.
        on_theme_change=lambda: None,
    )
