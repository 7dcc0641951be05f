"""What goes wrong on a page is one sentence, and the address follows the choices all the same."""

from __future__ import annotations

import gc
import logging

import pytest
from streamlit.testing.v1 import AppTest

from pages.widgets import fragments
from tests.app.opening import sentences


def refused_by_dpcore() -> None:
    from dpcore.errors import InvalidArgument
    from pages.shell import page_shell

    def body() -> None:
        raise InvalidArgument("epsilon", -1, "positive")

    page_shell.run(body)


def unexpected() -> None:
    from pages.shell import page_shell

    def body() -> None:
        raise ZeroDivisionError("with 4,711 private records")

    page_shell.run(body)


def unexpected_in_a_fragment() -> None:
    from pages.shell import page_shell
    from pages.widgets import fragments

    @fragments.fragment
    def part() -> None:
        raise KeyError("secret")

    page_shell.run(part)


def stopped() -> None:
    import streamlit as st

    from pages.shell import page_shell

    def body() -> None:
        st.write("before")
        st.stop()

    page_shell.run(body)


def opened(script: object) -> AppTest:
    return AppTest.from_function(script, default_timeout=60).run()


def test_a_refusal_is_shown_as_it_is() -> None:
    app = opened(refused_by_dpcore)
    assert sentences(app) == ["Epsilon must be positive, got -1."]
    assert app.query_params["epsilon"] == "1"


@pytest.mark.parametrize(
    "script, name", [(unexpected, "ZeroDivisionError"), (unexpected_in_a_fragment, "KeyError")]
)
def test_the_unexpected_names_its_kind_and_no_value(
    script: object, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        app = opened(script)
    assert list(app.exception) == []
    (sentence,) = sentences(app)
    assert name in sentence
    assert "4,711" not in sentence
    assert "secret" not in sentence
    assert name in caplog.text


def test_streamlits_own_control_flow_passes() -> None:
    app = opened(stopped)
    assert sentences(app) == []
    assert "before" in [element.value for element in app.main.markdown]


def test_what_the_imports_made_is_out_of_the_collectors_way() -> None:
    assert fragments.METER
    assert gc.get_freeze_count() > 100_000


def test_a_page_alone_brings_its_sidebar() -> None:
    app = opened(stopped)
    assert "Teach mode" in app.sidebar.markdown[0].value
