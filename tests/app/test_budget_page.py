"""The budget page: set once, exact, reserved, planned, and the same for every visit."""

from __future__ import annotations

import json
import sqlite3
from fractions import Fraction
from unittest import mock

import pytest
from streamlit.testing.v1 import AppTest

from dpcore import LedgerStore, Loss
from dpcore.desk import Assumed, Request, simulated_dataset
from dpcore.schema import Categorical, Label, Schema
from dpcore.store import Account
from dpcore.store.journal import journal
from pages.release_desk import choices
from pages.session import study_fields
from tests.app.opening import assert_calm, html, sentences
from tests.app.private_visit import headlines, opened, press, scores, visit, with_data
from tests.app.test_release_desk import with_table
from tests.desk._made import table

pytestmark = pytest.mark.usefixtures("private")

CONTENT = scores()
LEFT = "Epsilon {} is left to spend on these data, of epsilon {}."


def account() -> Account:
    return LedgerStore().account(opened(CONTENT).digest)


def set_budget(epsilon: str, **told: str) -> AppTest:
    app = with_data("budget", CONTENT)
    app.text_input(key="budget epsilon").set_value(epsilon)
    for name, value in told.items():
        app.text_input(key=f"budget {name}").set_value(value)
    asked = press(app.run(), "Set the budget")
    return press(asked, "Set epsilon") if "Cancel" in labels(asked) else asked


