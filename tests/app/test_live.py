"""Figures that take a while: what is stopped stays stopped until something changes."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from pages.widgets import long_task


def script(fits: str) -> None:
    import streamlit as st

    from dpcore.curves import fill
    from pages.widgets import long_task

    def study(kept, progress):  # type: ignore[no-untyped-def]
        return fill({(fits, place): lambda place=place: place for place in range(3)}, kept=kept,
                    progress=progress)  # fmt: skip

    found = long_task.run("numbers", fits, study)
    st.text("nothing" if found is None else str(sum(found.values())))


def opened(fits: str, **kept: object) -> AppTest:
    app = AppTest.from_function(script, args=(fits,))
    for name, value in kept.items():
        app.session_state[name] = value
    return app.run()


def test_a_study_runs_and_its_cells_stay() -> None:
    app = opened("a")
    assert app.text[0].value == "3"
    assert app.session_state[long_task.CELLS] == {("a", 0): 0, ("a", 1): 1, ("a", 2): 2}


def test_what_was_stopped_goes_on_when_asked() -> None:
    app = opened("a", **{long_task.STOPPED: {"numbers": "a"}})
    assert app.text[0].value == "nothing"
    assert "Stopped" in app.info[0].value
    app.button(key="go on numbers").click().run()
    assert app.text[0].value == "3"
    assert len(app.info) == 0


def test_another_choice_starts_a_stopped_one() -> None:
    app = opened("b", **{long_task.STOPPED: {"numbers": "a"}})
    assert app.text[0].value == "3"


def test_the_store_of_cells_does_not_grow_without_end() -> None:
    full = {place: place for place in range(long_task.MOST_CELLS + 1)}
    app = opened("a", **{long_task.CELLS: full})
    assert len(app.session_state[long_task.CELLS]) == 3


def test_the_bar_has_a_way_out(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(long_task, "PATIENCE", -1.0)
    bars = []
    kept = long_task._bar
    monkeypatch.setattr(long_task, "_bar", lambda *told: bars.append(told) or kept(*told))
    app = opened("a")
    assert len(bars) == 1
    assert app.text[0].value == "3"
    assert len(app.button) == 0
