"""The ECDF page: every method and choice, uploads, and links that reproduce the picture."""

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
from dpcore.data.reading import read_predictions
from dpcore.evaluation import ExactScores
from dpcore.evaluation.ecdf import ecdf_methods
from dpcore.figures import LIGHT
from dpcore.privacy import Ledger, Neighbors, Part
from dpcore.publications.publication import half_width, publication
from dpcore.study import Performance, WorkflowResult, run_workflow
from pages.ecdf import choices, view
from pages.ecdf import view as ecdf_study
from pages.session import study_fields
from pages.session.text import OPTIONS
from pages.widgets import python_code
from tests.app.opening import assert_calm, figure, html, open_page, sentences, taken

NAMES = ("no", "yes")
EMPTY = Performance.of(ExactScores.from_arrays([], []))


def trace(app: AppTest, name: str) -> dict:
    (found,) = [trace for trace in figure(app)["data"] if trace["name"] == name]
    return found


def uploaded(content: str) -> AppTest:
    """The ECDF page on predictions of a model trained elsewhere."""
    app = open_page("data")
    app.segmented_control(key="control source").set_value("My predictions").run()
    file = ("p.csv", content.encode(), "text/csv")
    app.file_uploader(key="predictions file").set_value(file).run()
    return app.switch_page("pages/ecdf/page.py").run()


def test_of_very_many_records_a_band_is_never_said_to_allow_for_nothing() -> None:
    rows = "".join(f"{n % 2},{(n * 37 % 997 + 1) / 1000}\n" for n in range(60_000))
    app = open_page("data", epsilon="10", ecdf_epsilon="10")
    app.segmented_control(key="control source").set_value("My predictions").run()
    file = ("p.csv", f"label,score\n{rows}".encode(), "text/csv")
    app.file_uploader(key="predictions file").set_value(file).run()
    words = html(app.switch_page("pages/ecdf/page.py").run())
    off, allowed = re.search(r"by more than ([\d.]+).%.* allows for ([\d.]+).%", words).groups()
    assert 0 < float(off) <= float(allowed)


def test_the_page_says_in_words_what_it_shows() -> None:
    app = open_page("ecdf")
    assert_calm(app)
    words = html(app)
    assert "At epsilon 1 no point of the private curves is off by more than" in words
    assert "the band for these records allows for" in words
    assert "50 % of “yes” score at most" in words
    assert [a["text"] for a in figure(app)["layout"]["annotations"]] == ["SIMULATION"]
    labels = [element.proto.label for element in app.get("download_button")]
    assert labels == ["CSV", "JSON", "HTML"]
    settings = "Settings: Tents with consistency, 256 points, smoothing isotonic, add-remove"
    folds = [settings, python_code.TITLE, "What it costs", "What am I looking at?"]
    assert sorted(box.label for box in app.expander) == sorted(folds)


@pytest.mark.few(3)
@pytest.mark.parametrize("method", ecdf_methods())
def test_every_method_draws_both_classes(method: str) -> None:
    app = open_page("ecdf", ecdf_method=method, ecdf_points="64")
    assert_calm(app)
    for name in NAMES:
        assert trace(app, f"{name}, private")["line"]["dash"] == "dash"
        assert "dash" not in trace(app, f"{name}, true")["line"]
    assert app.query_params["ecdf_method"] == method


@pytest.mark.spanning
@pytest.mark.parametrize("epsilon", ["0.001", "100"])
@pytest.mark.parametrize("smoothing", OPTIONS["ecdf_smoothing"])
def test_extreme_epsilons_are_only_noisy_or_exact(epsilon: str, smoothing: str) -> None:
    app = open_page("ecdf", ecdf_epsilon=epsilon, ecdf_smoothing=smoothing, ecdf_points="64")
    assert_calm(app)
    said = (
        "each curve says nothing: the noise leaves any curve" if epsilon == "0.001" else "no point"
    )
    assert f"At epsilon {epsilon} {said}" in html(app)
    if smoothing != "none":
        heights = trace(app, "no, private")["y"]
        assert heights == sorted(heights)
        assert heights[-1] == 1


