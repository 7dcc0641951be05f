"""The guide and the glossary, as the server sends them."""

from __future__ import annotations

import json

from streamlit.testing.v1 import AppTest

from pages.shell import guide
from tests.app.opening import PAGES, html, open_page


def sent(app: AppTest) -> dict:
    """What the guide is told."""
    (found,) = [
        json.loads(one.proto.json)
        for one in app.get("bidi_component")
        if "steps" in json.loads(one.proto.json)
    ]
    return found


def test_the_guide_has_five_steps_on_pages_that_exist() -> None:
    assert len(guide.STEPS) == 5
    assert {step.page or "overview" for step in guide.STEPS} <= set(PAGES)
    assert all(len(step.words) < 200 for step in guide.STEPS)


def test_every_page_hears_where_it_is_and_the_overview_invites() -> None:
    app = open_page("overview")
    assert [step["page"] for step in sent(app)["steps"]] == [step.page for step in guide.STEPS]
    assert sent(app)["page"] == ""
    assert "data-guide" in html(app)
    assert sent(open_page("data"))["page"] == "data"


def test_private_mode_has_no_guide() -> None:
    app = open_page("budget")
    (switch,) = [one for one in app.segmented_control if one.label == "Mode"]
    switch.set_value("private").run()
    assert sent(app)["steps"] == []


def test_every_page_explains_the_words() -> None:
    app = open_page("ledger")
    words = " ".join(element.value for element in app.markdown)
    formulas = [element.value for element in app.latex]
    assert list(guide.WORDS) == ["Epsilon", "Sensitivity", "Neighbours", "Composition", "Rates"]
    for name, word in guide.WORDS.items():
        assert f"**{name}**" in words
        assert word.meaning in words
        assert any(word.formula in formula for formula in formulas)
