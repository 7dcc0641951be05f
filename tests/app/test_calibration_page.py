"""The calibration page: every method and choice, uploads, words, and links."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpcore._numbers import band_names
from dpcore.evaluation import ExactScores, calibration_methods
from dpcore.figures import LIGHT
from dpcore.privacy import Ledger, Part
from dpcore.publications import calibration, publication
from dpcore.study import Performance, WorkflowResult, run_workflow
from pages.calibration import choices, view
from pages.calibration import view as calibration_study
from pages.session import study_fields
from pages.session.text import OPTIONS
from tests.app.opening import assert_calm, figure, html, open_page, raw_html, sentences, taken

SCORES = np.linspace(0.002, 0.998, 20_000)
COINS = np.arange(SCORES.size) * 0.6180339887 % 1.0


def names(app: AppTest) -> list[str]:
    return [trace["name"] for trace in figure(app)["data"]]


def uploaded(content: str) -> AppTest:
    """The calibration page on predictions of a model trained elsewhere."""
    app = open_page("data")
    app.segmented_control(key="control source").set_value("My predictions").run()
    file = ("p.csv", content.encode(), "text/csv")
    app.file_uploader(key="predictions file").set_value(file).run()
    return app.switch_page("pages/calibration/page.py").run()


def test_the_page_says_in_words_what_it_shows() -> None:
    app = open_page("calibration", model="naive-bayes", seed="4")
    assert_calm(app)
    words = html(app)
    assert "At epsilon 1 the released counts contradict a calibrated model (p ≤ 0.001): " in words
    # One of its groups is empty.
    assert "the scores are too extreme, too close to 0 and 1." in words
    assert words.index("T2: shift and slope") < words.index("T: any deviation")
    assert words.index("T: any deviation") < words.index("Hosmer-Lemeshow, naive")
    assert "may reject more than half of all perfectly calibrated models" in words
    assert "for these records" in words
    assert "A perfectly calibrated model" in words
    assert "True AUC" in words
    assert [a["text"] for a in figure(app)["layout"]["annotations"]] == ["SIMULATION"]
    labels = [element.proto.label for element in app.get("download_button")]
    assert labels == ["CSV", "JSON", "HTML"]


@pytest.mark.spanning
@pytest.mark.parametrize("method", calibration_methods())
@pytest.mark.parametrize("edges", OPTIONS["calibration_edges"])
def test_every_method_draws_its_diagram(method: str, edges: str) -> None:
    app = open_page("calibration", calibration_method=method, calibration_edges=edges)
    assert_calm(app)
    assert {"private", "true", band_names(0.9)[0]} <= set(names(app))
    assert app.query_params["calibration_method"] == method


@pytest.mark.spanning
@pytest.mark.parametrize("epsilon", ["0.001", "100"])
@pytest.mark.parametrize("groups", ["3", "20"])
def test_extreme_epsilons_and_groups_are_only_noisy_or_exact(epsilon: str, groups: str) -> None:
    app = open_page("calibration", calibration_epsilon=epsilon, calibration_groups=groups)
    assert_calm(app)
    said = "this table says nothing" if epsilon == "0.001" else "the released counts"
    assert f"At epsilon {epsilon} {said}" in html(app)
    assert (">any possible<" in html(app)) is (epsilon == "0.001")


def test_a_link_restores_the_picture() -> None:
    link = {
        "calibration_epsilon": "0.37",
        "calibration_method": "hosmer-lemeshow-published",
        "calibration_groups": "7",
        "calibration_edges": "fixed",
        "calibration_sampling": "yes",
        "calibration_levels": "8",
        "epsilon": "0.2",
    }
    app = open_page("calibration", **link)
    assert_calm(app)
    assert {name: app.query_params[name] for name in link} == link
    assert app.slider(key="control calibration_groups").value == 7
    assert app.slider(key="control calibration_levels").value == 8
    assert band_names(0.9)[1] in names(app)
    again = {name.replace(".", "__"): value for name, value in app.query_params.items()}
    assert figure(open_page("calibration", **again)) == figure(app)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "name, value, says",
    [
        ("calibration_epsilon", "-1", "positive"),
        ("calibration_method", "observed", "observed-minus-expected"),
        ("calibration_groups", "2", "between 3 and 20"),
        ("calibration_edges", "round", "quantile"),
        ("calibration_sampling", "1", "yes"),
    ],
)
def test_nonsense_in_a_link_is_one_sentence_and_a_default(name: str, value: str, says: str) -> None:
    app = open_page("calibration", **{name: value})
    assert [error.message for error in app.exception] == []
    (sentence,) = sentences(app)
    assert says in sentence
    assert app.query_params[name] == choices.DEFAULTS[name]


def test_moving_the_controls_moves_figure_address_and_meter() -> None:
    app = open_page("calibration")
    before = figure(app)["data"]
    app.select_slider(key="control calibration_epsilon").set_value("0.05").run()
    assert_calm(app)
    assert figure(app)["data"] != before
    assert app.query_params["calibration_epsilon"] == "0.05"
    assert "records: calibration</span><span>0.05</span>" in html(app)
    app.slider(key="control calibration_groups").set_value(4).run()
    assert len(figure(app)["data"][-1]["x"]) == 4


@pytest.mark.parametrize("method", calibration_methods())
def test_an_empty_class_is_only_noise(method: str) -> None:
    app = open_page("calibration", test="0.002", calibration_method=method)
    assert_calm(app)
    assert "At epsilon 1 this table says nothing" in html(app)


def test_predictions_are_all_test_records() -> None:
    rows = "".join(f"{place % 2},{(place % 7 + 2 * (place % 2)) / 9}\n" for place in range(400))
    app = uploaded(f"label,score\n{rows}")
    assert_calm(app)
    assert "all records: calibration" in html(app)


@pytest.fixture(scope="module")
def study() -> WorkflowResult:
    return run_workflow(study_fields.workflow(study_fields.DEFAULTS))


def with_release(
    result: calibration_study.CalibrationResult, **fields: object
) -> calibration_study.CalibrationResult:
    release = replace(result.release, **fields)
    return replace(result, found=replace(result.found, release=release))


def result_of(
    study: WorkflowResult, truth: np.ndarray, ledger: Ledger | None = None, **chosen: str
) -> calibration_study.CalibrationResult:
    return calibration_study.run(
        choices.read({**choices.DEFAULTS, **chosen}),
        Performance.of(ExactScores(truth > COINS, SCORES)),
        study=study.config,
        ledger=ledger if ledger is not None else Ledger(),
        part=Part("split", "test", fixed_under_replacement=True),
    )


@pytest.mark.parametrize(
    "truth, says",
    [
        (SCORES, "are consistent with a calibrated model"),
        (SCORES * 0.7, "positives are rarer than the scores say"),
        (SCORES * 0.7 + 0.3, "positives are more frequent than the scores say"),
        (0.5 + (SCORES - 0.5) * 0.6, "too extreme"),
        (np.clip(0.5 + (SCORES - 0.5) * 1.6, 0.001, 0.999), "too timid"),
        (np.where(np.abs(SCORES - 0.5) < 0.25, 1 - SCORES, SCORES), "too extreme"),
    ],
)
def test_the_headline_names_what_is_wrong(
    study: WorkflowResult, truth: np.ndarray, says: str
) -> None:
    assert says in publication("calibration").headline(result_of(study, truth).found)


def test_an_empty_group_does_not_turn_what_is_wrong(study: WorkflowResult) -> None:
    release = result_of(study, 0.5 + (SCORES - 0.5) * 0.6).release
    table = release.table
    at = [int(np.argmin(table.n)), -1]
    n, observed = table.n.copy(), table.observed.copy()
    n[at], observed[at] = 0, np.nan
    emptied = replace(release, table=replace(table, n=n, observed=observed))
    assert "too extreme" in calibration.verdict(emptied)


@pytest.mark.parametrize("redraw", range(6))
def test_groups_that_may_be_noise_alone_say_nothing_of_the_scores(
    study: WorkflowResult, redraw: int
) -> None:
    """All scores are one half, so that none is too close to 0 or 1."""
    level = ExactScores(COINS[:300] < 0.4, np.full(300, 0.5))
    noise = replace(study.config, evaluation=replace(study.config.evaluation, seed=redraw))
    told = {"study": noise, "ledger": Ledger()}
    found = calibration_study.run(choices.read(choices.DEFAULTS), Performance.of(level), **told)
    assert "positives are rarer than the scores say, by" in calibration.verdict(found.release)


def test_a_deviation_without_a_trend_is_said_to_be_one(study: WorkflowResult) -> None:
    release = result_of(study, SCORES).release
    bumpy = replace(release, trend_p_value=0.4, p_value=0.01)
    assert "show no common trend (p = 0.40), but deviate" in calibration.verdict(bumpy)


def test_the_naive_sentence_says_what_happened_here(study: WorkflowResult) -> None:
    result = result_of(study, SCORES)
    cases = {
        "below zero": {"statistic_naive": -3.0},
        "disagrees": {"statistic_naive": 30.0, "p_value_naive": 0.001, "p_value": 0.5},
        "no reason to trust it": {"statistic_naive": 5.0, "p_value_naive": 0.5, "p_value": 0.5},
    }
    for words, fields in cases.items():
        told = with_release(result, **fields)
        assert words in view.naive_sentence(told)


@pytest.mark.parametrize(
    "p_value, text", [(0.001, "≤ 0.001"), (0.0421, "0.042"), (0.5, "0.50"), (1.0, "1.00")]
)
def test_p_values_are_written_as_far_as_they_are_known(p_value: float, text: str) -> None:
    assert calibration.p_text(p_value) == text


@pytest.mark.parametrize(
    "score, text",
    [
        *((0.12345, "0.123"), (0.5, "0.5"), (0.9994, "0.999"), (0.99951, "0.9995")),
        *((0.0, "0"), (1.0, "1"), (1 - 3e-5, "0.99997"), (4e-5, "0.00004")),
        *((1 - 2.06e-9, "0.999999998"), (2.06e-9, "0.00000000206")),
    ],
)
def test_scores_next_to_an_end_stay_apart_from_it_in_plain_digits(score: float, text: str) -> None:
    assert view.score_text(score) == text


def test_the_release_is_charged_to_the_test_part(study: WorkflowResult) -> None:
    ledger = Ledger()
    result = result_of(study, SCORES, ledger, calibration_epsilon="0.3")
    assert str(ledger.spent) == "epsilon 0.3"
    assert {str(charge.part) for charge in result.release.charges} == {"split=test"}


def test_without_any_record_there_is_no_truth(study: WorkflowResult) -> None:
    choice = choices.read(choices.DEFAULTS)
    nobody = Performance.of(ExactScores.from_arrays([], []))
    result = calibration_study.run(choice, nobody, study=study.config, ledger=Ledger(), part=None)
    assert result.truth is None
    assert "true" not in " ".join(view.groups(result)[0])
    assert "says nothing" in publication("calibration").headline(result.found)
    assert json.loads(taken("JSON", view.files(result, study)))["truth"] is None


def test_the_p_value_of_exact_counts_claims_nothing_of_other_groups(study: WorkflowResult) -> None:
    """Noise chose the groups, too: at little epsilon they can hide what no noise would."""
    result = result_of(study, SCORES, calibration_epsilon="0.02")
    labels = [label for label, _, _ in view.figures(result)]
    assert "The same groups without noise, p" in labels
    assert "without any noise" not in " ".join(view.tests(result)[0])


def test_truth_and_release_speak_of_the_same_groups(study: WorkflowResult) -> None:
    result = result_of(study, SCORES, calibration_epsilon="100", calibration_groups="7")
    assert np.array_equal(result.truth.lower, result.release.table.lower)
    assert np.allclose(result.truth.observed, result.release.table.observed, atol=0.01)


def test_the_files_are_complete_and_stamped(study: WorkflowResult) -> None:
    result = result_of(study, SCORES)
    rows = list(csv.DictReader(io.StringIO(taken("CSV", view.files(result, study)))))
    assert [int(row["n"]) for row in rows] == result.release.table.n.tolist()
    assert [int(row["true_n"]) for row in rows] == result.truth.n.tolist()
    assert {row["noise"] for row in rows} == {"simulation, seed:7"}
    document = json.loads(taken("JSON", view.files(result, study)))
    assert document["simulation"] is True
    assert document["calibration"]["p_value"] == result.release.p_value
    report = taken("HTML", view.files(result, study))
    assert "SIMULATION" in report
    assert "T2: shift and slope" in report


def test_a_group_of_no_records_shows_no_invented_rate(study: WorkflowResult) -> None:
    result = result_of(study, SCORES, calibration_groups="20", calibration_epsilon="0.001")
    table = result.release.table
    nobody = np.flatnonzero(table.n == 0)
    assert nobody.size
    for row, cells in enumerate(view.groups(result)[1]):
        assert (cells[2] == "none") is (cells[4] == "any") is bool(row in nobody)
    assert view.picture(result, LIGHT).data
    document = json.loads(taken("JSON", view.files(result, study)))
    assert document["calibration"]["table"]["observed"][nobody[0]] is None
    sizes = result.truth.n * (np.arange(table.n.size) > 0)
    truth = replace(result.truth, n=sizes)
    result = replace(result, found=replace(result.found, truth=truth))
    document = json.loads(taken("JSON", view.files(result, study)))
    assert document["truth"]["observed"][0] is document["truth"]["expected"][0] is None
    first = next(csv.DictReader(io.StringIO(taken("CSV", view.files(result, study)))))
    assert first["true_observed"] == ""


@pytest.mark.parametrize("statistic, text", [(12.345, "12.35"), (-41_718.0, "−41,718")])
def test_statistics_are_written_as_people_write_them(
    study: WorkflowResult, statistic: float, text: str
) -> None:
    result = result_of(study, SCORES)
    told = with_release(result, statistic=statistic)
    assert view.tests(told)[1][1][1] == text


def test_no_line_of_a_headline_ends_within_a_number_and_its_sign() -> None:
    sent = raw_html(open_page("calibration"))
    (said,) = re.findall(r'<h2 class="dpcore-headline">(.*?)</h2>', sent)
    assert re.search(r"\(p&nbsp;[=≤]&nbsp;0\.[0-9]+\)", said)
