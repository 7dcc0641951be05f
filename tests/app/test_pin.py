"""Pin: a figure stays beside the next one, one link holds both, and nothing is drawn for it."""

from __future__ import annotations

import json
from typing import Any
from unittest import mock
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from dpcore import LedgerStore, Loss
from dpcore.desk import releases
from pages.session import state
from pages.widgets import pin
from tests.app.opening import assert_calm, html, open_page, sentences
from tests.app.private_visit import locked, opened, press, scores, with_data
from tests.app.test_compare_page import content, with_file

# A page, the key of its figure, and a setting that draws another one.
PAGES = [
    ("roc", "roc", "epsilon"),
    ("ecdf", "ecdf", "ecdf_epsilon"),
    ("calibration", "calibration", "calibration_epsilon"),
    ("threshold", "threshold", "threshold_at"),
    ("compare", "compare", "compare_epsilon"),
    ("model", "model scores", "epsilon__training"),
]


def figures(app: AppTest) -> dict[str, Any]:
    """What each figure of a page draws, by its key."""
    sent = [json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.json]
    return {one["key"]: (one["data"], one["layout"]) for one in sent if "layout" in one}


@pytest.mark.few(2)
@pytest.mark.parametrize("page, key, name", PAGES)
def test_a_link_holds_both_pictures(page: str, key: str, name: str) -> None:
    other = f"{name.replace('__', '.')}=0.2"
    app = open_page(page, **{name: "0.5"}, pin=other)
    assert_calm(app)
    both = figures(app)
    assert both[key] != both[f"{key} pinned"]
    # What is pinned is the picture of its own link.
    assert both[f"{key} pinned"] == figures(open_page(page, **{name: "0.2"}))[key]
    assert dict(parse_qsl(app.query_params["pin"])) == dict([other.split("=")])
    assert f"0.2 {chr(0x2192)} 0.5." in html(app)
    assert app.session_state["chosen"][name.replace("__", ".")] == "0.5"


def test_groups_stand_side_by_side() -> None:
    app = with_file("groups", content())
    kept = {**app.session_state["chosen"], "groups_epsilon": "0.3"}
    app.session_state[state.PINNED] = state.Pinned("groups", kept)
    app.run()
    assert_calm(app)
    both = figures(app)
    assert both["groups"] != both["groups pinned"]
    assert "epsilon 0.3" in html(app)


def test_another_method_is_told_in_words_and_its_parameters_are_its_own() -> None:
    app = open_page(
        "roc", method="recursive-medians", k="4", pin="epsilon=0.5&method=fixed-space&k="
    )
    assert_calm(app)
    assert "k" not in app.session_state[state.PINNED].choices
    told = html(app)
    assert f"method fixed space {chr(0x2192)} recursive medians" in told
    again = open_page("roc", **{n.replace(".", "__"): v for n, v in app.query_params.items()})
    assert figures(again) == figures(app)
    assert again.query_params == app.query_params


@pytest.mark.parametrize(
    "page, name, text, words",
    [
        ("model", "epsilon.training", "2/5", "epsilon of the training 0.4"),
        ("model", "epsilon.training", "1/3", "epsilon of the training 1/3"),
        ("model", "model_threshold", "0.4", "threshold 0.4"),
        ("threshold", "threshold_at", "0.16", "threshold 0.16"),
    ],
)
def test_a_difference_is_told_as_its_slider_says_it(
    page: str, name: str, text: str, words: str
) -> None:
    assert pin.told(page, {name: text}) == words


@pytest.mark.parametrize(
    "told, says",
    [
        ("epsilon=many", "a finite number"),
        ("colour=red", "no choice here"),
        ("&".join(f"a{i}=1" for i in range(200)), "more than can be read"),
        ("roc_view=none", "cannot be drawn"),
    ],
)
def test_nonsense_that_is_pinned_is_one_sentence(told: str, says: str) -> None:
    app = open_page("roc", pin=told)
    assert [error.message for error in app.exception] == []
    assert any(says in sentence for sentence in sentences(app))
    assert "roc" in figures(app)


def test_a_pin_stays_on_its_page_and_is_forgotten_with_its_records() -> None:
    app = open_page("roc", epsilon="0.5", pin="epsilon=2")
    app.switch_page("pages/ecdf/page.py").run()
    assert set(figures(app)) == {"ecdf"}
    assert "pin" not in app.query_params
    app.switch_page("pages/roc/page.py").run()
    assert "roc pinned" in figures(app)
    kept = app.session_state[state.PINNED]
    app.session_state[state.PINNED] = state.Pinned("roc", kept.choices, "other records")
    app.run()
    assert set(figures(app)) == {"roc"}
    assert "records that are no longer open" in " ".join(sentences(app))


def test_what_was_shown_is_kept_and_not_drawn_again() -> None:
    app = open_page("roc", epsilon="0.5")
    shown = figures(app)["roc"]
    chosen = dict(app.session_state["chosen"])
    kept = state.Pinned("roc", chosen)
    app.session_state[state.PINNED] = kept
    app.run()
    with mock.patch("pages.roc.page.drawn", side_effect=AssertionError("drawn again")):
        app.select_slider(key="control epsilon").set_value("2").run()
    assert_calm(app)
    assert figures(app)["roc pinned"] == shown


def test_in_private_mode_stored_releases_stand_side_by_side_at_no_cost() -> None:
    private = scores()
    digest = opened(private).digest
    LedgerStore().open_budget(digest, Loss(3), title="Ward 7")
    with locked(), mock.patch("pages.release_desk.preview.REPEATS", 4):
        app = press(press(with_data("release_desk", private, epsilon="0.5"), "Release"), "Charge")
        first = figures(app)["released roc"]
        (release,) = releases(LedgerStore(), digest)
        app.session_state[pin.RELEASE] = release
        app.session_state["chosen"]["epsilon"] = "1"
        app = press(press(app.run(), "Release"), "Charge")
        spent = LedgerStore().account(digest).spent
        both = figures(app.run())
        assert both["released roc pinned"] == first
        assert both["released roc"] != first
        assert LedgerStore().account(digest).spent == spent == Loss("1.5")
