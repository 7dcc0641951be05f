"""The groups page: an odd file of nine columns, its gaps in words, its link, and no groups."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import precision_score, recall_score, roc_auc_score
from streamlit.testing.v1 import AppTest

from dpcore._numbers import ANY, rate
from dpcore.data.reading import read_predictions
from dpcore.data.reading.predictions import PredictionColumns
from dpcore.data.reading.roles.columns import PredictionRoles
from dpcore.evaluation import ExactScores
from dpcore.evaluation.decisions.groups import MOST_LEVELS
from dpcore.figures import LIGHT
from dpcore.privacy import Ledger
from dpcore.study import from_json, run_workflow
from pages.groups import choices, view
from pages.session import open_data, study_fields
from tests.app.opening import assert_calm, html, open_page, sentences, taken
from tests.app.test_compare_page import MODELS, content, figure, rows, with_file
from tests.app.test_data import choose, upload

SITES = ("north", "south", "west")
ROLES = PredictionRoles("Outcome", MODELS, "Site")


@pytest.fixture(scope="module")
def opened() -> AppTest:
    return with_file("groups", content())


def records(group: object = None, number: int = 400) -> view.Grouped:
    """Groups of predictions that a model ranks well."""
    label = np.arange(number) % 2
    score = (label + np.arange(number) % 7 / 7) / 2
    names = np.array(["a", "a", "b", "b"] * (number // 4) if group is None else group, dtype=object)
    columns = PredictionColumns(label, {"s": score}, names)
    return view.grouped(columns, "s", open_data._levels(names))


def result_of(
    found: view.Grouped, ledger: Ledger | None = None, **chosen: str
) -> view.GroupsResult:
    return view.run(
        choices.read({**choices.DEFAULTS, **chosen}),
        found,
        study=study_fields.workflow(study_fields.DEFAULTS),
        ledger=ledger if ledger is not None else Ledger(),
        part=None,
    )


def test_the_takeaway_names_the_largest_gap(opened: AppTest) -> None:
    assert_calm(opened)
    words = html(opened)
    assert "At epsilon 1 the AUC of the 3 groups large enough to judge differs by 0." in words
    assert "”, lowest for “south”." in words
    assert words.index("dpcore-headline") < words.index("Rates by group, with intervals")
    assert [one["text"] for one in figure(opened)["layout"]["annotations"]] == ["SIMULATION"]
    said = " ".join(one.value for one in opened.caption)
    assert f"The score is “{MODELS[0]}”, the groups are those of “Site”; the Data page" in said
    assert "The names of the groups are taken from the data" in said
    assert "Too few records to say anything at this epsilon: “(other)”" in said


def test_the_true_rates_are_scikit_learns(opened: AppTest) -> None:
    read = rows()
    for name in SITES:
        here = read[read["Site"] == name]
        ill, score = here["Outcome"] == "yes", here[MODELS[0]]
        for true in (
            roc_auc_score(ill, score),
            recall_score(ill, score >= 0.5),
            precision_score(ill, score >= 0.5),
        ):
            assert f"true {rate(true)}" in html(opened)
    drawn = figure(opened)["data"][-1]
    assert drawn["name"] == "true"
    assert len(drawn["x"]) == len(SITES)


def test_one_charge_stands_in_the_meter_for_all_groups(opened: AppTest) -> None:
    assert "all records: groups</span><span>1</span>" in html(opened)
    ledger = Ledger()
    result_of(records(["a", "a", "b", "b"] * 100), ledger, groups_epsilon="0.3")
    assert str(ledger.spent) == "epsilon 0.3"


def test_a_link_restores_the_picture() -> None:
    link = {"groups_epsilon": "0.37", "groups_rate": "fpr", "groups_threshold": "0.3"}
    app = with_file("groups", content(), **link)
    assert_calm(app)
    assert {name: app.query_params[name] for name in link} == link
    assert "false positive rate" in figure(app)["layout"]["xaxis"]["title"]["text"]
    assert figure(with_file("groups", content(), **link)) == figure(app)


def test_without_a_threshold_its_rates_are_not_there() -> None:
    app = with_file("groups", content(), groups_rate="ppv")
    app.toggle(key="control groups_alarms").set_value(False).run()
    assert_calm(app)
    assert app.query_params["groups_alarms"] == "no"
    assert app.selectbox(key="control groups_rate").value == "auc"
    assert "AUC of the group" in figure(app)["layout"]["xaxis"]["title"]["text"]
    assert '<th scope="col">precision</th>' not in html(app)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "name, value, says",
    [
        ("groups_epsilon", "0", "positive"),
        ("groups_rate", "auroc", "base_rate"),
        ("groups_alarms", "1", "yes"),
        ("groups_threshold", "2", "between 0 and 1"),
    ],
)
def test_nonsense_in_a_link_is_one_sentence_and_a_default(name: str, value: str, says: str) -> None:
    app = with_file("groups", content(), **{name: value})
    assert [error.message for error in app.exception] == []
    (sentence,) = sentences(app)
    assert says in sentence
    assert app.query_params[name] == choices.DEFAULTS[name]


@pytest.mark.parametrize(
    "file, remedy",
    [(None, "at most 20 levels"), (b"label,score\n" + b"yes,0.9\nno,0.2\n" * 30, "group column")],
)
def test_without_groups_the_page_says_what_to_open(file: bytes | None, remedy: str) -> None:
    opened = {} if file is None else {"file": file}
    app = with_file("groups", **opened) if opened else open_page("groups", data="breast-cancer")
    assert_calm(app)
    assert "These records name no groups" in html(app)
    assert any(remedy in one.value for one in app.markdown)
    assert "To the Data page" in [one.proto.label for one in app.get("page_link")]


def test_groups_that_are_too_small_cannot_tell() -> None:
    small = result_of(records(), groups_epsilon="0.001")
    assert "this evaluation by group says nothing: the noise" in view.headline(small)
    assert "“a”, “b”" in view.small(small)
    assert all(row[2].startswith(ANY) for row in view.table(small, small.choice.rates)[1])
    # Nobody is flagged, of whom a precision could be told.
    nobody = result_of(records(number=4000), groups_threshold="0.99")
    auc, precision = (
        view.table(nobody, {name: name})[1][0][2].split(",")[0] for name in ("auc", "ppv")
    )
    assert auc == "1.000 (0.992 to 1.000)"
    assert precision == ANY
    drawn = view.groups_picture(nobody.found, LIGHT, "ppv").alt
    assert drawn.count(f": {ANY}") == 3
    alike = result_of(records(number=4000))
    assert (
        "cannot tell whether the AUC of the 2 groups large enough to judge differs"
        in view.headline(alike)
    )


def test_the_largest_groups_are_the_levels_and_all_else_is_other() -> None:
    names = [f"g{place:02}" for place in range(30)] * 10 + ["g03"] * 50 + ["", "(other)"] * 25
    found = records(names, len(names))
    assert len(found.levels) == MOST_LEVELS
    assert "g03" in found.levels
    assert not {"", "(other)"} & set(found.levels)
    assert sum(one.scores.size for one in found.exact) == len(names)
    # Two spellings of one number are one group.
    assert records(["1", "1", "1.0", "1.0"] * 100).levels in (("1",), ("1.0",))


def test_an_empty_group_has_no_true_rate() -> None:
    assert view.true_rates(ExactScores(np.zeros(0, dtype=bool), np.zeros(0)), 0.5) == {"size": 0.0}
    alike = ExactScores(np.ones(3, dtype=bool), np.full(3, 0.9))
    assert "auc" not in view.true_rates(alike, None)


def test_the_files_are_complete_and_stamped() -> None:
    read = read_predictions(content(), name="clinic.csv", roles=ROLES, leave_out=True)
    whole = run_workflow(study_fields.workflow(study_fields.DEFAULTS))
    result = result_of(view.grouped(read.parsed, MODELS[0], SITES))
    files = view.files(result, whole)
    table = list(csv.DictReader(io.StringIO(taken("CSV", files))))
    assert [row["group"] for row in table] == [*SITES, "(other)"]
    assert {row["noise"] for row in table} == {"simulation, seed:7"}
    assert float(table[0]["true_auc"]) == pytest.approx(result.truth[0]["auc"])
    document = json.loads(taken("JSON", files))
    assert document["simulation"] is True
    assert document["groups"]["threshold"] == 0.5
    assert set(document["truth"]) == {*SITES, "(other)"}
    assert "SIMULATION" in taken("HTML", files)


@pytest.fixture(scope="module")
def trained() -> AppTest:
    return open_page("groups", groups_by="2")


def test_a_trained_model_is_looked_at_by_a_column_of_its_table(trained: AppTest) -> None:
    """From the first visit to the gap: every true rate is scikit-learn's on the test records."""
    assert_calm(trained)
    assert "At epsilon 1 " in html(trained)
    picker = trained.selectbox(key="control groups_by")
    assert picker.options[:3] == ["sex", "education", "smoker"]
    assert trained.query_params["groups_by"] == "2"
    whole = run_workflow(study_fields.workflow(study_fields.DEFAULTS))
    education = open_data.sample.__wrapped__("heart-risk").frame["education"]
    here = education[whole.prepared.test_rows].to_numpy()
    exact = whole.tested.exact
    for level in ("primary", "college"):
        rows = here == level
        true = roc_auc_score(exact.positive[rows], exact.scores[rows])
        assert f"true {rate(true)}" in html(trained)
    assert figure(trained)["layout"]["yaxis"]["ticktext"][:2] == ["primary", "secondary"]
    said = " ".join(one.value for one in trained.caption)
    assert "The score is the chance of “yes”" in said
    assert "levels that the schema declares" in said
    # The study is told of its own test records, not of the train part.
    assert "test records: groups</span><span>1</span>" in html(trained)


