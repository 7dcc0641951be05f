"""The other views of the Features page, and what links ask of it."""

from __future__ import annotations

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpcore.curves.selection.accuracy import WITH, WITHOUT, AccuracyCell
from dpcore.study import DataSource, Epsilons, Selection, Workflow
from pages.features import accuracy, choices
from tests.app.opening import assert_calm, html, open_page, sentences
from tests.app.test_features import SELECTING, drawn, headline, open_features


def test_ticks_are_bounded_and_the_truth_is_not() -> None:
    bound = {"select__max_nonzeros": "1", "select__row_bound": "truncate"}
    app = open_features("noisy-scores", epsilon__selection="50", **bound)
    assert_calm(app)
    ticks = next(trace for trace in drawn(app)["data"] if trace["name"] == "true")
    free = open_features("noisy-scores", epsilon__selection="50")
    whole = next(trace for trace in drawn(free)["data"] if trace["name"] == "true")
    # Each record counts for one feature only, so all ticks together are at most the records.
    assert sum(ticks["x"]) < 4_300 < sum(whole["x"])
    numbers = dict(re.findall(r"<dt>([\w ]+)</dt><dd>([\d.]+)", html(app)))
    assert set(numbers) == {"F1", "Jaccard", "Precision", "Recall", "FNR", "SER"}


@pytest.mark.parametrize(
    "method, named",
    [("noisy-scores", "threshold 800"), ("threshold-testing-published", "noisy threshold ")],
)
def test_the_histogram_marks_what_decided(method: str, named: str) -> None:
    app = open_features(method, select__threshold="800")
    words = [word["text"] for word in drawn(app, "score histogram")["layout"]["annotations"]]
    assert any(word.startswith(named) for word in words)


def test_the_noisy_threshold_is_the_one_that_decided() -> None:
    app = open_features("threshold-testing-published", select__threshold="800")
    words = [word["text"] for word in drawn(app, "score histogram")["layout"]["annotations"]]
    (text,) = [word for word in words if word.startswith("noisy threshold")]
    level = float(text.removeprefix("noisy threshold ").replace(",", ""))
    chosen, left = drawn(app)["data"][:2]
    assert min(chosen["x"]) > level - 1
    assert max(left["x"]) <= level + 1


def test_hashed_words_are_named_by_what_they_stand_for() -> None:
    # Frequent words; of others there may be none in the training records.
    told = {"select__score": "total-count"}
    app = open_page("features", data="messages", **SELECTING, **told)
    assert_calm(app)
    names = drawn(app)["layout"]["yaxis"]["ticktext"]
    assert sum(" " in name for name in names) == len(names)


def test_methods_are_compared_over_the_threshold() -> None:
    told = {"features_view": "thresholds", "features_runs": "1"}
    app = open_page("features", data="heart-risk", **SELECTING, **told)
    assert_calm(app)
    lines = {trace["name"]: trace for trace in drawn(app, "agreement")["data"]}
    assert "Private threshold testing, as published (not private)" in lines
    assert all(0 <= value <= 1 for line in lines.values() for value in line["y"])
    assert "agrees best with the truth" in headline(app)
    assert "which is not private" in headline(app)


def test_a_score_without_counts_leaves_the_clusters_out() -> None:
    told = {"features_view": "thresholds", "features_runs": "1", "select__score": "purity-index"}
    app = open_page("features", data="heart-risk", **SELECTING, **told)
    assert_calm(app)
    assert "cluster" not in app.multiselect(key="control features_methods").options


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "view, across, figure",
    [("budget", "share", "budget"), ("budget", "total", "budget"), ("rows", "share", "rows")],
)
def test_accuracy_is_computed_with_and_without_selection(
    view: str, across: str, figure: str
) -> None:
    told = {"features_view": view, "features_across": across, "features_runs": "1"}
    app = open_page("features", data="heart-risk", **SELECTING, **told)
    assert_calm(app)
    names = [trace["name"] for trace in drawn(app, f"accuracy {figure}")["data"]]
    assert names[:2] == ["with selection", "all features"]
    assert re.search(r"best at .*?: 0\.\d+\. That is (no )?better than the 0\.\d+", headline(app))


