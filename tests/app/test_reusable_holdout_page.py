"""The Reusable holdout page: every choice, the visitor's own records, links, and running counts."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpcore import Loss, SeededNoise
from dpcore.curves.holdout.problem import HoldoutSettings
from dpcore.curves.holdout.selection import HoldoutResult
from dpcore.curves.holdout.study import run_holdout
from dpcore.evaluation import private_running_counts
from dpcore.figures import LIGHT
from dpcore.publications.publication import csv_text
from pages.reusable_holdout import choices, running_counts, view
from pages.session import page_fields, study_fields
from tests.app.opening import assert_calm, figure, html, open_page, sentences

PAGE = "reusable_holdout"
# As small as a link may ask for, so that a run takes no time.
SMALL = {
    "reusable_holdout_train_rows": "60",
    "reusable_holdout_test_rows": "50",
    "reusable_holdout_fresh_rows": "80",
    "reusable_holdout_variables": "8",
    "reusable_holdout_signal": "2",
    "reusable_holdout_steps": "6",
    "reusable_holdout_step": "4",
}
RESULT = run_holdout(
    HoldoutSettings(
        train_rows=60, test_rows=50, fresh_rows=80, variables=8, signal=2, steps=6, budget=40
    )
)


def open_small(**address: str) -> AppTest:
    return open_page(PAGE, **{**SMALL, **address})


def titles(app: AppTest) -> list[str]:
    words = [word["text"] for word in figure(app)["layout"]["annotations"]]
    return [word[3:-4] for word in words if word.startswith("<b>")]


def test_the_default_page_says_how_optimistic_each_was() -> None:
    app = open_page(PAGE)
    assert_calm(app)
    words = html(app)
    assert "After 25 variables a reused test set is 6." in words
    assert "under Thresholdout 0." in words
    assert titles(app) == [
        "Naive reuse",
        "Thresholdout",
        "The blog's variant",
        "Naive, 10 × test set",
        "Training set only",
    ]
    assert "<td>privacy proven</td>" in words
    said = " ".join(element.value for element in app.markdown)
    assert "charged epsilon 1000 before the first answer" in said
    assert "next to nothing" in said
    labels = [element.proto.label for element in app.get("download_button")]
    assert labels == ["CSV", "JSON"]


def test_the_verdicts_stand_beside_the_controls() -> None:
    badges = [element.value for element in open_small().markdown if "-badge[" in element.value]
    assert any("privacy proven" in badge for badge in badges)
    assert any("not private" in badge for badge in badges)


def test_a_link_restores_the_picture() -> None:
    link = {
        **SMALL,
        "reusable_holdout_seed": "9",
        "reusable_holdout_sigma": "0.03",
        "reusable_holdout_budget": "7",
        "reusable_holdout_threshold": "0.07",
        "reusable_holdout_tolerance": "0.1",
        "reusable_holdout_strength": "0.7",
        "reusable_holdout_counts_epsilon": "0.37",
        "reusable_holdout_counts_method": "gaussian",
        "reusable_holdout_counts_steps": "33",
    }
    app = open_page(PAGE, **link)
    assert_calm(app)
    assert {name: app.query_params[name] for name in link} == link
    assert app.select_slider(key="control reusable_holdout_sigma").value == "0.03"
    again = {name.replace(".", "__"): value for name, value in app.query_params.items()}
    other = open_page(PAGE, **again)
    assert figure(other) == figure(app)
    assert figure(other, 1) == figure(app, 1)


@pytest.mark.parametrize(
    "name, value, says",
    [
        ("data", "mine", "own"),
        ("seed", "-1", "at least 0"),
        ("train_rows", "10", "at least 20|between 20"),
        ("test_rows", "90000", "between 20 and 5000"),
        ("fresh_rows", "1e9", "a whole number"),
        ("variables", "2000", "between 1 and"),
        ("signal", "500", "between 0 and 300"),
        ("strength", "nan", "between"),
        ("steps", "0", "between 1 and"),
        ("sigma", "0", "positive"),
        ("budget", "0", "between 1 and"),
        ("threshold", "2", "between 0 and 1"),
        ("tolerance", "x", "a number"),
        ("step", "0", "between 1 and"),
        ("counts_epsilon", "0", "positive"),
        ("counts_method", "gausian", "gaussian"),
        ("counts_steps", "1", "between 2 and"),
    ],
)
def test_nonsense_is_refused_by_name(name: str, value: str, says: str) -> None:
    full = f"reusable_holdout_{name}"
    read, defaults = choices.read, choices.DEFAULTS
    if name.startswith("counts_"):
        read, defaults = choices.read_counts, choices.COUNTS_DEFAULTS
    chosen = {**study_fields.DEFAULTS, **SMALL, full: value}
    asked = {one: chosen[one] for one in defaults}
    settled = {**chosen, **defaults}
    ((refused, sentence),) = page_fields.refused(read, settled, asked)
    assert refused == full
    assert any(words in sentence for words in says.split("|"))


@pytest.mark.parametrize("name", ["train_rows", "counts_steps"])
def test_nonsense_in_a_link_is_one_sentence_and_a_default(name: str) -> None:
    full = f"reusable_holdout_{name}"
    defaults = {**choices.DEFAULTS, **choices.COUNTS_DEFAULTS}
    app = open_page(PAGE, **{**SMALL, full: "1"})
    assert [error.message for error in app.exception] == []
    (sentence,) = sentences(app)
    assert f"{full}=1" in sentence
    assert app.query_params[full] == defaults[full]


def test_fewer_variables_than_carry_signal_all_carry_it() -> None:
    chosen = {**study_fields.DEFAULTS, **SMALL, "reusable_holdout_signal": "90"}
    assert choices.read(chosen).settings.signal == 8


def test_moving_the_controls_moves_figure_and_address() -> None:
    app = open_small()
    before = figure(app)["data"]
    app.select_slider(key="control reusable_holdout_budget").set_value("20").run()
    assert_calm(app)
    assert app.query_params["reusable_holdout_budget"] == "20"
    assert "test set" in html(app)
    naive = [trace["y"] for trace in figure(app)["data"][:4]]
    assert naive == [trace["y"] for trace in before[:4]]
    next(button for button in app.button if button.label == "Draw again").click().run()
    assert app.query_params["reusable_holdout_seed"] == "25"
    assert [trace["y"] for trace in figure(app)["data"][:4]] != naive


def test_averaging_is_on_demand_and_forgotten_with_the_choices() -> None:
    app = open_small()
    assert "Means over 20 draws" not in html(app)
    next(button for button in app.button if "Average" in button.label).click().run()
    assert_calm(app)
    assert "Means over 20 draws, with their standard errors, after 4 variables" in html(app)
    app.select_slider(key="control reusable_holdout_sigma").set_value("0.05").run()
    assert "Means over 20 draws" not in html(app)


@pytest.mark.parametrize("data", ["breast-cancer", "heart-risk", "messages"])
def test_the_visitors_own_records(data: str) -> None:
    app = open_page(PAGE, data=data, reusable_holdout_data="own", reusable_holdout_steps="5")
    assert_calm(app)
    assert titles(app)[:3] == ["Naive reuse", "Thresholdout", "The blog's variant"]
    assert "After 5 variables" in html(app)


def test_predictions_have_no_variables() -> None:
    app = open_page("data")
    app.segmented_control(key="control source").set_value("My predictions").run()
    file = ("p.csv", b"y_true,y_score\n" + b"1,0.9\n0,0.2\n" * 50, "text/csv")
    app.file_uploader(key="predictions file").set_value(file).run()
    app.switch_page("pages/reusable_holdout/page.py").run()
    assert_calm(app)
    app.segmented_control(key="control reusable_holdout_data").set_value("own").run()
    (sentence,) = sentences(app)
    assert "Predictions hold no variables to choose from; open a table" in sentence


def test_the_table_agrees_with_the_result() -> None:
    header, rows = view.table(RESULT, 4)
    text = csv_text(header, rows)
    read = {row["use of the test set"]: row for row in csv.DictReader(io.StringIO(text))}
    naive = RESULT.run("naive")
    assert read["Naive reuse"]["test − fresh"] == view.points(naive.optimism(4))
    assert read["Naive reuse"]["asked"] == read["Naive reuse"]["test answers"] == "39"
    assert read["Thresholdout"]["test answers"] == str(RESULT.run("thresholdout").overfit)
    assert read["The blog's variant"]["reported − fresh"] == "–"
    assert {row["verdict"] for row in read.values()} == {
        "not private",
        "privacy proven",
        "not asked",
    }


@pytest.mark.parametrize(
    "gap, words", [(0.063, "+6.3"), (-0.009, "−0.9"), (0.0, "0.0"), (-0.0001, "0.0")]
)
def test_points_carry_their_sign(gap: float, words: str) -> None:
    assert view.points(gap) == words


def run_with_budget(budget: int) -> HoldoutResult:
    return run_holdout(
        HoldoutSettings(
            train_rows=60, test_rows=50, fresh_rows=80, variables=8, signal=2, budget=budget,
            sigma=0.01, threshold=0.1,
        )
    )  # fmt: skip


def test_the_figure_says_when_the_budget_ended() -> None:
    stopped = run_with_budget(15)
    assert stopped.run("thresholdout").steps == 4
    assert "budget spent: 4 variables" in view.picture(stopped, 25, LIGHT).alt
    assert "Thresholdout (stopped after 4)" in view.headline(stopped, 25)
    boxes = {label: words for label, _, words in view.figures(stopped, 25)}
    assert "the budget ended" in boxes["Thresholdout"]


def test_a_budget_that_chose_no_variable_has_no_optimism() -> None:
    stopped = run_with_budget(1)
    assert stopped.run("thresholdout").steps == 0
    assert f"under Thresholdout {view.NEVER}, under" in view.headline(stopped, 25)
    boxes = {label: (value, words) for label, value, words in view.figures(stopped, 25)}
    assert boxes["Thresholdout"] == ("–", view.NEVER)
    assert view.table(stopped, 25)[1][1][2] == "–"
    assert "budget spent: no variable" in view.picture(stopped, 25, LIGHT).alt


def test_the_headline_names_what_it_compares() -> None:
    words = view.headline(RESULT, 1)
    assert words.startswith("After 1 variable a reused test set is ")
    assert "the truth; under Thresholdout " in words
    assert len(words.split()) < 30
    assert "After 1 variable," in view.table_html(RESULT, 1)


def test_what_it_costs_depends_on_the_size() -> None:
    tiny = run_holdout(HoldoutSettings(test_rows=5000, budget=10, sigma=0.05, steps=1))
    assert "hard to tell from another" in view.cost(tiny)
    assert "charged epsilon 0.08 " in view.cost(tiny)


def test_running_counts_are_what_the_library_releases() -> None:
    app = open_small(reusable_holdout_counts_steps="16", reusable_holdout_seed="3")
    drawn = figure(app, 1)
    (private,) = [trace for trace in drawn["data"] if trace.get("name") == "private"]
    told = private_running_counts(
        running_counts.stream(16, 3), epsilon=1, noise=SeededNoise(3).child("running counts")
    )
    assert min(told.counts) < 0, "this seed says that what is below zero is drawn at zero"
    assert private["y"] == np.maximum(told.counts, 0).tolist()
    assert "16 counts are published at epsilon 1 in all" in html(app)
    assert "3 of 5 intervals pay" in html(app)


def test_running_counts_with_gaussian_noise_name_their_delta() -> None:
    app = open_small(reusable_holdout_counts_method="gaussian")
    assert_calm(app)
    assert "published at epsilon 1, delta 1e-06 in all" in html(app)


def test_fields_know_what_they_cost() -> None:
    chosen = {**study_fields.DEFAULTS, "reusable_holdout_counts_method": "gaussian"}
    assert choices.read_counts(chosen).loss == Loss(1, "0.000001")
    chosen["reusable_holdout_counts_method"] = "laplace"
    assert choices.read_counts(chosen).loss == Loss(1)


def test_the_invented_stream_is_repeatable() -> None:
    assert np.array_equal(running_counts.stream(64, 1), running_counts.stream(64, 1))
    assert not np.array_equal(running_counts.stream(64, 1), running_counts.stream(64, 2))