def test_a_link_restores_the_picture() -> None:
    link = {
        "ecdf_epsilon": "0.37",
        "ecdf_method": "tree",
        "ecdf_points": "100",
        "ecdf_grid": "logarithmic",
        "ecdf_smoothing": "p2",
        "ecdf_q": "0.9",
        "ecdf_sampling": "yes",
        "epsilon": "0.2",
    }
    app = open_page("ecdf", **link)
    assert_calm(app)
    assert {name: app.query_params[name] for name in link} == link
    assert app.select_slider(key="control ecdf_epsilon").value == "0.37"
    assert app.select_slider(key="control ecdf_points").value == "100"
    assert figure(app)["layout"]["xaxis"]["type"] == "log"
    assert band_names(0.9)[1] in [one["name"] for one in figure(app)["data"]]
    again = {name.replace(".", "__"): value for name, value in app.query_params.items()}
    assert figure(open_page("ecdf", **again)) == figure(app)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "name, value, says",
    [
        ("ecdf_epsilon", "0", "positive"),
        ("ecdf_epsilon", "1e9", "between 0 and 100"),
        ("ecdf_epsilon", "x", "finite number"),
        ("ecdf_method", "trees", "tree"),
        ("ecdf_points", "3", "between 4 and"),
        ("ecdf_points", "many", "a whole number"),
        ("ecdf_grid", "square", "uniform"),
        ("ecdf_smoothing", "p3", "p2"),
        ("ecdf_q", "1.5", "between"),
        ("ecdf_sampling", "perhaps", "yes"),
        ("ecdf_structure", "tent", "tents"),
    ],
)
def test_nonsense_in_a_link_is_one_sentence_and_a_default(name: str, value: str, says: str) -> None:
    app = open_page("ecdf", **{name: value, "seed": "3"})
    assert [error.message for error in app.exception] == []
    (sentence,) = sentences(app)
    assert f"{name}={value}" in sentence
    assert says in sentence
    assert app.query_params[name] == choices.DEFAULTS[name]
    assert app.query_params["seed"] == "3"


def test_moving_the_controls_moves_figure_address_and_meter() -> None:
    app = open_page("ecdf")
    before = trace(app, "no, private")["y"]
    true = trace(app, "no, true")["y"]
    app.select_slider(key="control ecdf_epsilon").set_value("0.05").run()
    assert_calm(app)
    assert trace(app, "no, private")["y"] != before
    assert trace(app, "no, true")["y"] == true
    assert app.query_params["ecdf_epsilon"] == "0.05"
    assert app.query_params["epsilon"] == "1"
    assert "records: ECDF</span><span>0.05</span>" in html(app)
    app.slider(key="control ecdf_q").set_value(0.8).run()
    assert figure(app)["layout"]["shapes"][0]["y0"] == 0.8
    app.toggle(key="control ecdf_sampling").set_value(True).run()
    assert app.query_params["ecdf_sampling"] == "yes"


def test_redrawing_draws_other_noise_and_keeps_the_model() -> None:
    app = open_page("ecdf")
    before = trace(app, "no, private")["y"]
    next(button for button in app.button if "Redraw" in button.label).click().run()
    assert_calm(app)
    assert trace(app, "no, private")["y"] != before
    assert (app.query_params["seed"], app.query_params["redraw"]) == ("7", "1")
    assert any("seed 7 (redraw 1)" in caption.value for caption in app.sidebar.caption)


def test_replaced_records_are_accounted_for_at_half_of_epsilon_per_class() -> None:
    app = open_page("ecdf", neighbors="replace")
    assert_calm(app)
    assert any("half of epsilon" in element.value for element in app.markdown)
    assert "ECDFs of both classes" in html(app)


@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
def test_an_empty_class_is_said_to_be_noise(neighbors: str) -> None:
    app = open_page("ecdf", test="0.002", neighbors=neighbors, ecdf_points="16")
    assert_calm(app)
    assert "what is drawn there is noise" in html(app)
    true = [trace for trace in figure(app)["data"] if trace["name"].endswith(", true")]
    assert len(true) == 1


def test_predictions_of_one_class_are_refused_and_the_page_still_works() -> None:
    rows = "".join(f"1,{place / 500}\n" for place in range(500))
    app = uploaded(f"label,score\n{rows}")
    assert [error.message for error in app.exception] == []
    assert "At epsilon 1 no point" in html(app)


def test_predictions_are_all_test_records() -> None:
    rows = "".join(f"{place % 2},{(place % 7 + 2 * (place % 2)) / 9}\n" for place in range(400))
    app = uploaded(f"label,score\n{rows}")
    assert_calm(app)
    assert "all records: ECDF" in html(app)


@pytest.fixture(scope="module")
def study() -> WorkflowResult:
    return run_workflow(study_fields.workflow(study_fields.DEFAULTS))


def result_of(study: WorkflowResult, ledger: Ledger, **chosen: str) -> ecdf_study.EcdfResult:
    choice = choices.read({**choices.DEFAULTS, "ecdf_points": "64", **chosen})
    exact = [
        ecdf_study.ExactClass.of(name, study.truth.model, side, choice.points, choice.logarithmic)
        for name, side in zip(NAMES, ecdf_study.SIDES, strict=True)
    ]
    part = Part("split", "test", fixed_under_replacement=True)
    config = replace(study.config, neighbors=ledger.neighbors)
    return ecdf_study.run(choice, exact, study=config, ledger=ledger, part=part)


