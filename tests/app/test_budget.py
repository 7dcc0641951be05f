"""The budget split: whatever is moved and locked, the parts add up to the total exactly."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.privacy import Charge, Ledger, Loss, Part
from pages.widgets import budget_meter
from tests.app.opening import assert_calm, html, open_page

PHASES = {
    "selection": "epsilon.selection",
    "training": "epsilon.training",
    "evaluation": "epsilon",
}
SPLIT = {
    "data": "heart-risk",
    "select": "noisy-scores",
    "epsilon__selection": "0.1",
    "epsilon__training": "0.4",
    "epsilon": "0.5",
}


def parts(app: AppTest) -> dict[str, Fraction]:
    return {phase: Fraction(app.query_params[name]) for phase, name in PHASES.items()}


def move(app: AppTest, phase: str, percent: float) -> AppTest:
    return app.slider(key=f"control share {phase}").set_value(percent).run()


def lock(app: AppTest, phase: str) -> AppTest:
    return app.checkbox(key=f"control lock {phase}").check().run()


@pytest.fixture
def model_page() -> AppTest:
    return open_page("model", **SPLIT)


def test_moving_shares_keeps_the_total(model_page: AppTest) -> None:
    for phase, percent in (
        ("training", 13),
        ("evaluation", 77),
        ("selection", 31),
        ("training", 5),
    ):
        move(model_page, phase, percent)
        assert_calm(model_page)
        assert sum(parts(model_page).values()) == 1
        assert parts(model_page)[phase] == Fraction(percent, 100)


def test_a_small_share_is_not_shown_as_none() -> None:
    small = {"epsilon__selection": "0.005", "epsilon__training": "0.495"}
    page = open_page("model", **{**SPLIT, **small})
    assert page.slider(key="control share selection").value == 0.5


def test_a_locked_share_stays_where_it_is(model_page: AppTest) -> None:
    lock(model_page, "evaluation")
    move(model_page, "training", 30)
    assert parts(model_page) == {
        "selection": Fraction(1, 5),
        "training": Fraction(3, 10),
        "evaluation": Fraction(1, 2),
    }
    assert model_page.slider(key="control share evaluation").disabled


def test_locks_are_in_the_link(model_page: AppTest) -> None:
    lock(lock(model_page, "selection"), "evaluation")
    assert model_page.query_params["model_locked"] == "evaluation,selection"
    again = open_page("model", **SPLIT, model_locked="evaluation,selection")
    held = {phase: again.checkbox(key=f"control lock {phase}").value for phase in PHASES}
    assert held == {"selection": True, "training": False, "evaluation": True}
    assert again.slider(key="control share evaluation").disabled


def test_with_all_others_locked_nothing_moves(model_page: AppTest) -> None:
    lock(lock(model_page, "evaluation"), "selection")
    share = model_page.slider(key="control share training")
    assert (share.disabled, share.value) == (True, 40)


def test_no_share_can_be_dragged_to_where_it_is_refused(model_page: AppTest) -> None:
    for end in ("max", "min"):
        for phase in PHASES:
            place = model_page.slider(key=f"control share {phase}")
            assert 0 < place.min < place.max < 100
            move(model_page, phase, getattr(place, end))
            assert_calm(model_page)
            assert min(parts(model_page).values()) > 0
            assert sum(parts(model_page).values()) == 1


def test_a_share_without_room_to_move_cannot_be_dragged() -> None:
    small = {"epsilon__selection": "0.005", "epsilon__training": "0.005", "epsilon": "0.99"}
    page = open_page("model", **{**SPLIT, **small}, model_locked="evaluation")
    assert page.slider(key="control share training").disabled


def test_a_share_that_stands_beyond_its_end_comes_back_from_there() -> None:
    small = {"epsilon__selection": "0.0025", "epsilon__training": "0.0025", "epsilon": "0.995"}
    page = move(open_page("model", **{**SPLIT, **small}), "evaluation", 99)
    assert_calm(page)
    assert parts(page)["evaluation"] == Fraction(98, 100)
    assert min(parts(page).values()) > 0


def test_the_total_scales_every_phase(model_page: AppTest) -> None:
    model_page.select_slider(key="control total").set_value("0.3").run()
    assert_calm(model_page)
    assert parts(model_page) == {
        "selection": Fraction(3, 100),
        "training": Fraction(12, 100),
        "evaluation": Fraction(15, 100),
    }


def test_the_ledger_is_shown_and_explained(model_page: AppTest) -> None:
    assert "feature scores" in html(model_page)
    words = " ".join(element.value for element in model_page.markdown)
    assert "the parts are disjoint, so one person pays the larger: epsilon 0.5" in words


def test_a_selector_that_reads_data_gets_a_share_and_gives_it_back() -> None:
    app = open_page("features", data="heart-risk")
    app.selectbox(key="control select").set_value("noisy-scores").run()
    assert_calm(app)
    assert parts(app) == {
        "selection": Fraction(1, 10), "training": Fraction(9, 10), "evaluation": 1,
    }  # fmt: skip
    app.selectbox(key="control select").set_value("none").run()
    assert parts(app) == {"selection": 0, "training": 1, "evaluation": 1}


@pytest.mark.parametrize("relation, rule", [("add-remove", "larger part"), ("replace", "add")])
def test_the_meter_names_the_rule(relation: str, rule: str) -> None:
    ledger = Ledger(neighbors=relation)
    # Under replace a part that a record may leave does not compose by maximum.
    ledger.spend(Charge("training", "", Loss(1), Part("split", "train")))
    ledger.spend(Charge("evaluation", "", Loss("0.5"), Part("split", "test")))
    words = budget_meter.meter(ledger)
    assert rule in words
    assert f"epsilon {ledger.spent.epsilon * 1.0:g}</b>" in words


def test_beneath_the_sum_stands_what_one_person_pays_of_it() -> None:
    app = open_page("model", data="heart-risk", epsilon="0.5", epsilon__training="1.5")
    assert app.select_slider(key="control total").label == "Total epsilon"
    assert app.select_slider(key="control total").value == "2"
    (said,) = [one.value for one in app.caption if one.value.startswith("One person pays")]
    assert said == (
        "One person pays **epsilon 1.5**: 1.5 about the train records and 0.5 about the test "
        "records; the larger part counts."
    )
    assert "would cost one person <b>epsilon 1.5</b>" in html(app)


@pytest.mark.parametrize(
    ("page", "epsilon", "lines"),
    [
        ("roc", "2", ["train records: training", "test records: evaluation"]),
        ("ecdf", "1.5", ["train records: training", "test records: ECDF"]),
        ("compare", "3", ["train records: training + training of B", "test records: comparison"]),
        ("features", "0", []),
    ],
)
def test_a_page_costs_what_it_shows_and_nothing_else(
    page: str, epsilon: str, lines: list[str]
) -> None:
    """The evaluation by a ROC curve, at epsilon 2, is released by the pages that show one."""
    told = {"epsilon": "2", "epsilon__training": "1.5", "ecdf_epsilon": "0.1"}
    words = html(open_page(page, data="heart-risk", **told))
    assert f"would cost one person <b>epsilon {epsilon}</b>" in words
    assert re.findall(r'<div class="line"><span>(.*?)</span>', words) == lines


def test_what_one_person_pays_of_one_part_needs_no_rule() -> None:
    ledger = Ledger()
    ledger.spend(Charge("evaluation", "", Loss("0.5")))
    assert budget_meter.cost(ledger) == "One person pays **epsilon 0.5**."


def test_the_meter_of_one_part_needs_no_rule() -> None:
    ledger = Ledger()
    ledger.spend(Charge("evaluation", "", Loss("0.5")))
    assert "part" not in budget_meter.meter(ledger)


def test_the_meter_says_the_delta_that_will_be_charged() -> None:
    """`smooth-gaussian` is private up to a delta only: it is told before the study is run."""
    app = open_page("model", data="heart-risk", training="smooth-gaussian")
    assert "would cost one person <b>epsilon 1, delta 1e-06</b>" in html(app)
    (said,) = [one.value for one in app.caption if one.value.startswith("One person pays")]
    assert said.startswith("One person pays **epsilon 1, delta 1e-06**: 1, delta 1e-06 about")
