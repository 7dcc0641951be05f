"""Reports carry their figures, tables and account of privacy, and never reach for the network."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from dpcore._numbers import band_names
from dpcore.data.reading import Dialect, read_predictions
from dpcore.evaluation import roc_methods
from dpcore.publications.report import report_html
from dpcore.schema import Categorical, Label, Numeric, Schema
from dpcore.study import (
    Dataset,
    DataSource,
    Epsilons,
    Evaluation,
    Selection,
    Workflow,
    run_workflow,
    to_json,
)

PREDICTIONS = read_predictions(b"label,score\n" + b"yes,0.9\nno,0.2\nno,0.6\n" * 100)
VOID = {"meta", "br", "img", "hr", "input", "link"}


class Page(HTMLParser):
    """What a browser would find: tags that close, attributes, text and scripts."""

    def __init__(self, text):
        super().__init__()
        self.open, self.attributes, self.text, self.scripts = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.attributes.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        inside = self.open[-1] if self.open else ""
        (self.scripts if inside == "script" else self.text).append(data)


@pytest.fixture(scope="module")
def dataset():
    draws = np.random.default_rng(2)
    job = draws.choice(["clerk </script>", "nurse & co", "other"], 400)
    frame = pd.DataFrame(
        {
            "age": draws.uniform(18, 90, 400),
            "job": job,
            "ill": np.where(draws.random(400) < np.where(job == "other", 0.8, 0.2), "yes", "no"),
        }
    )
    schema = Schema(
        (
            Numeric("age", bounds=(18, 90)),
            Categorical("job", levels=("clerk </script>", "nurse & co", "other")),
            Label("ill", classes=("no", "yes")),
        )
    )
    return Dataset(frame, schema, "0123456789abcdef")


@pytest.fixture(scope="module")
def study():
    return Workflow(
        title="Jobs <and> ages",
        data=DataSource(file="jobs.csv", schema="jobs.toml"),
        selection=Selection(method="noisy-scores", parameters={"top_k": 2}),
        epsilon=Epsilons(selection=1, training=2, evaluation="1.5"),
        noise="seed:3",
    )


@pytest.fixture(scope="module")
def result(study, dataset):
    return run_workflow(study, data=dataset)


@pytest.fixture(scope="module")
def page(result):
    return Page(report_html(result).decode())


def words(page):
    return " ".join(" ".join(page.text).split())


def figures(page):
    embedded = [
        attributes["id"]
        for tag, attributes in page.attributes
        if tag == "script" and attributes.get("type") == "application/json"
    ]
    texts = [script for script in page.scripts if script.startswith('{"light"')]
    return dict(zip(embedded, map(json.loads, texts), strict=True))


def test_every_tag_is_closed(page):
    assert page.open == []


def test_no_address_outside_the_drawing_library(page):
    library = max(page.scripts, key=len)
    assert len(library) > 1_000_000
    rest = [script for script in page.scripts if script is not library]
    for text in (*rest, *page.text, *(str(found) for found in page.attributes)):
        assert not re.search(r"(https?:)?//[a-z]", text)
    assert not {"link", "img", "iframe", "base"} & {tag for tag, _ in page.attributes}
    assert not any({"src", "href"} & set(attributes) for _, attributes in page.attributes)


def test_the_page_forbids_every_request(page):
    policy = next(
        attributes["content"]
        for _, attributes in page.attributes
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none'")
    assert "http" not in policy


def test_figures_come_in_both_themes_with_words(page):
    assert set(figures(page)) == {"figure-roc", "figure-features", "figure-scores"}
    for found in figures(page).values():
        assert found["light"]["data"] != found["dark"]["data"]
    described = {
        attributes["data-figure"]: attributes["aria-label"]
        for tag, attributes in page.attributes
        if attributes.get("role") == "img"
    }
    assert set(described) == set(figures(page))
    assert all(len(alt) > 30 for alt in described.values())


def test_the_figure_shows_the_true_curve_beside_the_released_one(page):
    names = {trace.get("name") for trace in figures(page)["figure-roc"]["light"]["data"]}
    assert {"true", "private"} <= names


def test_the_words_carry_the_figures(page, result):
    said = words(page)
    assert "Jobs <and> ages" in said
    assert "SIMULATION" in said
    assert f"private AUC is {result.roc.auc:.3f}" in said
    assert f"the true one is {result.truth.model.auc:.3f}" in said
    assert f"{result.truth.noise_free.auc:.4f}" in said
    assert "clerk </script>" in said or "nurse & co" in said


def test_the_ledger_is_complete(page, result):
    said = words(page)
    for charge in result.charges:
        assert charge.label in said
        assert charge.mechanism in said
    assert result.composition in said


def test_the_study_file_is_inside(page, study):
    assert to_json(study) in "".join(page.text)


def test_equal_results_give_equal_files(result):
    assert report_html(result) == report_html(result)


def test_a_title_can_be_given(result):
    titled = replace(result, config=replace(result.config, title="Other & words"))
    assert "<title>Other &amp; words</title>" in report_html(titled).decode()


def test_an_untitled_report_is_called_after_its_data(result):
    file = DataSource(predictions="there/mine & yours.csv", positive="1")
    untitled = replace(result, config=replace(result.config, title="", data=file))
    assert "<title>mine &amp; yours.csv</title>" in report_html(untitled).decode()
    declared = replace(untitled, schema=replace(result.schema, title="Ward 7"))
    assert "<title>Ward 7</title>" in report_html(declared).decode()


@pytest.mark.parametrize("name", roc_methods())
def test_bands_and_intervals_are_shown_where_there_are_some(study, name):
    config = replace(
        study, data=DataSource(predictions="p.csv"), evaluation=Evaluation(method=name)
    )
    result = run_workflow(config, data=PREDICTIONS)
    page = Page(report_html(result).decode())
    assert ("possible for these records" in words(page)) is (result.roc.auc_interval is not None)
    traces = figures(page)["figure-roc"]["light"]["data"]
    drawn = any(band_names(0.9)[0] in trace.get("name", "") for trace in traces)
    assert drawn is (result.roc.envelope is not None)
    json.dumps(traces, allow_nan=False)


def test_a_private_report_shows_released_values_only(study, dataset):
    result = run_workflow(replace(study, noise="system"), data=dataset)
    page = Page(report_html(result).decode())
    said = words(page)
    assert "PRIVATE RELEASE, epsilon 3" in said
    assert "SIMULATION" not in said
    assert "true one" not in said
    assert dataset.digest not in said
    assert set(figures(page)) == {"figure-roc", "figure-features"}
    assert "true" not in {t.get("name") for t in figures(page)["figure-roc"]["light"]["data"]}
    assert "SIMULATION" not in json.dumps(figures(page))


def test_predictions_have_no_model_of_their_own(study):
    config = replace(study, data=DataSource(predictions="p.csv"))
    page = Page(report_html(run_workflow(config, data=PREDICTIONS)).decode())
    said = words(page)
    assert "scored model" in said
    assert "noise off" not in said
    assert set(figures(page)) == {"figure-roc", "figure-scores"}


def test_records_that_are_left_out_are_counted(study):
    rows = b"label,score\n" + b"yes,0.9\nno,0.2\nmaybe,0.1\nyes,\n" * 600
    data = read_predictions(rows, positive="yes", negative="no", dialect=Dialect())
    config = replace(study, data=DataSource(predictions="p.csv", positive="yes"))
    page = Page(report_html(run_workflow(config, data=data)).decode())
    assert "1,200 lack a declared label or a usable score." in words(page)
