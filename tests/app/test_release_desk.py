"""The desk: the plan before, the question between, the release after, and nothing twice."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from unittest import mock

import pytest
from streamlit.testing.v1 import AppTest

from dpcore import LedgerStore, Loss
from dpcore.desk import (
    Assumed,
    Request,
    publications,
    publications_of,
    read_blindly,
    releases,
    request_id,
    simulated_dataset,
    simulated_predictions,
)
from dpcore.schema import Categorical, Label, Schema
from dpcore.study import Dataset, DataSource, Workflow
from pages.release_desk import choices
from pages.session import study_fields
from pages.widgets import private_data, stored_release
from tests.app.opening import assert_calm, html, sentences
from tests.app.private_visit import (
    SOURCE,
    headlines,
    locked,
    opened,
    press,
    scores,
    visit,
    with_data,
)
from tests.desk._made import failing, table

CONTENT = scores()


@pytest.fixture(autouse=True)
def private() -> object:
    """A locked server whose data have a budget of 2."""
    LedgerStore().open_budget(opened(CONTENT).digest, Loss(2), title="Ward 7")
    with locked(), mock.patch("pages.release_desk.preview.REPEATS", 4):
        yield


def spent() -> Fraction:
    return LedgerStore().account(opened(CONTENT).digest).spent.epsilon


def released(app: AppTest) -> AppTest:
    return press(press(app, "Release"), "Charge")


def with_table(data: Dataset, **address: str) -> AppTest:
    """A visit to the desk that has opened a table, and never predictions."""
    app = visit("release_desk", **address)
    source = study_fields.DataSource(file="data", schema="schema")
    app.session_state[private_data.OPENED] = private_data.Private(data, source, data.schema)
    return app.run()


def test_looking_spends_nothing() -> None:
    app = with_data("release_desk", CONTENT, epsilon="0.5")
    assert_calm(app)
    assert "costs epsilon 0.5: epsilon 2 → epsilon 1.5." in headlines(app)
    assert "simulated releases of 5,000 records" in headlines(app)
    assert spent() == 0
    app = press(app, "Release")
    assert spent() == 0
    assert "Charge epsilon 0.5 and release" in [button.label for button in app.button]
    press(app, "Cancel")
    assert spent() == 0


@pytest.mark.few(1)
@pytest.mark.parametrize("what", ["roc", "ecdf", "calibration"])
def test_a_release_is_charged_stored_and_shown(what: str) -> None:
    app = released(with_data("release_desk", CONTENT, epsilon="0.5", release_desk_what=what))
    assert_calm(app)
    assert spent() == Fraction(1, 2)
    assert any(one.value.startswith("Released for epsilon 0.5.") for one in app.caption)
    assert "is stored: showing it again costs nothing" in headlines(app)
    assert "Where the privacy went: epsilon 0.5" in html(app)
    labels = [button.label for button in app.get("download_button")]
    assert labels == ["Bundle", "CSV", "JSON"]


def test_the_same_request_from_another_visit_is_free() -> None:
    first = released(with_data("release_desk", CONTENT, epsilon="0.5"))
    for _ in range(2):
        second = press(with_data("release_desk", CONTENT, epsilon="0.5"), "Show the stored")
        assert "showing it again costs nothing." in " ".join(c.value for c in second.caption)
        stated = [line for line in headlines(first).splitlines() if "private AUC" in line]
        assert stated == [line for line in headlines(second).splitlines() if "private AUC" in line]
    assert spent() == Fraction(1, 2)


def test_a_confirmation_counts_for_the_request_it_was_given_for() -> None:
    app = press(with_data("release_desk", CONTENT, epsilon="0.5"), "Release")
    asked = app.session_state["release to confirm"]
    app.session_state["release that is confirmed"] = asked, False
    app.session_state["chosen"]["epsilon"] = "1.5"
    app.run()
    assert "changed after it was confirmed" in sentences(app)[0]
    assert spent() == 0


def test_too_much_is_refused_with_what_fits() -> None:
    app = with_data("release_desk", CONTENT, epsilon="3")
    (button,) = [button for button in app.button if button.label.startswith("Release")]
    assert button.disabled
    assert "only epsilon 2 is left" in button.help
    assert (headlines(app).count("only epsilon 2 is left"), len(app.info)) == (1, 0)
    app = press(app, "Take epsilon 2 instead")
    assert "epsilon 2 → epsilon 0." in headlines(app)
    assert released(app).query_params["epsilon"] == "2"
    assert spent() == 2


def test_the_wanted_accuracy_gives_an_epsilon() -> None:
    app = press(with_data("release_desk", CONTENT), "Find epsilon")
    assert_calm(app)
    assert any("± 0.03 takes epsilon" in caption.value for caption in app.caption)
    assert 0 < Fraction(app.query_params["epsilon"]) < 1
    assert spent() == 0
    # Of another kind of release, which the same epsilon serves otherwise, it says nothing.
    app.selectbox(key="control release_desk_what").set_value("auc").run()
    assert not any("takes epsilon" in caption.value for caption in app.caption)


def test_the_preview_reads_no_record() -> None:
    few, many = scores(n=30, seed=2), scores(n=900, seed=3)
    for content in (few, many):
        LedgerStore().open_budget(opened(content).digest, Loss(2))
    pages = [with_data("release_desk", content) for content in (few, many)]
    expected, other = (headlines(app).splitlines()[1] for app in pages)
    assert "simulated" in expected
    assert expected == other


def test_an_interrupted_release_is_said_to_be_void() -> None:
    with mock.patch.object(Request, "carry_out", failing(ZeroDivisionError("row 17"))):
        app = released(with_data("release_desk", CONTENT, epsilon="0.5"))
    assert "is void" in sentences(app)[0]
    assert "row 17" not in html(app) + " ".join(sentences(app))
    assert spent() == Fraction(1, 2)
    app = press(press(app, "Release again, for a new charge"), "Charge")
    assert_calm(app)
    assert spent() == 1


def test_asking_for_what_is_being_drawn_waits_and_never_pays_again() -> None:
    """Here the process that drew it is dead, which whoever waits finds out."""
    with (
        mock.patch.object(Request, "carry_out", failing(ZeroDivisionError())),
        mock.patch.object(LedgerStore, "void"),
    ):
        released(with_data("release_desk", CONTENT, epsilon="1.5"))
    second = with_data("release_desk", CONTENT, epsilon="1.5")
    assert "is being drawn: waiting for it costs nothing" in headlines(second)
    assert "is void" in sentences(press(second, "Wait for this release"))[0]
    assert spent() == Fraction(3, 2)


def test_a_run_that_became_void_after_the_question_is_not_paid_for_again() -> None:
    first = press(with_data("release_desk", CONTENT, epsilon="0.5"), "Release")
    with mock.patch.object(Request, "carry_out", failing(ZeroDivisionError())):
        released(with_data("release_desk", CONTENT, epsilon="0.5"))
    assert "is void" in sentences(press(first, "Charge"))[0]
    assert spent() == Fraction(1, 2)


def test_a_link_cannot_ask_for_what_is_not_proven() -> None:
    app = with_data(
        "release_desk",
        CONTENT,
        training="vaidya",
        release_desk_roc_method="broken",
        release_desk_what="everything",
        release_desk_n="-1",
    )
    assert "costs epsilon 1" in headlines(app)
    assert list(app.exception) == []
    assert app.session_state["chosen"]["release_desk_roc_method"] == "quantile-bins"


def test_the_invalid_test_is_marked() -> None:
    method = {"release_desk_calibration_method": "hosmer-lemeshow-published"}
    app = with_data("release_desk", CONTENT, release_desk_what="calibration", **method)
    assert any("its test is not valid" in warning.value for warning in app.warning)


@pytest.mark.few(3)
@pytest.mark.parametrize("what", sorted(set(publications()) - {"compare", "classes"}))
def test_everything_can_be_released_from_a_table(what: str) -> None:
    data = table(digest=f"table {what}")
    LedgerStore().open_budget(data.digest, Loss(3), title="Patients")
    app = with_table(data, release_desk_what=what)
    assert_calm(app)
    app = released(app)
    assert_calm(app)
    (stored,) = LedgerStore().results(data.digest).values()
    assert json.loads(stored)["request"]["what"] == what
    assert "Where the privacy went" in html(app)


def test_the_test_fraction_is_chosen_and_makes_another_release() -> None:
    data = table(digest="divided")
    LedgerStore().open_budget(data.digest, Loss(3), title="Patients")
    source = study_fields.DataSource(file="data", schema="schema")
    app = with_table(data, release_desk_what="features", test="0.45")
    (control,) = [one for one in app.select_slider if one.label == "Records kept for testing"]
    assert control.value == "0.45"
    made = [choices.request(app.session_state["chosen"], source)]
    control.set_value("0.6").run()
    assert_calm(app)
    assert app.query_params["test"] == "0.6"
    made.append(choices.request(app.session_state["chosen"], source))
    assert [request.study.split.test_fraction for request in made] == [0.45, 0.6]
    store = LedgerStore()
    assert len({request_id(request, data, store) for request in made}) == 2


def test_no_more_features_are_asked_for_than_the_schema_has() -> None:
    small = Schema((Categorical("town", levels=("north", "south")), Label("ill", ("no", "yes"))))
    data = simulated_dataset(small, Assumed(n=300))
    LedgerStore().open_budget(data.digest, Loss(3))
    app = with_table(data, release_desk_what="features")
    assert_calm(app)
    assert app.query_params["select.top_k"] == "1"
    assert "Difference count" in next(one for one in app.selectbox if one.label == "Score").options
    assert "expect an error of at most" in headlines(app)


def test_predictions_are_not_divided() -> None:
    labels = [one.label for one in with_data("release_desk", CONTENT).select_slider]
    assert "Records kept for testing" not in labels


@pytest.mark.few(1)
@pytest.mark.parametrize("what", ["roc", "ecdf", "calibration"])
def test_every_preview_has_a_figure_and_a_spread(what: str) -> None:
    app = with_data("release_desk", CONTENT, release_desk_what=what)
    assert any("nine in ten releases lie between" in one.value for one in app.markdown)
    assert not any("no curve" in one.value for one in app.caption)


def test_every_kind_has_its_choices_and_its_words() -> None:
    every = DataSource(file="a.csv", schema="a.toml", group="sex")
    assert set(publications()) - set(publications_of(every)) == {"compare"}
    bare = publications_of(DataSource(predictions="a.csv"))
    assert set(publications()) - set(bare) == {"model", "features", "groups", "compare", "classes"}


@pytest.mark.parametrize("what, mark", [("roc", "±"), ("model", "at most")])
def test_the_wanted_accuracy_is_what_a_release_of_that_kind_can_state(what: str, mark: str) -> None:
    data = table(digest="wanted")
    LedgerStore().open_budget(data.digest, Loss(3), title="Patients")
    app = with_table(data, release_desk_what=what)
    (wanted,) = app.number_input
    assert wanted.label.startswith(f"I need {mark} this (AUC")


def test_the_found_epsilon_is_one_whose_preview_keeps_to_the_target() -> None:
    app = press(with_data("release_desk", CONTENT, release_desk_n="2000"), "Find epsilon")
    stated = re.search(r"expect the release to state ± ([0-9.]+) \(AUC\)", headlines(app))
    assert 0 < float(stated.group(1)) <= 0.03


@pytest.mark.parametrize("name", ["fpr_lower", "terms[0].edges[0][2]"])
def test_a_released_table_has_words_for_its_columns_and_numbers(name: str) -> None:
    words = stored_release.path(name) if "[" in name else stored_release.head(name)
    assert not re.search(r"[_\[\]]", words)


def test_the_first_threshold_and_a_column_without_numbers_are_told() -> None:
    app = released(with_data("release_desk", CONTENT, epsilon="0.5"))
    assert "above all scores" in html(app)
    assert "fpr_lower" not in html(app)
    assert "There is one charge: epsilon 0.5." in " ".join(one.value for one in app.markdown)


DECLARED = replace(
    SOURCE, label="y", score="p", score_b="q", group="sex", levels=("f", "m"), positive="1",
    classes=("0", "1", "2"), class_scores=("u", "v", "w"),
)  # fmt: skip


def decisions() -> bytes:
    """Two scores, a group and a score of each class; one of the rows is odd."""
    made = simulated_predictions(
        Assumed(n=600), two=True, levels=("f", "m"), classes=("0", "1", "2")
    )
    rows = zip(
        made.y_true.tolist(), made.y_score.tolist(), made.y_score_b.tolist(),
        made.grouping.places.tolist(), zip(*made.by_class.scores, strict=True), strict=True,
    )  # fmt: skip
    lines = [
        f"{y},{p!r},{q!r},{'fm'[place]},{','.join(map(str, each))}" for y, p, q, place, each in rows
    ]
    return "\n".join(("y,p,q,sex,u,v,w", *lines, "1,high,,,,,")).encode()


def with_decisions(page: str, **address: str) -> AppTest:
    asked = Request(what="groups", study=Workflow(data=DECLARED))
    app = visit(page, **address)
    held = private_data.Private(read_blindly(decisions(), asked), DECLARED, None)
    app.session_state[private_data.OPENED] = held
    return app.run()


@pytest.mark.few(2)
@pytest.mark.parametrize("what", ["auc", "threshold", "groups", "compare", "classes"])
def test_a_decision_goes_from_its_page_to_the_desk_and_back(what: str) -> None:
    """The page leads to the desk with the request filled in, and shows what was released there."""
    digest = read_blindly(decisions(), Request(what="groups", study=Workflow(data=DECLARED))).digest
    LedgerStore().open_budget(digest, Loss(2), title="Two models")
    has_page = what not in ("auc", "classes")
    if has_page:
        page = with_decisions(what)
        button = next(one for one in page.button if one.label.startswith("Release it"))
        button.click().run()
        assert page.session_state["chosen"]["release_desk_what"] == what
    app = released(with_decisions("release_desk", epsilon="1", release_desk_what=what))
    assert_calm(app)
    assert LedgerStore().account(digest).spent.epsilon == 1
    if has_page:
        assert "Release another" in [one.label for one in with_decisions(what).button]


@pytest.mark.few(1)
@pytest.mark.parametrize("what", ["threshold", "groups"])
def test_a_threshold_is_asked_for_as_scores_are_written(what: str) -> None:
    """The request keeps it between 0 and 1, so that earlier ones stay what they were."""
    source = replace(DECLARED, scale="any", bounds=(300.0, 850.0))
    app = visit("release_desk", release_desk_what=what)
    asked = Request(what="groups", study=Workflow(data=source))
    held = private_data.Private(read_blindly(decisions(), asked), source, None)
    app.session_state[private_data.OPENED] = held
    app.run()
    name = f"release_desk_{what}.threshold"
    place = app.number_input(key=f"control {name}")
    assert (place.min, place.value, place.max) == (300.0, 575.0, 850.0)
    place.set_value(410.0).run()
    assert_calm(app)
    assert app.number_input(key=f"control {name}").value == 410.0
    assert float(app.session_state["chosen"][name]) == pytest.approx(0.2)


def test_what_data_lack_is_said_on_the_desk() -> None:
    app = with_data("release_desk", CONTENT, release_desk_what="compare")
    assert any("one declared score" in one.value for one in app.warning)
    assert "the private AUC" not in headlines(app)


def test_groups_of_a_table_are_those_of_a_column_of_its_schema() -> None:
    data = table(digest="grouped")
    LedgerStore().open_budget(data.digest, Loss(3), title="Patients")
    app = with_table(data, release_desk_what="groups", release_desk_group="job")
    assert_calm(app)
    (groups,) = [one for one in app.selectbox if one.label == "Groups"]
    assert (groups.value, groups.options) == ("job", ["smoker", "job"])


def test_the_ledger_opens_what_was_stored_at_no_cost() -> None:
    first = released(with_data("release_desk", CONTENT, epsilon="0.5"))
    stated = [line for line in headlines(first).splitlines() if "private AUC" in line]
    app = visit("ledger")
    assert_calm(app)
    assert [line for line in headlines(app).splitlines() if "private AUC" in line] == stated
    assert "showing it again costs nothing" in " ".join(one.value for one in app.caption)
    assert [one.label for one in app.get("download_button")][1:] == ["Bundle", "CSV", "JSON"]
    assert spent() == Fraction(1, 2)
    released(with_data("release_desk", CONTENT, epsilon="1"))
    again = visit("ledger")
    (picker,) = [one for one in again.selectbox if one.label == "Stored release"]
    assert [name.split(", ")[:2] for name in picker.options] == [
        ["ROC curve", "epsilon 1"],
        ["ROC curve", "epsilon 0.5"],
    ]
    assert all(name.endswith("Ward 7") for name in picker.options)
    picker.set_value(releases(LedgerStore())[0].request_id).run()
    assert [line for line in headlines(again).splitlines() if "private AUC" in line] == stated


def test_who_may_not_open_data_opens_no_release() -> None:
    released(with_data("release_desk", CONTENT, epsilon="0.5"))
    with mock.patch("pages.widgets.private_data.refusal", return_value="Sign in first"):
        app = visit("ledger")
    assert "private AUC" not in headlines(app)
    assert [one.label for one in app.get("download_button")] == ["Export the ledger"]
