"""A figure at every stop of a slider, so that it moves while the slider is dragged."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter
from time import monotonic, thread_time
from typing import Any

import streamlit as st

from dpcore.curves import Progress
from dpcore.figures import Picture
from dpcore.figures.picture import frames_between
from dpcore.privacy import shown
from pages.session import mode
from pages.widgets import forms, plot

KEPT = "stops drawn ahead"

# Seconds from one piece to the next, and seconds of work in each.
EVERY, PIECE = 1.0, 0.4


class _Enough(Exception):
    """The piece is over; whatever was computed is kept."""


@dataclass(frozen=True)
class Ahead:
    """A slider of a figure by its label, what draws each stop, and what else the figure takes.

    Attributes
    ----------
    figure, label : str
    draws : mapping of str to callable
        By the text of the stop. Each is passed what it may report its progress to; that raises when
        the piece is over.
    fits : tuple
    """

    figure: str
    label: str
    draws: Mapping[str, Callable[[Progress], Picture]]
    fits: tuple[object, ...]


def prefetch(sliders: Sequence[Ahead]) -> None:
    """Draw a piece now, and more as long as stops are missing; call after the figures."""
    _draw(sliders)
    st.fragment(_show, run_every=EVERY if _missing(sliders) else None)(sliders, iter([True]))


def _drawn(slider: Ahead) -> dict[str, Picture]:
    """Its stops so far."""
    kept = st.session_state.setdefault(KEPT, {})
    place = slider.figure, slider.label
    if place not in kept or kept[place][0] != slider.fits:
        kept[place] = slider.fits, {}
    pictures: dict[str, Picture] = kept[place][1]
    return pictures


def _missing(sliders: Sequence[Ahead]) -> list[tuple[Ahead, str]]:
    """First the nearest stop of each slider, then the next of each."""
    found = [
        (rank, one, text)
        for one in sliders
        for rank, text in enumerate(one.draws)
        if text not in _drawn(one)
    ]
    return [(one, text) for _, one, text in sorted(found, key=itemgetter(0))]


def _show(sliders: Sequence[Ahead], is_drawn: Iterator[bool]) -> None:
    """All stops so far to the browser; later a piece more each time, until none is missing."""
    if mode.is_private():
        return
    # A fragment runs at once, as part of a run that has had its piece.
    later = not next(is_drawn, False)
    if later:
        _draw(sliders)
    for figure in dict.fromkeys(one.figure for one in sliders):
        texts = {
            one.label: (of_pictures(_drawn(one)), len(_drawn(one)) == len(one.draws))
            for one in sliders
            if one.figure == figure
        }
        # Where all stops look alike there is nothing to wait for.
        waiting = {label: text for label, (text, whole) in texts.items() if text or not whole}
        plot.follow(waiting, figure=figure)
    if later and not _missing(sliders):
        # Only a run of the whole page ends the asking for the next piece.
        st.rerun()


def _draw(sliders: Sequence[Ahead]) -> None:
    """Some more stops."""
    if mode.is_private():
        return
    deadline = monotonic() + PIECE

    def report(_: float) -> None:
        if monotonic() > deadline:
            raise _Enough

    try:
        for one, text in _missing(sliders):
            report(0.0)
            _drawn(one)[text] = one.draws[text](report)
    except _Enough:
        pass


# Figures that take longer than this are drawn when the slider is let go, as ever. In seconds of the
# processor: how busy the server is should not decide what follows.
PATIENCE = 4.0

# Sliders of which the frames are kept for all visitors, a quarter of a megabyte each at most.
MOST = 32


def as_json(frames: list[dict[str, Any]] | dict[str, Any]) -> str:
    """Frames as text, or one; nothing if there are none."""
    return json.dumps(frames, separators=(",", ":")) if frames else ""


def of_pictures(pictures: Mapping[str, Picture]) -> str:
    """Frames of several pictures, as text; nothing where they look alike."""
    return as_json(frames_between(pictures))


def one_by_one(frames: Mapping[str, str]) -> str:
    """Frames of which each was written as JSON when it was drawn: it takes the memory of one."""
    return f"[{','.join(frames.values())}]" if frames else ""


@dataclass(frozen=True)
class Slider:
    """A slider by its label, the texts of its stops, and the figure at one of them.

    `fits` is all else that the figure depends on; `frames` writes what `draw` gave at all stops as
    JSON for the browser.
    """

    label: str
    texts: Sequence[str]
    draw: Callable[[str], Any]
    fits: tuple[object, ...]
    frames: Callable[[Mapping[str, Any]], str] = of_pictures


def of_fractions(
    name: str,
    draw: Callable[[Fraction], Picture],
    *fits: object,
    stops: Sequence[Fraction] = forms.EPSILON_GRID,
    words: Callable[[Fraction], str] = shown,
) -> Slider:
    """A slider of exact numbers by the name of its choice, such as epsilon; how it writes them."""
    stop_of = {words(stop): stop for stop in stops}
    return Slider(forms.label_of(name), list(stop_of), lambda text: draw(stop_of[text]), fits)


def follow(figure: str, *sliders: Slider, public: bool = False) -> None:
    """Send the browser the figure at every stop of some sliders; call after the figure itself.

    What is `public`, of a sample and seeded noise alone, is drawn for one visitor and sent to all:
    `fits` must then say in its `repr` all that the figure depends on.
    """
    place = f"stops of {figure}"
    kept = st.session_state.get(place, {})
    here = {}
    for slider in sliders:
        known = kept.get(slider.label)
        if known is None or known[0] != slider.fits:
            asked = repr((figure, slider.label, slider.texts, slider.fits))
            known = slider.fits, _of_everybody(asked, slider) if public else _frames(slider)
            if public and not known[1]:
                # It took too long for now, which is nothing to keep.
                _of_everybody.clear(asked, slider)
        here[slider.label] = known
    st.session_state[place] = here
    plot.follow({label: text for label, (_, text) in here.items() if text}, figure=figure)


@st.cache_resource(max_entries=MOST, show_spinner=False)
def _of_everybody(asked: str, _slider: Slider) -> str:
    """What was drawn for this visitor or another one, by what was asked; the oldest goes first."""
    return _frames(_slider)


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
    return slider.frames(pictures)
