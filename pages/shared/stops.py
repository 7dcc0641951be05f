"""A figure at every stop of an epsilon slider, so that it moves while the slider is dragged."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from time import monotonic

import streamlit as st

from dpcore.figures import Picture
from dpcore.figures.frames import frames_between
from dpcore.privacy.loss import shown
from pages.shared import forms, plot

# Figures that take longer than this, in seconds, are drawn when the slider is let go, as ever.
PATIENCE = 4.0


def follow(
    slider: str, draw: Callable[[Fraction], Picture], *, figure: str, fits: tuple[object, ...]
) -> None:
    """Send the browser every stop's figure; call after the figure itself.

    Parameters
    ----------
    slider : str
        Its label.
    draw : callable
        Draws the figure at an epsilon.
    figure : str
        Its key.
    fits : tuple
        All that the figure depends on, other than epsilon.
    """
    place = f"stops of {figure}"
    kept = st.session_state.get(place)
    if kept is None or kept[0] != fits:
        kept = st.session_state[place] = fits, _frames(draw)
    plot.follow({slider: kept[1]} if kept[1] else {}, figure=figure)


def _frames(draw: Callable[[Fraction], Picture]) -> str:
    """All figures as frames in JSON; nothing if they take too long."""
    deadline, place = monotonic() + PATIENCE, st.empty()
    pictures = {}
    for epsilon in forms.EPSILON_GRID:
        if monotonic() > deadline:
            return ""
        pictures[shown(epsilon)] = draw(epsilon)
        # A call of Streamlit lets a move of a slider, which is more urgent, end this run.
        place.empty()
    found = frames_between(pictures)
    return json.dumps(found, separators=(",", ":")) if found else ""