def test_groups_of_an_upload_are_taken_from_the_data_until_somebody_declares_them() -> None:
    wards = "".join(f"{at % 60},{'ABBCCCCC'[at % 8]},{at * 7 % 11 % 2}\n" for at in range(400))
    app = choose(open_page("data"), "My table")
    upload(app, "table file", "wards.csv", f"age,site,died\n{wards}".encode())
    for sentence in ("names of the groups are taken from the data", "levels that the schema decl"):
        app.switch_page("pages/groups/page.py").run()
        assert_calm(app)
        assert sentence in " ".join(one.value for one in app.caption)
        opened = app.session_state["upload"]
        declared = replace(opened.records.schema, taken_from_data=frozenset())
        records = replace(opened.records, schema=declared)
        app.session_state["upload"] = replace(opened, records=records)


def test_another_column_is_another_figure_and_no_other_model(trained: AppTest) -> None:
    app = open_page("groups", groups_by="99")
    assert_calm(app)
    # A link from another table asks for a place that this one lacks: the last there is.
    assert app.selectbox(key="control groups_by").value == 7
    assert app.query_params["groups_by"] == "7"
    app.selectbox(key="control groups_by").set_value(2).run()
    assert_calm(app)
    assert figure(app)["data"] == figure(trained)["data"]


def test_the_study_that_is_taken_names_its_groups() -> None:
    whole = run_workflow(study_fields.workflow(study_fields.DEFAULTS))
    source = replace(whole.config.data, group="sex")
    grouped = replace(whole, config=replace(whole.config, data=source))
    result = result_of(records())
    taken_study = from_json(taken("Study", view.files(result, grouped)))
    assert taken_study.data.group == "sex"
    # The same groups, as the command line and the desk see them.
    assert set(run_workflow(taken_study).tested.groups) == {"female", "male", None}


def test_a_group_column_of_predictions_is_in_every_study_file(opened: AppTest) -> None:
    opened.switch_page("pages/roc/page.py").run()
    assert_calm(opened)
    study = opened.session_state["latest result"]["result"].config
    assert (study.data.group, study.data.levels) == ("Site", SITES)