def labels(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


def test_a_budget_is_set_once_and_exactly() -> None:
    app = set_budget("0.3", title="Ward 7")
    assert_calm(app)
    assert "Epsilon 0.3 is left to spend on “Ward 7”, of epsilon 0.3." in headlines(app)
    assert account().budget == Loss("3/10")
    assert "Set the budget, once" not in [button.label for button in app.button]
    for request in ("r1", "r2", "r3"):
        LedgerStore().spend(opened(CONTENT).digest, request, "curve", Loss("0.1"))
    app = with_data("budget", CONTENT)
    assert "Nothing is left to spend on “Ward 7”, of epsilon 0.3." in headlines(app)
    # Nothing can be kept or planned any more, unless some is kept and could be given free.
    assert "budget reserve" not in [one.key for one in app.text_input]
    assert not [one.value for one in app.markdown if one.value.startswith("####")]
    assert "See what was released on the release desk" in links(app)


def links(app: AppTest) -> list[str]:
    return [one.proto.label for one in app.get("page_link")]


def test_what_another_tab_has_spent_meanwhile_is_said_once() -> None:
    set_budget("2")
    app = press(with_data("release_desk", CONTENT, epsilon="1"), "Release")
    LedgerStore().spend(opened(CONTENT).digest, "another tab", "curve", Loss(2))
    app = press(app, "Charge")
    assert "costs epsilon 1, and nothing is left." in headlines(app)
    assert len(sentences(app)) == 1
    assert "needs epsilon 1, but nothing is left" in sentences(app)[0]
    assert list(app.info) == []
    assert account().spent == Loss(2)


def test_what_is_kept_can_be_given_free_when_nothing_else_is_left() -> None:
    set_budget("1")
    LedgerStore().reserve(opened(CONTENT).digest, Loss("0.4"))
    LedgerStore().spend(opened(CONTENT).digest, "r1", "curve", Loss("0.6"))
    app = with_data("budget", CONTENT)
    assert "Nothing is left to divide." in [element.value for element in app.markdown]
    app.text_input(key="budget reserve").set_value("0")
    app = press(app.run(), "Reserve")
    assert "Publish from it on the release desk" in links(app)
    assert account().available.epsilon == Fraction("0.4")


@pytest.mark.parametrize(
    "epsilon, delta, warned",
    [
        ("10", "0.001", ""),
        ("1000000000", "", "So large an epsilon protects next to nobody"),
        ("2", "0.5", "So large a delta protects too few"),
    ],
)
def test_a_budget_that_protects_nobody_is_called_so_before_it_is_set(
    epsilon: str, delta: str, warned: str
) -> None:
    app = with_data("budget", CONTENT)
    app.text_input(key="budget epsilon").set_value(epsilon)
    app.text_input(key="budget delta").set_value(delta)
    app = press(app.run(), "Set the budget")
    assert f"Set {Loss(epsilon, delta or 0)}" in labels(app)
    assert len(app.warning) == bool(warned)
    assert all(one.value.startswith(warned) for one in app.warning)


def test_a_delta_of_one_promises_nothing_and_is_no_budget() -> None:
    (said,) = sentences(set_budget("2", delta="1"))
    assert said == "Delta must be below 1, at which nothing is promised, got 1."
    assert LedgerStore().accounts() == {}


@pytest.mark.parametrize("written, given", [("", "an empty text"), ("two", "“two”")])
def test_what_is_no_number_is_quoted_as_people_do(written: str, given: str) -> None:
    (said,) = sentences(set_budget(written))
    assert said.endswith(f", got {given}.")


def test_what_is_left_is_said_of_epsilon_and_of_delta() -> None:
    app = set_budget("2", delta="0,001")
    assert LEFT.format("2, delta 0.001", "2, delta 0.001") in headlines(app)


def test_nothing_written_leaves_the_reserve_as_it_is() -> None:
    set_budget("2")
    LedgerStore().reserve(opened(CONTENT).digest, Loss("0.5"))
    app = press(with_data("budget", CONTENT), "Reserve")
    assert len(sentences(app)) == 1
    assert account().reserve == Loss("0.5")


def test_nothing_is_set_before_it_is_confirmed() -> None:
    app = with_data("budget", CONTENT)
    app.text_input(key="budget epsilon").set_value("1,5")
    app = press(app.run(), "Set the budget")
    assert "Set epsilon 1.5" in labels(app)
    assert LedgerStore().accounts() == {}
    app = press(app, "Cancel")
    assert "Cancel" not in labels(app)
    assert LedgerStore().accounts() == {}
    app = press(press(app, "Set the budget"), "Set epsilon 1.5")
    assert account().budget == Loss("1.5")
    assert "Set epsilon 1.5" not in labels(app)


@pytest.mark.few(3)
@pytest.mark.parametrize("epsilon", ["0", "", "two", "-1", "nan", "inf", "1e400x"])
def test_what_is_no_budget_is_refused_in_a_sentence(epsilon: str) -> None:
    app = set_budget(epsilon)
    assert len(sentences(app)) == 1
    assert LedgerStore().accounts() == {}


def test_a_reserve_is_kept_from_releases() -> None:
    set_budget("2")
    app = with_data("budget", CONTENT)
    app.text_input(key="budget reserve").set_value("0.5").run()
    app = press(app, "Reserve")
    assert_calm(app)
    assert LEFT.format("1.5", "2") in headlines(app)
    assert "epsilon 0.5 reserved" in html(app)
    app.text_input(key="budget reserve").set_value("3").run()
    (said,) = sentences(press(app, "Reserve"))
    assert said.startswith("This reserve needs epsilon 3, but only epsilon 2 is left")
    assert account().reserve == Loss("0.5")


def test_shares_with_locks_add_up() -> None:
    set_budget("1")
    app = with_data("budget", CONTENT)
    app.slider(key="share of roc").set_value(50).run()
    app.checkbox(key="lock of roc").check().run()
    assert app.slider(key="share of roc").disabled
    assert app.slider(key="share of calibration").value > 0
    assert app.slider(key="share of calibration").max == 50
    app.slider(key="share of calibration").set_value(40).run()
    assert_calm(app)
    plan = app.session_state["plan of shares"]
    assert plan.losses["roc"] == Loss("0.5")
    assert sum(loss.epsilon for loss in plan.losses.values()) == 1
    assert plan.losses["calibration"] == Loss("0.4")
    assert account().spent.epsilon == Fraction(0)


def test_what_is_planned_is_asked_for_on_the_desk() -> None:
    set_budget("2")
    app = with_data("budget", CONTENT)
    labels = [one.label for one in app.slider]
    # Seven equal parts are no short numbers; whole percents of the budget are.
    assert labels[0].startswith(("ROC", "AUC", "Calibration", "Score"))
    assert not any("/" in label for label in labels)
    app.slider(key="share of calibration").set_value(25).run()
    planned = dict(app.session_state["plan of shares"].losses)
    assert planned["calibration"] == Loss("0.5")
    app = app.button(key="ask for calibration").click().run()
    assert_calm(app)
    said = "Releasing “Calibration table” costs epsilon 0.5: epsilon 2"
    assert said in headlines(app)
    app = app.switch_page("pages/release_desk/page.py").run()
    app = press(press(app, "Release"), "Charge")
    assert account().spent == Loss("0.5")
    # The ledger says what was published, to those who may open it.
    row = "<td>release</td><td>Calibration table</td>"
    assert row in html(visit("ledger"))
    with mock.patch("pages.widgets.private_data.refusal", return_value="Sign in first"):
        assert row not in html(visit("ledger"))
    app = app.switch_page("pages/budget/page.py").run()
    left = app.session_state["plan of shares"].losses
    assert left == planned | {"calibration": Loss(0)}
    assert app.button(key="ask for calibration").disabled


def test_the_history_is_a_figure_and_a_table() -> None:
    set_budget("2", title="Ward 7")
    LedgerStore().spend(opened(CONTENT).digest, "r1", "first curve", Loss("0.25"))
    app = with_data("budget", CONTENT)
    assert "first curve" in html(app)
    assert "Charges, in the order of release" in html(app)


def test_without_data_the_page_lists_what_the_ledger_knows() -> None:
    set_budget("2", title="<b>Ward</b>")
    app = visit("budget")
    assert "holds 1 budget; no data are open" in headlines(app)
    assert "&lt;b&gt;Ward&lt;/b&gt;" in html(app)
    assert opened(CONTENT).digest not in html(app)


def test_the_ledger_page_verifies_and_exports() -> None:
    assert "The ledger is empty" in headlines(visit("ledger"))
    set_budget("2", title="Ward 7")
    app = visit("ledger")
    assert_calm(app)
    assert "The one row of the ledger is as it was written." in headlines(app)
    head = app.code[0].value
    # All of it is seen on a telephone: what scrolls sideways no key could reach.
    assert app.code[0].proto.wrap_lines
    assert json.loads(LedgerStore().export())["head"] == head
    app.text_input(key="noted hash").set_value("0" * 64).run()
    assert "written anew" in headlines(app)
    app.text_input(key="noted hash").set_value(head.upper()).run()
    assert "as it was written" in headlines(app)
    # What is no hash accuses nobody.
    app.text_input(key="noted hash").set_value(head[:-1]).run()
    assert "as it was written" in headlines(app)
    assert "64 hexadecimal digits" in sentences(app)[0]


def test_a_changed_row_is_named() -> None:
    set_budget("2")
    with sqlite3.connect(LedgerStore().path) as connection:
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE entries SET facts = replace(facts, '2', '9')")
    app = visit("ledger")
    assert "row 1 (budget) was changed" in headlines(app)
    assert "ledger restore" in app.code[0].value


def test_budgets_of_an_earlier_version_are_asked_for_before_a_new_one_is_set() -> None:
    store = LedgerStore()
    facts = {"epsilon": "1", "delta": "0", "neighbors": "add-remove", "title": "[Ward](7)"}
    with journal(store.path, write=True) as book:
        book.append(kind="budget", data=book.name_of("lines"), request="", facts=facts)
    (said,) = sentences(with_data("budget", CONTENT))
    assert "wait for their files: “\\[Ward\\](7)”" in said
    store.recognise(opened(CONTENT).digest, "lines")
    app = with_data("budget", CONTENT)
    assert sentences(app) == []
    assert "Epsilon 1 is left to spend on “[Ward](7)”, of epsilon 1." in headlines(app)
    assert "the same data as [Ward](7), read anew" in html(with_data("ledger", CONTENT))


def test_the_features_that_are_selected_are_those_that_are_shown() -> None:
    """A table of twelve rows, evenly spread over all, had some of them by chance."""
    levels = tuple(f"town {number}" for number in range(60))
    data = simulated_dataset(
        Schema((Categorical("town", levels=levels), Label("ill", ("no", "yes")))), Assumed(n=300)
    )
    LedgerStore().open_budget(data.digest, Loss(3))
    app = with_table(data, release_desk_what="features", select__top_k="4")
    app = press(press(app, "Release"), "Charge")
    assert "4 of 60 features are selected" in headlines(app)
    assert "12 of 60 rows; the CSV has all" in html(app)
    assert html(app).count("<td>true</td>") == 4
    (every,) = [one for one in app.toggle if one.label == "All 60 rows"]
    every.set_value(True).run()
    assert html(app).count("<td>false</td>") == 56


def test_a_look_at_the_release_of_features_changes_no_other_release() -> None:
    data = table(digest="looked at")
    LedgerStore().open_budget(data.digest, Loss(3))
    source = study_fields.DataSource(file="data", schema="schema")
    app = with_table(data, release_desk_what="model")

    def asked_after(*kinds: str) -> Request:
        for kind in kinds:
            app.selectbox(key="control release_desk_what").set_value(kind).run()
            assert_calm(app)
        return choices.request(app.session_state["chosen"], source)

    before = asked_after()
    assert asked_after("features", "model") == before
    # Whoever has chosen how features are selected keeps that.
    asked_after("features")
    (control,) = [one for one in app.select_slider if one.label == "Features to select"]
    control.set_value(control.options[1]).run()
    kept = asked_after("model").study
    assert kept.selection.parameters["top_k"] == 2
    assert kept.epsilon.selection > 0
