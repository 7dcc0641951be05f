"""A control that was just forgotten may report its own change in the same run: nothing happens."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest


def _report(call: str) -> AppTest:
    """Run one callback while no control stands, and keep the choices before and after."""

    def script(call: str) -> None:
        import streamlit as st

        from pages.session import state
        from pages.widgets import budget_meter, forms

        before = dict(state.chosen())
        {
            "take": lambda: state.choice_from_widget("audit_trials"),
            "flag": lambda: state.flag_from_widget("roc_population"),
            "list": lambda: state.list_from_widget("model_methods", ("a",)),
            "share": lambda: budget_meter._move("selection", ("selection", "training")),
            "total": lambda: budget_meter._scale(1),
            "rule": lambda: forms._change_rule("select rule", ("top_k", "threshold")),
        }[call]()
        st.session_state["same"] = dict(state.chosen()) == before

    return AppTest.from_function(script, kwargs={"call": call}).run()


@pytest.mark.parametrize("call", ["take", "flag", "list", "share", "total", "rule"])
def test_a_forgotten_control_changes_nothing(call: str) -> None:
    page = _report(call)
    assert not page.exception
    assert page.session_state["same"]