@pytest.mark.parametrize("relation", Neighbors)
def test_both_classes_together_cost_epsilon(study: WorkflowResult, relation: Neighbors) -> None:
    ledger = Ledger(neighbors=relation)
    result = result_of(study, ledger, ecdf_epsilon="0.3")
    assert str(ledger.spent) == "epsilon 0.3"
    assert ledger.charges == result.charges
    assert all(str(charge.part).startswith("split=test") for charge in result.charges)
    spent = {one.release.epsilon * relation.pick(add_remove=1, replace=2) for one in result.classes}
    assert spent == {result.choice.epsilon}


def test_without_any_record_there_is_nothing_to_see(study: WorkflowResult) -> None:
    choice = choices.read(choices.DEFAULTS)
    nobody = [
        ecdf_study.ExactClass.of(name, EMPTY, side, choice.points, choice.logarithmic)
        for name, side in zip(NAMES, ecdf_study.SIDES, strict=True)
    ]
    result = ecdf_study.run(choice, nobody, study=study.config, ledger=Ledger(), part=None)
    assert "there is nothing to see" in publication("ecdf").headline(result.found)
    assert view.table(result)[1][0][3] == "none"
    assert taken("CSV", view.files(result, study)).count("no,") == choice.points


@pytest.mark.parametrize("grid", OPTIONS["ecdf_grid"])
def test_nobody_is_lost_between_the_points_of_the_grid(study: WorkflowResult, grid: str) -> None:
    scores = study.truth.model.scores
    result = result_of(study, Ledger(), ecdf_grid=grid)
    sizes = [one.exact.size for one in result.classes]
    assert sizes == [scores.n_negative, scores.n_positive]
    assert all(one.release.grid[-1] == 1 for one in result.classes)


def test_with_hardly_any_noise_the_curves_are_exact(study: WorkflowResult) -> None:
    result = result_of(study, Ledger(), ecdf_epsilon="100")
    assert max(np.abs(one.cdf - one.exact.shares).max() for one in result.classes) < 0.005
    apart = result.separation
    assert apart.gap > 0.25
    assert 0 < apart.score < 1
    assert apart.gap == pytest.approx(apart.true, abs=0.01)


def test_the_gap_between_the_classes_has_a_band_that_holds_the_true_one(
    study: WorkflowResult,
) -> None:
    for epsilon in ("0.1", "1", "10"):
        apart = result_of(study, Ledger(), ecdf_epsilon=epsilon).separation
        assert 0 <= apart.lower <= apart.gap <= apart.upper <= 1
        assert apart.true is not None
        assert apart.lower <= apart.true <= apart.upper
        assert apart.true != apart.gap
    label, _, words = view.figures(result_of(study, Ledger()))[-1]
    assert label == "Classes farthest apart"
    assert re.fullmatch(r"at score \S+: for these records \S+ % to \S+ %; true \S+ %", words)
    mute = result_of(study, Ledger(), ecdf_epsilon="0.01")
    assert [one.release.says_nothing for one in mute.classes] == [False, True]
    assert [value for _, value, _ in view.figures(mute)][1:] == ["any possible"] * 2


def test_no_share_of_the_table_is_known_less_than_the_headline_says(study: WorkflowResult) -> None:
    """Between two points of the grid lie many records, of which the band says nothing."""
    result = result_of(study, Ledger(), ecdf_points="16", ecdf_epsilon="10")
    header, rows = view.table(result)
    assert [header.index(name) for name in header if name.endswith("private")] == [1, 4]
    said = publication("ecdf").headline(result.found)
    most = float(re.findall(r"[\d.]+(?= %)", said)[1])
    for row in rows:
        for private, band, true in (row[1:4], row[4:7]):
            low, high = (float(end) for end in band.removesuffix(" %").split(" to "))
            assert max(float(private[:-2]) - low, high - float(private[:-2])) <= most + 0.1
            assert low - 0.05 <= float(true[:-2]) <= high + 0.05


def test_the_files_are_complete_and_stamped(study: WorkflowResult) -> None:
    result = result_of(study, Ledger())
    rows = list(csv.DictReader(io.StringIO(taken("CSV", view.files(result, study)))))
    assert len(rows) == 2 * 64
    assert {row["noise"] for row in rows} == {"simulation, seed:7"}
    private = [float(row["share"]) for row in rows if row["class"] == "yes"]
    assert private == result.classes[1].release.cdf.tolist()
    document = json.loads(taken("JSON", view.files(result, study)))
    assert document["simulation"] is True
    assert set(document["ecdf"]) == set(document["truth"]) == set(document["classes"])
    assert tuple(document["classes"].values()) == NAMES
    report = taken("HTML", view.files(result, study))
    assert "SIMULATION" in report
    assert "Privacy ledger" in report


