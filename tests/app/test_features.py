"""The features page: what is chosen, and how close it is to the true choice."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.selection import selectors
from tests.app.opening import assert_calm, html, open_page, sentences
from tests.app.test_data import choose, upload

READERS = sorted(name for name, method in selectors().items() if method.spends)


def open_features(method: str, **more: str) -> AppTest:
    link = {"data": "heart-risk", "select": method, "epsilon__selection": "0.5", **more}
    return open_page("features", **link)


def drawn(app: AppTest, name: str = "features") -> dict:
    """The figure of that key; the bars if none is named."""
    figures = [json.loads(one.proto.json) for one in app.get("bidi_component")]
    return next(figure for figure in figures if figure.get("key") == name)


def headline(app: AppTest) -> str:
    return re.search(r'dpcore-headline">(.*?)</h2>', html(app))[1]


@pytest.mark.few(3)
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
    numbers = dict(re.findall(r"<dt>([\w ]+)</dt><dd>([\d.]+)", html(app)))
    perfect = dict.fromkeys(("F1", "Jaccard", "Precision", "Recall"), "1.00")
    assert numbers == {**perfect, "FNR": "0.00", "SER": "0.00"}


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
    # Of a table of 2,000 columns the names alone would be a page of 10,000 pixels.
    (said,) = [one.value for one in app.markdown if one.value.startswith("Numeric features")]
    assert said.count("“") == 15
    assert said.endswith("and 15 more.")


@pytest.mark.few(1)
@pytest.mark.parametrize("label", ["Cut each into 4 bins", "Open Bank calls"])
def test_a_press_gives_something_to_choose_from(label: str) -> None:
    app = open_page("features", data="breast-cancer")
    next(one for one in app.button if one.label.startswith(label)).click().run()
    assert_calm(app)
    assert "of the 10 chosen features" in html(app)
    assert Fraction(app.query_params["epsilon.selection"]) > 0
    assert not app.info


def test_numbers_that_are_cut_into_bins_are_chosen_like_levels() -> None:
    app = open_page(
        "features",
        data="breast-cancer",
        number_bins="4",
        select="noisy-scores",
        select__top_k="12",
        epsilon__selection="50",
    )
    assert_calm(app)
    assert not app.info
    assert "of the 12 chosen features" in html(app)
    # 30 numbers, four bins of each.
    assert len(app.dataframe[0].value) == 120


@pytest.mark.few(1)
@pytest.mark.parametrize(("before", "after"), [("0", 2), ("16", 8), ("4", 0)])
def test_features_have_the_names_of_a_fresh_visit_after_the_bins_move(
    before: str, after: int
) -> None:
    told = {"number_bins": before, "epsilon__training": "1", "select__top_k": "6"}
    app = open_features("noisy-scores", **told)
    assert_calm(app)
    app.select_slider(key="control number_bins").set_value(str(after)).run()
    assert_calm(app)
    fresh = open_features("noisy-scores", **told | {"number_bins": str(after)})
    assert_calm(fresh)
    for figure in ("features", "score histogram"):
        assert drawn(app, figure)["data"] == drawn(fresh, figure)["data"]
    assert drawn(app)["layout"] == drawn(fresh)["layout"]
    assert app.dataframe[0].value.equals(fresh.dataframe[0].value)


@pytest.mark.parametrize("view", ["thresholds", "free"])
def test_the_other_views_see_the_bins_too(view: str) -> None:
    app = open_page(
        "features",
        data="breast-cancer",
        number_bins="2",
        select="noisy-scores",
        select__top_k="12",
        epsilon__selection="5",
        features_view=view,
        features_runs="1",
    )
    assert [error.message for error in app.exception] == []


def test_without_selection_all_features_are_kept_and_the_truth_is_drawn() -> None:
    app = open_page("features", data="heart-risk")
    assert_calm(app)
    assert drawn(app)["data"][0]["name"] == "true, chosen"


def test_no_more_features_are_asked_for_than_there_are() -> None:
    app = open_features("noisy-scores", select__top_k="5000")
    assert_calm(app)
    assert "Every one of the 10 features is kept" in headline(app)
    # They would all be perfect.
    assert "Jaccard" not in html(app)
    slider = app.select_slider(key="control select.top_k")
    assert (slider.value, slider.options[-1]) == ("10", "10")


@pytest.mark.parametrize(("bins", "half"), [("0", 5), ("2", 10)])
def test_half_of_the_features_are_kept_until_somebody_says_how_many(bins: str, half: int) -> None:
    app = open_features("noisy-scores", number_bins=bins)
    assert_calm(app)
    assert f"of the {half} chosen features" in headline(app)
    assert app.select_slider(key="control select.top_k").value == str(half)
    # It follows from the records, so a link need not say it.
    assert "select.top_k" not in app.query_params
    again = {name: str(value) for name, value in app.query_params.items()}
    assert drawn(open_page("features", **again)) == drawn(app)


def test_one_chosen_feature_is_told_as_one() -> None:
    words = headline(open_features("noisy-scores", **{"select.top_k": "1"}))
    assert re.search(r"the chosen feature is (not )?the one that truly scores best", words)
    assert "1 of the 1" not in words


def test_a_number_that_was_chosen_stays_when_the_bins_move() -> None:
    app = open_features("noisy-scores")
    app.select_slider(key="control select.top_k").set_value("3").run()
    assert "of the 3 chosen features" in headline(app)
    app.select_slider(key="control number_bins").set_value(4).run()
    assert_calm(app)
    assert "of the 3 chosen features" in headline(app)
    assert app.query_params["select.top_k"] == "3"


def test_a_number_that_nobody_chose_follows_the_bins() -> None:
    app = open_features("noisy-scores")
    app.select_slider(key="control number_bins").set_value(4).run()
    assert_calm(app)
    assert "of the 10 chosen features" in headline(app)
    assert app.select_slider(key="control select.top_k").value == "10"


def test_going_back_to_the_best_k_is_as_if_nothing_had_been_chosen() -> None:
    app = open_features("noisy-scores")
    before = html(app)
    for rule in ("threshold", "top_k"):
        app.segmented_control(key="control select rule").set_value(rule).run()
        assert_calm(app)
    assert html(app) == before


def test_the_score_looks_at_the_label_unless_another_is_chosen() -> None:
    app = open_features("noisy-scores")
    assert app.query_params["select.score"] == "difference-count"
    words = drawn(app)["layout"]["xaxis"]["title"]["text"]
    assert words.endswith("difference between classes")


def test_what_is_kept_in_any_case_is_named() -> None:
    app = open_features("noisy-scores")
    (said,) = [one.value for one in app.caption if one.value.startswith("Kept in any case")]
    assert said.count("“") == 8
    cut = open_features("noisy-scores", number_bins="4")
    assert not [one for one in cut.caption if one.value.startswith("Kept in any case")]


ONE_COLUMN = b"age,ill\n" + b"".join(b"%d,%d\n" % (n % 23, n % 3 // 2) for n in range(60))


def test_without_selection_the_headline_says_what_the_features_are() -> None:
    words = headline(open_page("features", data="heart-risk"))
    assert words == "All 18 features go into the model: 10 levels or words, and 8 numbers."
    app = choose(open_page("data"), "My table")
    rows = "".join(f"{place % 50},{'fm'[place % 2]},{place % 3 // 2}\n" for place in range(60))
    upload(app, "table file", "few.csv", f"age,sex,ill\n{rows}".encode())
    words = headline(app.switch_page("pages/features/page.py").run())
    assert words == "All 2 features go into the model: 1 level or word, and 1 number."
    app = choose(open_page("data"), "My table")
    upload(app, "table file", "one.csv", ONE_COLUMN)
    words = headline(app.switch_page("pages/features/page.py").run())
    assert words == "The only feature goes into the model."


@pytest.mark.parametrize("page", ["features", "model"])
def test_a_table_without_a_label_is_refused_before_any_control_is_drawn(page: str) -> None:
    app = choose(open_page("data"), "My table")
    rows = "".join(f"{place / 7:.3f},{'fmx'[place % 3]}\n" for place in range(60))
    upload(app, "table file", "three.csv", f"cost,risk\n{rows}".encode())
    app.switch_page(f"pages/{page}/page.py").run()
    assert sentences(app) == ["The schema has no label; make one column the label."]
    assert not [*app.main.selectbox, *app.main.segmented_control, *app.main.checkbox]


SELECTING = {"select": "noisy-scores", "epsilon__selection": "0.5", "epsilon__training": "0.5"}


@pytest.mark.few(1)
@pytest.mark.parametrize("score", ["difference-count", "purity-index", "information-gain"])
def test_every_score_can_be_chosen(score: str) -> None:
    app = open_features("noisy-scores", select__score=score)
    assert_calm(app)
    assert app.query_params["select.score"] == score
    assert ("select.max_rows" in app.query_params) is (score == "information-gain")
    app.selectbox(key="control select.score").set_value("total-count").run()
    assert_calm(app)
    assert "select.max_rows" not in app.query_params


def test_a_row_bound_can_be_set_and_taken_back() -> None:
    app = open_features("noisy-scores")
    app.toggle(key="control row bound").set_value(True).run()
    assert_calm(app)
    assert app.query_params["select.row_bound"] == "truncate"
    app.segmented_control(key="control select.row_bound").set_value("weight").run()
    assert app.query_params["select.row_bound"] == "weight"
    # Whoever opens the link finds the switch where it was left.
    link = {key.replace(".", "__"): value for key, value in app.query_params.items()}
    shown = open_page("features", **link)
    assert shown.segmented_control(key="control select.row_bound").value == "weight"
    app.toggle(key="control row bound").set_value(False).run()
    assert_calm(app)
    assert "select.max_nonzeros" not in app.query_params


def test_three_methods_are_offered_first_and_broken_ones_last() -> None:
    def offered(app: AppTest) -> list[str]:
        (picker,) = [one for one in app.selectbox if one.label == "Method"]
        return picker.options

    app = open_page("features", data="bank-calls")
    few = offered(app)
    assert len(few) == 4
    assert few[0].startswith("No selection")
    assert not any("not private" in name for name in few)
    (switch,) = [one for one in app.toggle if one.label == "For researchers"]
    switch.set_value(True).run()
    every = offered(app)
    assert every[:4] == few
    assert len(every) == len(selectors())
    broken = ["not private" in name for name in every]
    assert broken == sorted(broken)
    assert any(broken)
    # A link to one of the others shows it without the switch.
    linked = open_page("features", data="bank-calls", select="canonical", epsilon__selection="1")
    assert len(offered(linked)) == 5


def test_what_is_set_is_said_on_the_fold() -> None:
    app = open_page("features", data="bank-calls", select="noisy-scores", epsilon__selection="1")
    assert "Settings: difference count, no bins" in [one.label for one in app.expander]
    for page, told in (
        ("federated_ecdf", "points, "),
        ("reusable_holdout", "noise 0.0"),
        ("sparse_vector_lab?view", "budget 1:c"),
    ):
        name, _, view = page.partition("?")
        address = {f"{name}_view": "algorithms"} if view else {}
        labels = [one.label for one in open_page(name, **address).expander]
        assert any(label.startswith("Settings: ") and told in label for label in labels), labels