@pytest.mark.parametrize(("spread", "verdict"), [(0.002, "better"), (0.02, "no better")])
def test_selecting_is_better_only_by_more_than_runs_differ(spread: float, verdict: str) -> None:
    """The mean is 0.01 above that of all features."""
    runs = {WITH: np.array([0.71 - spread, 0.71 + spread]), WITHOUT: np.array([0.7, 0.7])}
    cells = {
        (name, 30.0): AccuracyCell(one, one, 0.7, 0.7, 0.7, 0.7, 0.5) for name, one in runs.items()
    }
    study = Workflow(
        data=DataSource(sample="heart-risk"),
        selection=Selection(method="noisy-scores"),
        epsilon=Epsilons(selection="0.5", training="0.5"),
    )
    choice = choices.read({**choices.DEFAULTS, "features_view": "budget"})
    figure = accuracy.Accuracy.__new__(accuracy.Accuracy)
    figure.choice, figure.config, figure.metric = choice, study, "AUC"
    plan = accuracy.AccuracyPlan((30.0,), 2)
    assert f"That is {verdict} than the 0.700" in figure.headline(plan, cells)


def keys_of(app: AppTest) -> set[str]:
    """What can be moved."""
    moved = (*app.slider, *app.number_input, *app.select_slider, *app.segmented_control)
    return {str(one.key) for one in moved}


@pytest.mark.parametrize("view", ["budget", "rows"])
def test_without_a_method_the_figures_say_what_they_need(view: str) -> None:
    app = open_page("features", data="heart-risk", features_view=view)
    assert_calm(app)
    assert "choose a method that selects" in app.info[0].value
    # Where there is no figure, nothing is offered that would move it.
    own = ("control features_across", "control features_metric", "control features_runs")
    assert not {*own} & keys_of(app)
    next(one for one in app.button if one.label == "Select by noisy scores").click().run()
    assert_calm(app)
    assert app.query_params["select"] == "noisy-scores"
    assert len(app.info) == 0
    assert {*own[1:]} <= keys_of(app)
    assert (own[0] in keys_of(app)) == (view == "budget")


def test_selecting_from_released_counts_is_free() -> None:
    told = {"features_view": "free", "features_runs": "1"}
    app = open_page("features", data="heart-risk", **SELECTING, **told)
    assert_calm(app)
    assert "picked for free" in headline(app)
    assert "paying 50 % of it" in headline(app)
    first = drawn(app, "free selection")["data"][0]
    assert first["name"].startswith("picked for free")
    # Beside it stands what needs no feature at all.
    floor = drawn(app, "free selection")["data"][-1]
    assert floor["name"] == "always the larger class"
    assert f"reaches {floor['y'][0]:.3f}." in headline(app)
    # The meter knows of no other charge than the study's own selection.
    assert re.findall(r'<div class="line"><span>(.*?)</span>', html(app)) == [
        "train records: selection"
    ]


def test_a_model_that_does_not_count_says_so() -> None:
    app = open_page("features", data="heart-risk", model="logistic", features_view="free")
    assert_calm(app)
    assert "works from released counts" in app.info[0].value


@pytest.mark.parametrize("view", ["scores", "thresholds", "budget", "rows", "free"])
def test_every_view_opens_on_numbers_alone(view: str) -> None:
    app = open_page("features", data="breast-cancer", features_view=view)
    assert_calm(app)
    assert "All 30 features" in html(app)
    # There is nothing that a view or a comparison would show otherwise.
    assert "View" not in [one.label for one in app.segmented_control]
    assert not app.multiselect


@pytest.mark.parametrize(
    "name, value",
    [("view", "x"), ("measure", "x"), ("runs", "0"), ("methods", "x"), ("across", "x")],
)
def test_nonsense_in_a_link_is_one_sentence(name: str, value: str) -> None:
    app = open_page("features", data="heart-risk", **{f"features_{name}": value})
    assert [error.message for error in app.exception] == []
    assert "cannot be" in sentences(app)[0]


# What a view does not draw by is not offered beside it: k, the share, the method and its settings.
BESIDE = {
    "scores": (True, True),
    "thresholds": (False, True),
    "budget": (True, False),
    "rows": (True, True),
    "free": (False, True),
}


@pytest.mark.parametrize("view", BESIDE)
def test_what_moves_a_view_stands_beside_it(view: str) -> None:
    told = {"features_view": view, "features_runs": "1", "select__max_nonzeros": "3"}
    app = open_page("features", data="bank-calls", **SELECTING, **told)
    assert_calm(app)
    keys = keys_of(app)
    found = "control select.top_k" in keys, "control share selection" in keys
    assert found == BESIDE[view]
    # One view shows every row bound at once.
    assert ("control select.max_nonzeros" in keys) == (view != "rows")
    folded = [one.key for fold in app.expander for one in fold.selectbox]
    assert ("control select" in folded) == (view == "thresholds")
