"""Pin: a figure stays beside the next one, and what differs between their settings is said."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpcore.desk import Released
from dpcore.errors import DataError, DpcoreError, MissingResource
from dpcore.figures import Picture
from dpcore.privacy import shown
from dpcore.study.python import Expression
from pages.session import open_data, state, study_fields, visit
from pages.session.text import OPTIONS, escape, plain, stated, table
from pages.widgets import cards, forms, long_task, plot, python_code

DRAW, PICTURE = "what draws the figure of the page", "pinned picture"
RELEASE = visit.outlives_reload("pinned release")
# A figure of some choices, or one that takes a while: the work, and what draws it so far.
Drawn = Picture | tuple[long_task.Task, Callable[[], Picture | None]]
CHANGED = "something was pinned or let go"
_RATIO = re.compile(r"\d+/\d+")
# What choices are called, where their own name does not say it.
NAMES: dict[str, str] = table(Path(__file__).with_name("pin.toml"))


def frame(draw: Callable[[], Drawn | None]) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Places of the figure and of what stands at its side; two figures need the width of both.

    `draw` draws the figure of the present choices, if there is one: of a pinned setting that a link
    brought, or in the colours of another theme. It draws no control.
    """
    st.session_state[DRAW] = draw
    if state.pinned() is None:
        figure, side = st.columns([5, 2], gap="large")
        return figure, side
    return st.container(key="pinned"), st.container()


def show(picture: Picture, *, key: str, **how: Any) -> None:
    """Draw the figure of a page, as `plot.show` does, and the pinned one beside it."""
    _run_again()
    kept = state.pinned()
    if kept is None:
        plot.show(picture, key=key, button="Pin", on_press=_pin, **how)
        return
    try:
        pinned = _drawn(kept)
    except DpcoreError as error:
        _let_go()
        state.notice(f"The pinned figure cannot be drawn, and is let go: {error}.")
        st.rerun()
    page, choices = kept.page, (kept.choices, dict(state.chosen()))
    then, now = (study_fields.difference(*pair, page) for pair in (choices, choices[::-1]))
    st.html(f'<p class="dpcore-pinned" role="status">{escape(sentence(page, then, now))}</p>')
    _side_by_side((picture, told(page, now)), (pinned, told(page, then)), key, _unpin, **how)


def grow(ask: Callable[[], long_task.Growth]) -> tuple[Any, ...]:
    """All of a figure that takes a while, or what it lacks; returns it, and what is complete."""
    try:
        growth = ask()
    except MissingResource as error:
        st.info(plain(stated(error)))
        return ()

    def draw(plan: object, found: object) -> None:
        sentence = growth.headline(plan, found)
        cards.headline(sentence if plan == growth.plans[-1] else f"So far: {sentence}")
        show(growth.picture(plan, found), key=growth.name)
        st.html(growth.table(plan, found))

    found = long_task.run(growth, draw)
    python_code.show(growth.code, growth.config)
    return (growth, *found) if found else ()


def show_release(release: Released) -> None:
    """The figure of a stored release, and beside it that of another one which is pinned.

    Both are drawn of what has been published: a pin reads no record, and charges nothing.
    """
    theme = state.theme()
    if (picture := release.picture(theme)) is None:
        return
    kept: Released | None = st.session_state.get(RELEASE)
    key = f"released {release.kind.name}"
    pinned = None
    if kept is not None and kept.kind.name == release.kind.name:
        pinned = kept.picture(theme)
    let_go, keep = (partial(st.session_state.update, {RELEASE: one}) for one in (None, release))
    if kept is None or pinned is None:
        plot.show(picture, key=key, button="Pin", on_press=keep)
    elif kept.request_id == release.request_id:
        plot.show(picture, key=key, button="Unpin", on_press=let_go)
    else:
        _side_by_side((picture, release.headline), (pinned, kept.headline), key, let_go)
    needs = f"{release.name}.json, which the release desk and the Ledger page save"
    lines = partial(python_code.written, "stored release", name=Expression(release.name))
    python_code.show(lines, needs=needs, key="python release")


