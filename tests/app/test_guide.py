"""The guide and the glossary, as the server sends them."""

from __future__ import annotations

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.shell import guide
from pages.widgets import badges
from tests.app.opening import PAGES, html, open_page, raw_html


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


def test_every_term_that_a_page_uses_has_one_entry() -> None:
    """Letters that stand for something stand beside their meaning, and in the glossary."""
    assert [*badges.TERMS] == sorted(badges.TERMS, key=str.casefold)
    assert not set(badges.TERMS) & set(guide.WORDS)
    assert all(len(meaning) < 200 for meaning in badges.TERMS.values())
    # What a bank asks for is found by its name.
    assert "twice the AUC, less 1" in badges.TERMS["Gini coefficient"]
    for page in ("calibration", "features"):
        assert guide.glossary() in html(open_page(page))
    app = open_page("calibration")
    tables = html(app)
    for letters, meaning in (("T2", "shift and slope"), ("H", "Hosmer-Lemeshow")):
        assert f"{letters}: {meaning}" in tables
        assert letters in badges.TERMS
    bound = open_page("features", data="bank-calls", select="noisy-scores", epsilon__selection="1",
                      select__max_nonzeros="3")  # fmt: skip
    labels = [one.label for one in bound.slider]
    assert "Features per record that count (row bound r)" in labels


@pytest.mark.few(3)
@pytest.mark.parametrize("page", ["roc", "ecdf", "calibration", "compare", "audit", "features"])
def test_badges_and_labels_lead_to_an_entry(page: str) -> None:
    app = open_page(page)
    text = raw_html(app) + " ".join(element.value for element in app.markdown)
    wanted = set(re.findall(r'href="#(term-[^"]+)"|\]\(#(term-[^)]+)\)', text))
    assert wanted
    entries = set(re.findall(r'id="(term-[^"]+)"', text))
    assert {one or other for one, other in wanted} <= entries
    assert len(entries) == len(badges.TERMS)


def test_every_page_explains_the_words() -> None:
    app = open_page("ledger")
    words = " ".join(element.value for element in app.markdown)
    formulas = [element.value for element in app.latex]
    assert list(guide.WORDS) == ["Epsilon", "Sensitivity", "Neighbours", "Composition", "Rates"]
    for name, (meaning, formula) in guide.WORDS.items():
        assert f"**{name}**" in words
        assert meaning
        assert meaning in words
        assert formula
        assert any(formula in one for one in formulas)
