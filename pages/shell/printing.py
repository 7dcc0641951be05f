"""The page on paper: its data and choices are said above it, and its colours suit white."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path

import streamlit as st

from dpcore.figures import DARK, LIGHT
from dpcore.figures.roc_methods import MOST_METHODS, method_styles
from pages.session import state

# What these pages show is about data of their own, not about those that are open.
WITHOUT_RECORDS = ("audit", "reproductions", "reusable_holdout", "sparse_vector_lab")
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
        f'{_DARK_FIGURE} [style*="{what}: {_written(dark)}"] {{ {what}: {light} !important; }}'
        for dark, light in on_paper().items()
        for what in ("fill", "stroke")
    ]
    return "@media print {\n" + "\n".join(rules) + "\n}\n"


def _written(colour: str) -> str:
    """A colour as browsers write it into the style of an element."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


_hand_out = st.components.v2.component(
    "hand-out",
    html='<div class="dpcore-for-paper"></div>',
    css=style_of_paper(),
    js=(Path(__file__).parent / "hand_out.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def prepare(page: str) -> None:
    """Let the browser know what it cannot see, before somebody prints the page."""
    _hand_out(
        key="hand-out",
        data={
            "colours": on_paper() if state.theme() is DARK else {},
            "of_records": page not in WITHOUT_RECORDS,
        },
        height=0,
    )
