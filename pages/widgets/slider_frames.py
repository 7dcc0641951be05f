"""A figure at every stop of a slider, so that it moves while the slider is dragged."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import thread_time

import streamlit as st

from dpcore.figures import Picture
from dpcore.figures.frames import frames_between
from dpcore.privacy.loss import shown
from pages.widgets import figure as plot
from pages.widgets import forms

# Figures that take longer than this are drawn when the slider is let go, as ever. In seconds of the
# processor: how busy the server is should not decide what follows.
PATIENCE = 4.0


@dataclass(frozen=True)
class Slider:
    """A slider by its label, the texts of its stops, and the figure at one of them.

    `fits` is all else that the figure depends on.
    """

    label: str
    texts: Sequence[str]
    draw: Callable[[str], Picture]
    fits: tuple[object, ...]


def follow(
    slider: str, draw: Callable[[Fraction], Picture], *, figure: str, fits: tuple[object, ...]
) -> None:
    """Send the browser the figure at every epsilon; call after the figure itself.

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
    follow_all([of_epsilon(slider, draw, fits)], figure=figure)


def of_epsilon(label: str, draw: Callable[[Fraction], Picture], fits: tuple[object, ...]) -> Slider:
    """A slider of epsilon."""
    texts = [shown(epsilon) for epsilon in forms.EPSILON_GRID]
    return Slider(label, texts, lambda text: draw(Fraction(text)), fits)


def follow_all(sliders: Sequence[Slider], *, figure: str) -> None:
    """Send the browser the figure at every stop of several sliders; call after the figure."""
    place = f"stops of {figure}"
    kept = st.session_state.get(place, {})
    here = {}
    for slider in sliders:
        known = kept.get(slider.label)
        same = known is not None and known[0] == slider.fits
        here[slider.label] = known if same else (slider.fits, _frames(slider))
    st.session_state[place] = here
    plot.follow({label: text for label, (_, text) in here.items() if text}, figure=figure)


def _frames(slider: Slider) -> str:
    """All figures as frames in JSON; nothing if they take too long."""
    deadline, place = thread_time() + PATIENCE, st.empty()
    pictures = {}
    for text in slider.texts:
        if thread_time() > deadline:
            return ""
        pictures[text] = slider.draw(text)
        # A call of Streamlit lets a move of a slider, which is more urgent, end this run.
        place.empty()
    return as_json(pictures)


def as_json(pictures: Mapping[str, Picture]) -> str:
    """States of one figure as frames; nothing if they cannot be frames of each other."""
    found = frames_between(pictures)
    return json.dumps(found, separators=(",", ":")) if found else ""
