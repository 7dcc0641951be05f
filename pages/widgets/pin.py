"""Pin: a figure stays beside the next one, and what differs between their settings is said."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpcore.data.reading import samples
from dpcore.desk import Released
from dpcore.errors import DataError, DpcoreError
from dpcore.figures import Picture
from dpcore.privacy import shown
from pages.session import open_data, state, study_fields, visit
from pages.session.text import escape, table
from pages.widgets import figure as plot

PICTURE, RELEASE = "pinned picture", visit.outlives_reload("pinned release")
CHANGED = "something was pinned or let go"
_RATIO = re.compile(r"\d+/\d+")
# What choices are called, where their own name does not say it.
NAMES: dict[str, str] = table(Path(__file__).with_name("pin.toml"))


def frame() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Places of the figure and of what stands at its side; two figures need the width of both."""
    if state.pinned() is None:
        figure, side = st.columns([5, 2], gap="large")
        return figure, side
    return st.container(), st.container()


def show(picture: Picture, *, key: str, draw: Callable[[], Picture]) -> None:
    """Draw a figure that can be pinned, and the pinned one beside it.

    `draw` draws the figure of the present choices: of a pinned setting that a link brought, or in
    the colours of another theme. It draws no control.
    """
    if st.session_state.pop(CHANGED, False):
        # The frame of the page is another one now.
        st.rerun()
    kept = state.pinned()
    if kept is None:
        plot.show(picture, key=key, button="Pin", on_press=_pin)
        return
    try:
        pinned = _drawn(kept, draw)
    except DpcoreError as error:
        _let_go()
        state.notice(f"The pinned figure cannot be drawn, and is let go: {error}.")
        st.rerun()
    page, choices = kept.page, (kept.choices, dict(state.chosen()))
    then, now = (study_fields.difference(*pair, page) for pair in (choices, choices[::-1]))
    st.html(f'<p class="dpcore-pinned" role="status">{escape(sentence(page, then, now))}</p>')
    _side_by_side((picture, told(page, now)), (pinned, told(page, then)), key, _unpin)


def show_release(release: Released) -> None:
    """The figure of a stored release, and beside it that of another one which is pinned.

    Both are drawn of what has been published: a pin reads no record, and charges nothing.
    """
    draw, theme = release.kind.picture, state.theme()
    picture = None if draw is None else draw(release.found, theme)
    if draw is None or picture is None:
        return
    kept: Released | None = st.session_state.get(RELEASE)
    key = f"released {release.kind.name}"
    pinned = None
    if kept is not None and kept.kind.name == release.kind.name:
        pinned = draw(kept.found, theme)
    if kept is None or pinned is None:
        plot.show(picture, key=key, button="Pin", on_press=partial(_pin_release, release))
    elif kept.request_id == release.request_id:
        plot.show(picture, key=key, button="Unpin", on_press=partial(_pin_release, None))
    else:
        shown = (picture, release.headline), (pinned, kept.headline)
        _side_by_side(*shown, key, partial(_pin_release, None))


def _side_by_side(
    now: tuple[Picture, str], pinned: tuple[Picture, str], key: str, let_go: Callable[[], None]
) -> None:
    """Two figures, each under what is so in its setting; on a telephone one below the other."""
    words = (f"Now: {now[1]}".removesuffix(": "), f"Pinned: {pinned[1]}".removesuffix(": "))
    places = (name := f"{key} pinned"), *words
    left, right = st.columns(2, gap="medium")
    with left:
        st.html(f'<p class="dpcore-pinned">{escape(places[1])}</p>')
        plot.show(now[0], key=key, beside=places)
    with right:
        st.html(f'<p class="dpcore-pinned">{escape(places[2])}</p>')
        plot.show(pinned[0], key=name, button="Unpin", on_press=let_go)


def _pin_release(release: Released | None) -> None:
    st.session_state[RELEASE] = release


def _pin() -> None:
    """Keep the setting. Its figure is drawn again: a session would hold one for every press."""
    state.pin(open_data.current().key)
    st.session_state[CHANGED] = True


def _unpin() -> None:
    _let_go()
    st.session_state[CHANGED] = True


def _let_go() -> None:
    state.unpin()
    st.session_state.pop(PICTURE, None)


def _drawn(kept: state.Pinned, draw: Callable[[], Picture]) -> Picture:
    """The figure of the pinned setting, which stays while the other one moves."""
    with state.supposing(kept.choices):
        upload = state.chosen()["data"] == study_fields.UPLOAD
        gone = upload and study_fields.UPLOAD not in st.session_state
        if gone or kept.records not in ("", open_data.current().key):
            raise DataError("it shows records that are no longer open", remedy="pin another one")
        return state.cached(PICTURE, lambda *_: draw(), kept, state.theme().name)


def told(page: str, values: Mapping[str, str]) -> str:
    """A setting in words, so far as it is another one.

    Examples
    --------
    >>> told("ecdf", {"ecdf_epsilon": "0.25", "ecdf_method": "noisy-counts"})
    'epsilon 0.25; method noisy counts'
    """
    return "; ".join(f"{_name(page, name)} {_value(name, text)}" for name, text in values.items())


def sentence(page: str, pinned: Mapping[str, str], now: Mapping[str, str]) -> str:
    """What differs between the pinned setting and the present one.

    Examples
    --------
    >>> print(sentence("roc", {"epsilon": "1"}, {"epsilon": "0.25"}))
    Pinned \N{RIGHTWARDS ARROW} now: epsilon 1 \N{RIGHTWARDS ARROW} 0.25.
    """
    if not pinned:
        return "Pinned. Both settings are the same: move a slider, and the difference is said here."
    changes = (
        f"{_name(page, name)} {_value(name, text)} \N{RIGHTWARDS ARROW} "
        f"{_value(name, now.get(name, ''))}"
        for name, text in pinned.items()
    )
    return f"Pinned \N{RIGHTWARDS ARROW} now: {'; '.join(changes)}."


def _name(page: str, name: str) -> str:
    """What a choice is called."""
    if name in NAMES:
        return NAMES[name]
    for prefix in (f"{page}_", *filter(None, study_fields.PREFIXES.values())):
        name = name.removeprefix(prefix)
    return name.replace("_", " ")


def _value(name: str, text: str) -> str:
    """What is chosen, in words."""
    if name == "data":
        return samples()[text].title if text in samples() else "the upload"
    if _RATIO.fullmatch(text):
        # An exact share of a total, as the sliders write it.
        return shown(Fraction(text))
    return text.replace("-", " ").replace("_", " ").replace(",", ", ") or "none"
