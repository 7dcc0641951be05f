"""Figures of stops that are drawn ahead, piece by piece."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from pages.widgets import slider_frames

pytestmark = pytest.mark.stops


def page(count: int) -> None:
    """A figure with two sliders, whose stops report thrice each."""
    import streamlit as st

    from dpcore.figures import Picture
    from pages.widgets import slider_frames

    st.session_state.setdefault("drawn", [])

    def draw(name, text, report):
        for _ in range(3):
            report(0.0)
        st.session_state["drawn"].append(name + text)
        trace = {"type": "scatter", "name": "line", "y": [int(text)]}
        return Picture(name="figure", alt="", layout={}, data=[trace])

    sliders = [
        slider_frames.Ahead(
            "figure",
            name,
            {
                str(at): lambda report, name=name, at=at: draw(name, str(at), report)
                for at in range(count)
            },
            (name,),
        )
        for name in ("a", "b")
    ]
    slider_frames.prefetch(sliders)


def frames(app: AppTest) -> dict[str, list[str]]:
    sent = json.loads(app.get("bidi_component")[0].proto.json)["sliders"]
    return {
        label: [frame["name"] for frame in json.loads(text or "[]")] for label, text in sent.items()
    }


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], AppTest]:
    """The page with so many stops; a piece ends after so many reports."""

    def open_page(count: int, patience: int) -> AppTest:
        monkeypatch.setattr(slider_frames, "monotonic", partial(next, itertools.count()))
        monkeypatch.setattr(slider_frames, "PIECE", patience)
        return AppTest.from_function(page, args=(count,), default_timeout=30).run()

    return open_page


def test_a_piece_takes_the_nearest_stops_of_every_slider_and_the_next_goes_on(
    opened: Callable[[int, int], AppTest],
) -> None:
    app = opened(4, 20)
    assert app.session_state["drawn"] == ["a0", "b0", "a1", "b1", "a2"]
    assert frames(app) == {"a": ["0", "1", "2"], "b": ["0", "1"]}
    seen = 5
    while len(app.session_state["drawn"]) < 8:
        app.run()
        assert len(app.session_state["drawn"]) > seen
        seen = len(app.session_state["drawn"])
    # None of them is drawn twice.
    assert sorted(app.session_state["drawn"]) == ["a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"]
    assert frames(app) == {"a": ["0", "1", "2", "3"], "b": ["0", "1", "2", "3"]}
    app.run()
    assert len(app.session_state["drawn"]) == 8


def test_what_is_quick_is_there_at_once(opened: Callable[[int, int], AppTest]) -> None:
    app = opened(3, 900)
    assert app.exception == []
    assert frames(app) == {"a": ["0", "1", "2"], "b": ["0", "1", "2"]}
