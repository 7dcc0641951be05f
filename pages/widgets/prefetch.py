"""Figures at the stops of sliders, computed while the visitor looks at the present ones.

Some figures take too long to be drawn at every stop before the page is done. They are drawn in
small pieces instead, the nearest stop of each slider first; a stop that is not there yet is drawn
when the slider is let go, as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from time import monotonic

import streamlit as st

from dpcore.curves import Progress
from dpcore.figures import Picture
from pages.session import mode
from pages.widgets import figure as plot
from pages.widgets import slider_frames

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


def follow(sliders: Sequence[Ahead]) -> None:
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
            one.label: (slider_frames.as_json(_drawn(one)), len(_drawn(one)) == len(one.draws))
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
