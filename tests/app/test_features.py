"""The features page: what is chosen, and how close it is to the true choice."""

from __future__ import annotations

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.selection import selectors
from tests.app.opening import assert_calm, html, open_page

READERS = sorted(name for name, method in selectors().items() if method.spends)


def open_features(method: str, **more: str) -> AppTest:
    link = {"data": "heart-risk", "select": method, "epsilon__selection": "0.5", **more}
    return open_page("features", **link)


def drawn(app: AppTest) -> dict:
    return json.loads(app.get("bidi_component")[0].proto.json)


@pytest.mark.parametrize("method", READERS)
def test_every_selector_draws_chosen_and_left_out(method: str) -> None:
    rule = selectors()[method].rules[0]
    value = {"top_k": "4", "threshold": "800"}[rule]
    app = open_features(method, **{f"select__{rule}": value})
    assert [error.message for error in app.exception] == []
    assert app.query_params[f"select.{rule}"].startswith(value)
    chosen, left = drawn(app)["data"][:2]
    assert 0 < len(chosen["y"]) + len(left["y"]) <= 10
    said = re.search(r"epsilon 0\.5, (\d+) of the (\d+) chosen", html(app))
    assert int(said[2]) == len(chosen["y"])
    if rule == "top_k":
        assert len(chosen["y"]) <= 4


def test_agreement_is_one_when_there_is_hardly_any_noise() -> None:
    app = open_features("noisy-scores", epsilon__selection="50")
    numbers = re.findall(r"<dd>([\d.]+)", html(app))
    assert numbers == ["1.00", "1.00"]


def test_a_threshold_takes_the_place_of_k() -> None:
    app = open_features("noisy-scores", select__top_k="3")
    app.segmented_control(key="control select rule").set_value("threshold").run()
    assert_calm(app)
    assert "select.threshold" in app.query_params
    assert "select.top_k" not in app.query_params


def test_numbers_alone_leave_nothing_to_choose() -> None:
    app = open_page("features", data="breast-cancer", select="noisy-scores", epsilon__selection="1")
    assert [error.message for error in app.exception] == []
    assert "numbers only" in app.info[0].value
    assert "All 30 features" in html(app)


def test_without_selection_all_features_are_kept_and_the_truth_is_drawn() -> None:
    app = open_page("features", data="heart-risk")
    assert_calm(app)
    assert drawn(app)["data"][0]["name"] == "true, chosen"


def test_no_more_features_are_asked_for_than_there_are() -> None:
    app = open_features("noisy-scores", select__top_k="5000")
    assert_calm(app)
    assert "of the 10 chosen features" in html(app)
    slider = app.select_slider(key="control select.top_k")
    assert (slider.value, slider.options[-1]) == ("10", "10")
