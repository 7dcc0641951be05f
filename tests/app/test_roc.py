"""The ROC page: every method, its badge, and words that stay true."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from streamlit.testing.v1 import AppTest

from dpcore._numbers import ANY
from dpcore.evaluation import roc_methods
from pages.widgets import roc_curve
from tests.app.opening import assert_calm, figure, html, open_page


def private_auc(app: AppTest) -> float:
    """The number in the first box."""
    return float(re.search(r"AUC</dt><dd>([\d.]+)", html(app))[1])


@pytest.mark.parametrize("method", roc_methods())
def test_every_method_draws_its_curve(method: str) -> None:
    app = open_page("roc", method=method)
    assert [error.message for error in app.exception] == []
    assert not app.warning
    assert 0 <= private_auc(app) <= 1
    names = [trace.get("name") for trace in figure(app)["data"]]
    assert "true" in names
    for parameter in roc_methods()[method].parameters:
        assert parameter.name in app.query_params


@pytest.mark.parametrize("epsilon", ["0.5", "1", "2"])
def test_differences_of_the_table_are_those_of_its_columns(epsilon: str) -> None:
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", html(open_page("roc", epsilon=epsilon)))
    texts = [cell.replace("\N{MINUS SIGN}", "-") for cell in cells]
    rows = [texts[place + 1 : place + 4] for place, one in enumerate(texts) if one.endswith(" %")]
    assert len(rows) == len(roc_curve.RATES)
    for private, true, difference in rows:
        assert Fraction(private) - Fraction(true) == Fraction(difference)


@pytest.mark.parametrize(("epsilon", "nothing"), [("0.01", True), ("1", False)])
def test_a_curve_that_says_nothing_is_called_so(epsilon: str, nothing: bool) -> None:
    app = open_page("roc", data="heart-risk", epsilon=epsilon)
    assert_calm(app)
    sentence = (
        "At epsilon 0.01 this curve says nothing: with 1,254 records the noise leaves any AUC"
    )
    assert (sentence in html(app)) is nothing
    # The figure alone, which may be saved, says so too.
    names = [trace.get("name") for trace in figure(app)["data"]]
    assert (f"private, {ANY}" in names) is nothing
    assert ("private" in names) is not nothing
    assert (">any possible<" in html(app)) is nothing


@pytest.mark.parametrize("method", roc_methods())
def test_the_verdict_is_beside_the_picker(method: str) -> None:
    app = open_page("roc", method=method)
    guarantee = roc_methods()[method].guarantee
    words = " ".join(element.value for element in app.markdown)
    assert f"{guarantee.badge}]" in words
    refusals = [error.value for error in app.error]
    assert bool(refusals) is not guarantee.holds


def test_a_broken_method_is_never_called_private() -> None:
    app = open_page("roc", method="recursive-medians-published")
    assert "the noisy AUC is" in html(app)
    assert "private AUC" not in html(app).replace("Private AUC", "private AUC")
    names = [trace.get("name") for trace in figure(app)["data"]]
    assert "noisy" in names
    assert "private" not in names
    assert "cannot release anything" in app.error[0].value


def test_moving_epsilon_moves_curve_words_address_and_meter() -> None:
    app = open_page("roc")
    before = private_auc(app), figure(app)["data"][-1]["y"]
    app.select_slider(key="control epsilon").set_value("0.03").run()
    assert_calm(app)
    assert (private_auc(app), figure(app)["data"][-1]["y"]) != before
    assert app.query_params["epsilon"] == "0.03"
    assert "At epsilon 0.03" in html(app)
    assert "<span>0.03</span>" in html(app)


def test_the_true_curve_is_solid_and_the_private_one_dashed() -> None:
    traces = {trace.get("name"): trace for trace in figure(open_page("roc"))["data"]}
    assert traces["true"]["line"].get("dash", "solid") == "solid"
    assert traces["private"]["line"]["dash"] == "dash"
    assert any("privacy band" in str(name) for name in traces)


def test_figures_are_stamped_and_have_words_for_who_cannot_see_them() -> None:
    drawn = figure(open_page("roc"))
    assert drawn["layout"]["annotations"][0]["text"] == "SIMULATION"
    assert "dashed" in drawn["alt"]


def test_neighbours_are_remembered() -> None:
    app = open_page("roc")
    app.radio(key="control neighbors").set_value("replace").run()
    assert_calm(app)
    assert app.query_params["neighbors"] == "replace"
    assert "replaced" in html(app)
