"""What can be taken away is complete, and stamped."""

from __future__ import annotations

import csv
import io
import json

import pytest

from dpcore.publications.report import report_html
from dpcore.study import WorkflowResult, from_json, run_workflow, to_json
from pages.session import study_fields
from pages.widgets import roc_curve
from tests.app.opening import open_page


@pytest.fixture(scope="module")
def result() -> WorkflowResult:
    return run_workflow(study_fields.workflow({**study_fields.DEFAULTS, "epsilon": "0.5"}))


def test_the_csv_has_every_point_of_both_curves(result: WorkflowResult) -> None:
    rows = list(csv.DictReader(io.StringIO(roc_curve.points_csv(result))))
    private = [row for row in rows if row["curve"] == "private"]
    assert len(private) == result.roc.fpr.size
    assert [float(row["tpr"]) for row in private] == result.roc.tpr.tolist()
    assert sum(row["curve"] == "true" for row in rows) == result.truth.fpr.size
    assert {row["noise"] for row in rows} == {"simulation, seed:7"}


def test_the_study_file_repeats_the_page(result: WorkflowResult) -> None:
    again = run_workflow(from_json(to_json(result.config)))
    assert again.to_json() == result.to_json()


def test_json_and_html_are_stamped(result: WorkflowResult) -> None:
    assert json.loads(result.to_json())["simulation"] is True
    report = report_html(result).decode()
    assert "SIMULATION" in report
    assert "http-equiv" in report


def test_the_page_offers_all_of_them() -> None:
    labels = [element.proto.label for element in open_page("roc").get("download_button")]
    assert labels == ["CSV", "JSON", "HTML", "Study"]
