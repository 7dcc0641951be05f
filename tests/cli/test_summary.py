"""The summary says what was found, and no exact figure of a private release."""

import pytest

from dpcore.cli.run import summary
from dpcore.evaluation import roc_methods
from dpcore.publications.roc import NO_INTERVAL
from dpcore.study import DataSource, Workflow, from_json, run_workflow


@pytest.fixture
def told(folder, write):
    def told(**changes):
        result = run_workflow(from_json(write(**changes).read_text()), base=folder)
        return result, summary(result)

    return told


def test_a_simulation_shows_both_sides(told):
    result, text = told()
    assert f"true curve       AUC {result.truth.model.auc:.3f}" in text
    same = f"the noise off    test AUC {result.truth.noise_free.auc:.3f}"
    assert same in text
    named = "(scikit-learn's logistic regression on splines)"
    assert f"reference        test AUC {result.truth.reference.auc:.3f}" in text
    assert named in text
    assert "epsilon 2 (one person's record added or removed)" in text
    assert "90 % interval" in text
    assert "chosen" not in text


@pytest.mark.parametrize("name", roc_methods())
def test_an_interval_is_shown_where_there_is_one(told, name):
    result, text = told(evaluation={"method": name})
    assert ("90 % interval" in text) is (result.roc.auc_interval is not None)
    assert (NO_INTERVAL in text) is (result.roc.auc_interval is None)


def test_a_selection_is_counted(told):
    _, text = told(
        selection={"method": "noisy-scores", "parameters": {"top_k": 1}},
        epsilon={"selection": 1, "training": 1, "evaluation": 1},
    )
    assert "features         2 of 2 chosen" in text


def test_a_release_shows_released_values_only(told):
    result, text = told(noise="system")
    assert f"AUC {result.roc.auc:.3f}" in text
    assert "true" not in text
    assert "noise off" not in text
    assert "reference" not in text
    assert len(text.splitlines()) == 3


def test_rows_that_are_left_out_are_told_in_a_simulation_only(tmp_path):
    rows = "".join(f"{place % 2},0.{place % 9}1\n" for place in range(200))
    (tmp_path / "p.csv").write_text(f"label,score\n{rows},0.5\n1,\n1,high\n")
    data = DataSource(predictions="p.csv", positive="1")
    for noise, told in (("seed:1", True), ("system", False)):
        result = run_workflow(Workflow(data=data, noise=noise), base=tmp_path)
        line = "left out         3 rows without a declared label or a usable score"
        assert (line in summary(result)) is told
        assert ('"left_out": 3' in result.to_json()) is told