def test_the_table_agrees_with_the_curves(study: WorkflowResult) -> None:
    result = result_of(study, Ledger(), ecdf_epsilon="100")
    header, rows = view.table(result)
    assert len({len(row) for row in (header, *rows)}) == 1
    half = dict(zip(header, next(row for row in rows if row[0] == "0.500"), strict=False))
    exact = result.classes[0].exact.cells
    shown = float(half["no: private"].removesuffix(" %")) / 100
    released = float(result.classes[0].cdf[31])
    # Noise of hundredths of a record is left at this epsilon; the next record is a whole one away.
    assert abs(released - exact.cdf[31]) < 0.25 / exact.counts.sum()
    assert shown == pytest.approx(released, abs=0.0005 + 1e-9)
    assert len(view.picture(result, LIGHT).data) > 6


def test_the_band_reaches_as_far_as_its_farther_side() -> None:
    curve, band = np.array([0.126, 0.9]), (np.array([0.0, 0.8]), np.array([0.655, 0.95]))
    assert half_width(curve, *band) == pytest.approx(0.655 - 0.126)


def test_scores_of_any_size_are_drawn_in_their_own_units() -> None:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 300)
    points = np.clip(np.round(500 + 80 * y + 60 * rng.normal(size=300)), 310, 840)
    rows = zip(y.tolist(), points.tolist(), strict=True)
    app = uploaded("y,points\n" + "".join(f"{label},{score:.0f}\n" for label, score in rows))
    assert_calm(app)
    drawn = figure(app)
    # Bounds suggested from the data: round numbers around all scores.
    low, high = drawn["layout"]["xaxis"]["range"]
    assert 300 <= low <= points.min() < points.max() <= high <= 850
    places = [at for one in drawn["data"] for at in one["x"] if at is not None]
    assert low - 1 <= min(places) < max(places) <= high + 1
    assert re.search(r"at score [3-8][0-9][0-9]", html(app))


def test_a_score_on_a_grid_point_is_on_one_side_of_it_for_truth_and_release() -> None:
    read = read_predictions(b"label,score\n" + b"1,0.5\n0,0.5\n" * 5)
    one = ecdf_study.ExactClass.of("0", Performance.of_predictions(read), "negatives", 256, False)
    assert one.shares.tolist() == one.cells.cdf.tolist()


def test_percentages_are_drawn_as_percentages() -> None:
    rows = "".join(f"{place % 2};{20 + 30 * (place % 2) + place % 31},5\n" for place in range(400))
    app = uploaded(f"label;risk in %\n{rows}")
    assert_calm(app)
    assert figure(app)["layout"]["xaxis"]["range"] == [0, 100]
    said = re.findall(r"for these records ([0-9.]+) to ([0-9.]+)[^;]*; true ([0-9.]+)", html(app))
    assert len(said) == 2
    for low, high, true in said:
        assert 20 <= float(low) < float(true) <= float(high) <= 81


def test_log_odds_are_told_as_the_file_has_them_as_on_the_threshold_page() -> None:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 600)
    odds = 2 * rng.normal(size=600) + 3 * y - 1.5
    rows = "".join(f"{one},{at:.4f}\n" for one, at in zip(y.tolist(), odds, strict=True))
    app = uploaded(f"y,logit\n{rows}")
    assert_calm(app)
    low, high = figure(app)["layout"]["xaxis"]["range"]
    assert low == -high < -5
    said = re.findall(r"for these records (\S+) to ([^,; ]+)[^;]*; true ([−0-9.]+)", html(app))
    boxes = [[float(end.replace("−", "-")) for end in one] for one in said[:2]]
    for place, (below, above, true) in enumerate(boxes):
        ranked = np.sort(odds[y == place])
        assert true == pytest.approx(ranked[(ranked.size + 1) // 2 - 1], abs=2e-3)
        assert below < true <= above
    # The point of the grid next to a chance of 0.05.
    assert "−2.928" in html(app)
    app.switch_page("pages/threshold/page.py").run()
    assert "At the threshold −1.386" in html(app)


def test_a_long_tail_never_makes_an_interval_that_is_one_grid_point() -> None:
    rng = np.random.default_rng(6)
    scores = np.concatenate([rng.exponential(0.5, 1500), [850.0]])
    rows = "".join(f"{place % 2},{score!r}\n" for place, score in enumerate(scores.tolist()))
    app = uploaded(f"label,points\n{rows}")
    assert_calm(app)
    found = re.findall(
        r"for these records ([0-9.]+) to ([0-9.]+), one cell of the grid; true ([0-9.]+)", html(app)
    )
    assert len(found) == 2
    for low, high, true in found:
        assert float(low) < float(true) <= float(high)
    drawn = trace(app, "1, quantile")
    assert drawn["error_x"]["arrayminus"][0] > 0