def _side_by_side(
    now: tuple[Picture, str],
    pinned: tuple[Drawn, str],
    key: str,
    let_go: Callable[[], None],
    **how: Any,
) -> None:
    """Two figures, each under what is so in its setting; on a telephone one below the other."""
    words = (f"Now: {now[1]}".removesuffix(": "), f"Pinned: {pinned[1]}".removesuffix(": "))
    places = (name := f"{key} pinned"), *words
    # What is pinned stands still.
    still = {"key": name, "button": "Unpin", "on_press": let_go}
    left, right = cards.pair(name, gap="medium")
    with left:
        st.html(f'<p class="dpcore-pinned">{escape(places[1])}</p>')
        plot.show(now[0], key=key, beside=places, **how)
    with right:
        st.html(f'<p class="dpcore-pinned">{escape(places[2])}</p>')
        _as_far_as_it_is(pinned[0], name, lambda one: plot.show(replace(one, frames=[]), **still))


def _as_far_as_it_is(drawn: Drawn, name: str, show: Callable[[Picture], None]) -> None:
    """Show a figure; one that takes a while grows."""
    if isinstance(drawn, Picture):
        show(drawn)
        return
    task, picture = drawn

    def grown() -> None:
        _run_again()
        long_task.bar(name, task)
        if found := picture():
            show(found)

    long_task.watch(task, grown)


def growing(growth: long_task.Growth) -> Drawn:
    """A figure that takes a while, as what is pinned of it."""
    task = growth.task()
    return task, lambda: growth.picture(*found) if (found := long_task.complete(task)) else None


def _pin() -> None:
    """Keep the setting. Its figure is drawn again: a session would hold one for every press."""
    state.pin(open_data.current().key)
    st.session_state[CHANGED] = True


def _run_again() -> None:
    """The frame of the page is another one once something is pinned or let go."""
    if st.session_state.pop(CHANGED, False):
        st.rerun()


def _unpin() -> None:
    _let_go()
    st.session_state[CHANGED] = True


def _let_go() -> None:
    state.unpin()
    st.session_state.pop(PICTURE, None)


def _drawn(kept: state.Pinned) -> Drawn:
    """The figure of the pinned setting, which stays while the other one moves."""
    draw: Callable[[], Drawn | None] = st.session_state[DRAW]
    with state.supposing(kept.choices):
        upload = state.chosen()["data"] == study_fields.UPLOAD
        gone = upload and study_fields.UPLOAD not in st.session_state
        gone = gone or kept.records not in ("", open_data.current().key)
        if gone and open_data.is_shown(kept.page):
            raise DataError("it shows records that are no longer open", remedy="pin another one")
        drawn = state.cached(PICTURE, lambda *_: draw(), kept, state.theme().name)
    if drawn is None:
        raise MissingResource("that setting has no figure here", "pin another one")
    return drawn


def told(page: str, values: Mapping[str, str]) -> str:
    """A setting in words, so far as it is another one.

    Examples
    --------
    >>> told("ecdf", {"ecdf_epsilon": "0.25", "ecdf_method": "flat"})
    'epsilon of the score curves 0.25; method “Flat histogram”'
    """
    return "; ".join(f"{_name(page, name)} {_value(name, text)}" for name, text in values.items())


def sentence(page: str, pinned: Mapping[str, str], now: Mapping[str, str]) -> str:
    """What differs between the pinned setting and the present one.

    Examples
    --------
    >>> print(sentence("roc", {"epsilon": "1"}, {"epsilon": "0.25"}))
    Pinned \N{RIGHTWARDS ARROW} now: epsilon of the ROC curve 1 \N{RIGHTWARDS ARROW} 0.25.
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
    """What its control calls a choice."""
    if label := NAMES.get(name) or forms.WORDS.get(name, {}).get("label"):
        return f"{label[:1].lower()}{label[1:]}"
    for prefix in (f"{page}_", *filter(None, study_fields.PREFIXES.values())):
        name = name.removeprefix(prefix)
    return name.replace("_", " ")


def _value(name: str, text: str) -> str:
    """What is chosen, in the words of its control."""
    known = study_fields.WORDS.get(name) or OPTIONS.get(name)
    words = known() if callable(known) else known
    if _RATIO.fullmatch(text):
        # An exact share of a total, as the sliders write it.
        return shown(Fraction(text))
    if text.isdecimal():
        return f"{int(text):,}"
    if not text:
        return "as usual" if name in study_fields.DEFAULTS else "none"
    return ", ".join(map(partial(_word, words), text.split(",")))


def _word(words: object, text: str) -> str:
    """One of a few words, or of some methods."""
    if not isinstance(words, Mapping) or text not in words:
        return text.replace("-", " ").replace("_", " ")
    said = words[text]
    return f"“{said if isinstance(said, str) else said.title}”"
