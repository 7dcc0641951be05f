"""Every page opens by its link alone, on every kind of data, and says something."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dpcore.data.reading.samples import samples
from dpcore.study import stages
from pages.session import page_list
from pages.widgets import fragments, plot
from tests.app.opening import PAGES, assert_calm, html, open_page

DATA = {"breast-cancer": "malignant", "heart-risk": "yes", "messages": "spam"}


@pytest.mark.spanning
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("data", DATA)
def test_a_page_says_what_it_shows_of_which_data_and_what_it_would_cost(
    name: str, data: str
) -> None:
    app = open_page(name, data=data, seed="11")
    assert_calm(app)
    assert len(app.title) == 1
    assert 'class="dpcore-headline"' in html(app)
    words = " ".join(caption.value for caption in app.sidebar.caption)
    assert "simulated from seed 11" in words
    about = f'<p class="dpcore-about"><b>{samples()[data].title}</b> · positive: {DATA[data]}</p>'
    own = page_list.WITHOUT_RECORDS.get(name)
    assert (about in html(app)) is (own is None)
    assert own is None or f'<p class="dpcore-about">{own}</p>' in html(app)
    costs = "This page would cost one person <b>epsilon " in html(app)
    # These publish nothing of the study, or have an epsilon of their own.
    assert costs is (name not in fragments.BESIDE_THE_STUDY)


def test_a_page_that_is_asked_about_the_open_records_names_them() -> None:
    told = html(open_page("reusable_holdout", data="heart-risk", reusable_holdout_data="own"))
    assert '<p class="dpcore-about"><b>Heart risk</b> · positive: yes</p>' in told


def test_the_first_visit_shows_a_result() -> None:
    words = html(open_page("overview"))
    assert "At epsilon 1 the private AUC is 0." in words
    assert "the true one is 0." in words


@pytest.mark.parametrize("kind", ["classifier", "naive-bayes", "logistic"])
def test_both_kinds_of_model_show_their_true_test_figures(kind: str) -> None:
    app = open_page("model", model=kind)
    assert_calm(app)
    assert "private model" in html(app)
    assert "with the noise off" in html(app)


def test_changing_the_kind_of_model_takes_its_default_method() -> None:
    app = open_page("model")
    app.segmented_control(key="control model").set_value("logistic").run()
    assert_calm(app)
    assert app.query_params["model"] == "logistic"
    assert app.query_params["training"].startswith("objective")


def test_redrawing_takes_the_next_seed_and_another_curve() -> None:
    app = open_page("roc", seed="7")
    before = html(app)
    next(button for button in app.button if button.label.startswith("Train again")).click().run()
    assert app.query_params["seed"] == "8"
    assert html(app) != before


def test_the_overview_draws_before_it_trains_what_it_compares_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 200,000 records the reference takes six times longer than all else."""
    order: list[str] = []
    show, reference = plot.show, stages._REFERENCE

    def shown(*told: Any, **named: Any) -> None:
        order.append("picture")
        show(*told, **named)

    def trained(prepared: Any) -> Any:
        order.append("reference")
        return reference.run(prepared)

    monkeypatch.setattr(plot, "show", shown)
    monkeypatch.setattr(stages, "_REFERENCE", replace(reference, run=trained))
    # A split that no other test has, or what it compares with would be known already.
    app = open_page("overview", data="bank-calls", test="0.37")
    assert_calm(app)
    assert order == ["picture", "reference"]
    assert any("scikit-learn's logistic regression" in one.value for one in app.caption)
