"""The Model page: its four views, the threshold, comparisons, exports, words, and links."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpcore.models import DPClassifier
from dpcore.study import WorkflowResult, prepared_records, run_workflow
from dpcore.study.baselines import REFERENCE_IN_FULL
from pages.model import choices, scores
from pages.session import study_fields
from tests.app.opening import assert_calm, figure, html, open_page, sentences

FEW = {"model_methods": "auto,objective", "model_draws": "1"}


def names(app: AppTest) -> list[str]:
    return [trace["name"] for trace in figure(app)["data"] if trace.get("showlegend", True)]


def labels(app: AppTest) -> list[str]:
    return [element.proto.label for element in app.get("download_button")]


@pytest.mark.parametrize("kind", ["classifier", "naive-bayes", "logistic"])
def test_the_headline_says_which_model_is_which(kind: str) -> None:
    app = open_page("model", model=kind)
    assert_calm(app)
    words = html(app)
    assert "Trained at epsilon 1, the model reaches a true test AUC of 0." in words
    assert "The same model with the noise off reaches 0." in words
    assert "To compare, scikit-learn&#x27;s logistic regression on splines reaches 0." in words
    assert figure(app)["layout"]["annotations"][0]["text"] == "exact, not private"
    assert labels(app) == ["CSV", "Parameters", "scikit-learn", "Study"]
    assert "Where the privacy went" in " ".join(element.value for element in app.markdown)


def test_a_broken_method_only_claims_its_epsilon() -> None:
    app = open_page("model", training="smooth-published")
    words = html(app)
    assert "Trained at a claimed epsilon 1" in words
    assert "noisy model" in words
    assert "private model" not in words
    assert names(open_page("model", training="smooth-published", model_view="parameters")) == [
        "noisy",
        "without noise",
    ]


def test_the_threshold_moves_line_matrix_and_address() -> None:
    app = open_page("model")
    before = html(app)
    app.slider(key="control model_threshold").set_value(0.05).run()
    assert_calm(app)
    assert app.query_params["model_threshold"] == "0.05"
    assert figure(app)["layout"]["shapes"][0]["x0"] == 0.05
    assert "threshold 0.05: exact counts" in html(app)
    # An accuracy says little without the one that costs nothing, which the table has too.
    (most,) = re.findall(r"always the more frequent side: ([\d.]+ %)", html(app))
    assert f"<td>{most}</td>" in html(app)
    assert html(app) != before


@pytest.mark.few(1)
@pytest.mark.parametrize("measure", ["accuracy", "balanced", "auc"])
def test_methods_over_epsilon_beside_the_reference_and_the_majority(measure: str) -> None:
    app = open_page("model", model_view="accuracy", model_measure=measure, **FEW)
    assert_calm(app)
    assert names(app) == [
        "scikit-learn's logistic regression on splines",
        "always the most frequent class",
        "By columns and size",
        "Objective perturbation, block-wise",
    ]
    assert "of scikit-learn&#x27;s logistic regression on splines, 0." in html(app)
    assert "By columns and size, noise off" in html(app)
    assert "ε 0.03" in html(app)


def test_running_times_over_the_number_of_records() -> None:
    app = open_page("model", model_view="runtime", model_methods="truncated-counts")
    assert_calm(app)
    assert names(app) == ["scikit-learn's naive Bayes without privacy", "Truncated counts"]
    assert "On 20,000 records the slowest of these methods" in html(app)


@pytest.mark.few(1)
@pytest.mark.parametrize("data", ["breast-cancer", "heart-risk", "messages"])
@pytest.mark.parametrize("model", ["naive-bayes", "logistic"])
def test_parameters_noisy_against_true(data: str, model: str) -> None:
    app = open_page("model", model_view="parameters", data=data, model=model)
    assert_calm(app)
    assert names(app) == ["private", "without noise"]
    assert re.search(
        r"that say most without noise, the private model gives \d+ the same", html(app)
    )


def test_a_text_has_a_plain_scikit_learn_file_too() -> None:
    for model in ("naive-bayes", "logistic"):
        assert "scikit-learn" in labels(open_page("model", data="messages", model=model))


def test_a_link_restores_the_picture() -> None:
    link = {
        "model_view": "accuracy",
        "model_methods": "moments,output-perturbation",
        "model_measure": "auc",
        "model_draws": "2",
        "model_threshold": "0.3",
    }
    app = open_page("model", **link)
    assert_calm(app)
    assert {name: app.query_params[name] for name in link} == link
    again = {name.replace(".", "__"): value for name, value in app.query_params.items()}
    assert figure(open_page("model", **again)) == figure(app)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "name, value, says",
    [
        ("model_view", "all", "runtime"),
        ("model_threshold", "2", "between 0 and 1"),
        ("model_threshold", "half", "a number"),
        ("model_methods", "histogramm", "histogram"),
        ("model_methods", ",", "1 to 6"),
        ("model_measure", "f1", "balanced"),
        ("model_draws", "0", "between 1 and 20"),
        ("model_locked", "training,testing", "selection"),
    ],
)
def test_nonsense_in_a_link_is_one_sentence_and_a_default(name: str, value: str, says: str) -> None:
    app = open_page("model", **{name: value})
    assert [error.message for error in app.exception] == []
    (sentence,) = sentences(app)
    assert says in sentence
    assert app.query_params[name] == choices.DEFAULTS[name]


def test_deselecting_all_methods_keeps_the_last_ones() -> None:
    app = open_page("model", model_view="accuracy", **FEW)
    app.multiselect(key="control model_methods").set_value([]).run()
    assert_calm(app)
    assert app.query_params["model_methods"] == FEW["model_methods"]
    app.multiselect(key="control model_methods").set_value(["vaidya"]).run()
    assert app.query_params["model_methods"] == "vaidya"


@pytest.fixture(scope="module")
def study() -> WorkflowResult:
    return run_workflow(study_fields.workflow(study_fields.DEFAULTS))


def test_the_files_are_complete_and_stamped(study: WorkflowResult) -> None:
    choice = choices.read(choices.DEFAULTS)
    rows = list(csv.DictReader(io.StringIO(scores.as_csv(choice, study))))
    assert [row["model"] for row in rows] == [
        "private: auto",
        "the same model, noise off",
        REFERENCE_IN_FULL,
    ]
    counts = ("true_positives", "false_negatives", "false_positives", "true_negatives")
    for row in rows:
        assert sum(int(row[name]) for name in counts) == study.truth.n_test
        assert "simulation" in row["noise"]
    restored = DPClassifier.from_json(study.model.to_json())
    names: dict = {}
    exec(scores.code(study), names)
    rows_ = prepared_records(study.config).test.matrix[:20]
    np.testing.assert_allclose(
        names["model"].predict_proba(rows_), restored.predict_proba(rows_), atol=1e-9
    )
    assert "SIMULATION" in scores.code(study)


def test_without_any_record_there_are_dashes(study: WorkflowResult) -> None:
    nobody = replace(
        study.truth.model, scores=type(study.truth.model.scores).empty(), accuracy=None
    )
    empty = replace(
        study, truth=replace(study.truth, model=nobody, noise_free=nobody, reference=nobody)
    )
    table = scores.table(choices.read(choices.DEFAULTS), empty)
    assert "–" in table
    assert "nan" not in table


def test_a_private_model_that_does_better_is_explained() -> None:
    for data in ("breast-cancer", "heart-risk"):
        app = open_page("model", data=data)
        sentence = re.search(r'dpcore-headline">(.*?)</h2>', html(app))[1]
        private, without, *_ = map(float, re.findall(r"0\.\d{3}", sentence))
        said = " ".join(one.value for one in app.caption)
        explained = "Noise makes no model better" in said
        (tested,) = set(re.findall(r"train, ([\d,]+) to test", html(app)))
        assert (f"tested on the same {tested} records" in said) is explained
        assert explained is (private >= without)
        assert ("here noise costs nothing" in sentence) is explained
