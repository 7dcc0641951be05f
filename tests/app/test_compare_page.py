"""The compare page: an odd file of nine columns, its words, its link, and a single model."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score
from streamlit.testing.v1 import AppTest

from dpcore._numbers import ANY, rate, signed
from dpcore.data.reading import read_predictions
from dpcore.evaluation import private_model_comparison
from dpcore.figures import LIGHT
from dpcore.privacy import Ledger
from dpcore.publications import Found
from dpcore.publications.contrasts import comparison_headline
from dpcore.study import DataSource, NoiseChoice, Workflow, from_json, run_workflow
from pages.compare import choices, view
from pages.session import study_fields
from pages.session.open_data import Opened
from pages.session.study import _source
from tests.app.opening import assert_calm, figure, html, open_page, sentences
from tests.app.test_data import choose, upload

MODELS = ("Score LR", "Score RF", "Score <b>NB</b>")


def rows(number: int = 3000) -> pd.DataFrame:
    """Nine columns, as a clinic's spreadsheet may have them; one score is missing."""
    draws = np.random.default_rng(5)
    ill = draws.random(number) < 0.3
    site = draws.choice(["north", "south", "west"], number, p=[0.55, 0.4, 0.05])
    # The first model ranks the records of the south worse.
    weights = (np.where(site == "south", 0.3, 1.2), 1.8, 0.6)
    scores = [1 / (1 + np.exp(-(w * (ill - 0.4) + draws.normal(size=number)))) for w in weights]
    table = {
        "Patient no": np.arange(1000, 1000 + number),
        "Age": 20 + np.arange(number) % 60,
        "Ward": np.arange(number) % 4,
        "Site": site,
        "Outcome": np.where(ill, "yes", "no"),
        **{name: score.round(4) for name, score in zip(MODELS, scores, strict=True)},
        "Comment": "ok",
    }
    frame = pd.DataFrame(table)
    frame.loc[7, MODELS[1]] = np.nan
    return frame


def content() -> bytes:
    """With semicolons, and commas in its numbers."""
    return rows().to_csv(index=False, sep=";", decimal=",").encode()


def with_file(page: str, file: bytes, **address: str) -> AppTest:
    """A page with predictions that were opened on the Data page."""
    app = choose(open_page("data", **address), "My predictions")
    upload(app, "predictions file", "clinic.csv", file)
    return app.switch_page(f"pages/{page}/page.py").run()


def true_difference(a: str, b: str) -> float:
    read = rows().dropna(subset=[a, b])
    ill = read["Outcome"] == "yes"
    return float(roc_auc_score(ill, read[b]) - roc_auc_score(ill, read[a]))


@pytest.fixture(scope="module")
def opened() -> AppTest:
    return with_file("compare", content())


def test_the_data_page_leads_to_both_pages_where_the_file_has_what_they_take() -> None:
    app = choose(open_page("data"), "My predictions")
    upload(app, "predictions file", "clinic.csv", content())
    ways = {"See the ROC curve", "Compare two models", "Look at each group"}
    assert ways <= {one.proto.label for one in app.get("page_link")}
    upload(app, "predictions file", "one.csv", b"label,score\n" + b"yes,0.9\nno,0.2\n" * 30)
    assert ways & {one.proto.label for one in app.get("page_link")} == {"See the ROC curve"}


def test_the_takeaway_says_which_model_is_better(opened: AppTest) -> None:
    assert_calm(opened)
    words = html(opened)
    assert "On these records model B is better by 0." in words
    assert words.index("dpcore-headline") < words.index("B less A, private")
    names = [trace["name"] for trace in figure(opened)["data"]]
    assert names[-2:] == ["private", "true"]
    assert [one["text"] for one in figure(opened)["layout"]["annotations"]] == ["SIMULATION"]


def test_the_true_difference_is_scikit_learns(opened: AppTest) -> None:
    expected = true_difference(*MODELS[:2])
    (drawn,) = figure(opened)["data"][-1]["x"]
    assert drawn == pytest.approx(expected, abs=1e-5)
    assert f"<dt>True difference</dt><dd>{signed(expected)}</dd>" in html(opened)
    better = "B" if expected > 0 else "A"
    assert f"In truth {better} is better by {rate(abs(expected))}" in html(opened)
    ill = rows()["Outcome"] == "yes"
    assert (
        f"rougher than the difference; true {rate(roc_auc_score(ill, rows()[MODELS[0]]))}"
        in html(opened)
    )
    curves = next(
        one
        for one in (json.loads(each.proto.json) for each in opened.get("bidi_component"))
        if one.get("key") == "true curves"
    )
    assert "not private" in curves["alt"]
    assert not any("dash" in trace["line"] for trace in curves["data"])
    assert "<b>" not in json.dumps(curves["layout"]) + "".join(t["name"] for t in curves["data"])


def test_the_study_in_the_files_reads_both_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = read_predictions(content(), name="clinic.csv", leave_out=True)
    open_now = Opened("clinic.csv", read, True)
    monkeypatch.setattr(view.open_data, "current", lambda: open_now)
    data = _source(open_now)
    assert data is not None
    whole = run_workflow(Workflow(data=data, noise=NoiseChoice(7)), data=read)
    pair = view.pair_of(read.parsed, MODELS[2], MODELS[0])
    choice = choices.CompareChoice(Fraction(1), 3, 1, "kind")
    result = view.run(choice, pair, study=whole.config, ledger=Ledger(), part=None)
    made = {label: make() for label, _, make in view.files(result, whole)}
    study = from_json(json.dumps(json.loads(made["JSON"])["study"]))
    assert (study.data.score, study.data.score_b) == (MODELS[2], MODELS[0])
    report = made["HTML"].decode()
    assert f"&quot;{MODELS[1]}&quot;" not in report
    assert "&quot;score_b&quot;: &quot;Score LR&quot;" in report
    (tmp_path / "clinic.csv").write_bytes(content())
    again = run_workflow(study, base=tmp_path).tested.models
    assert [one.auc() for one in again] == pytest.approx([pair.a.auc, pair.b.auc], abs=1e-4)


def test_one_charge_stands_in_the_meter(opened: AppTest) -> None:
    assert "all records: comparison</span><span>1</span>" in html(opened)


def test_a_link_restores_epsilon_and_models() -> None:
    link = {"compare_epsilon": "0.37", "compare_a": "3", "compare_b": "1"}
    app = with_file("compare", content(), **link)
    assert_calm(app)
    assert {name: app.query_params[name] for name in link} == link
    assert app.selectbox(key="control compare_a").value == 3
    (drawn,) = figure(app)["data"][-1]["x"]
    assert drawn == pytest.approx(true_difference(MODELS[2], MODELS[0]), abs=1e-5)
    assert figure(with_file("compare", content(), **link)) == figure(app)
    # Nothing that a file calls its columns is in the address.
    assert "Score" not in str(dict(app.query_params))


def test_the_other_model_makes_room_where_both_would_be_one() -> None:
    app = with_file("compare", content())
    app.selectbox(key="control compare_a").set_value(2).run()
    assert_calm(app)
    assert (app.query_params["compare_a"], app.query_params["compare_b"]) == ("2", "1")
    assert app.selectbox(key="control compare_b").value == 1
    assert choices.read({**choices.DEFAULTS, "compare_b": "9"}).among(3) == (1, 3)
    assert choices.read({**choices.DEFAULTS, "compare_a": "9"}).among(2) == (2, 1)


def test_a_smaller_epsilon_cannot_tell() -> None:
    app = with_file("compare", content())
    before = figure(app)
    app.select_slider(key="control compare_epsilon").set_value("0.02").run()
    assert_calm(app)
    assert "These records cannot tell which model is better" in html(app)
    assert figure(app) != before
    assert "records: comparison</span><span>0.02</span>" in html(app)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "name, value, says",
    [
        ("compare_epsilon", "-1", "positive"),
        ("compare_a", "0", "between 1 and"),
        ("compare_b", "first", "a whole number"),
    ],
)
def test_nonsense_in_a_link_is_one_sentence_and_a_default(name: str, value: str, says: str) -> None:
    app = with_file("compare", content(), **{name: value})
    assert [error.message for error in app.exception] == []
    (sentence,) = sentences(app)
    assert says in sentence
    assert app.query_params[name] == choices.DEFAULTS[name]


def test_without_a_second_score_the_page_says_what_to_open() -> None:
    app = with_file("compare", b"label,score\n" + b"yes,0.9\nno,0.2\n" * 30)
    assert_calm(app)
    assert "There is one model here, and a comparison takes two" in html(app)
    assert any("two score columns or more" in one.value for one in app.markdown)
    assert "To the Data page" in [one.proto.label for one in app.get("page_link")]


def test_one_class_only_is_noise_and_no_traceback() -> None:
    read = view.PredictionColumns(
        np.zeros(50, dtype=np.int64), {"a": np.full(50, 0.2), "b": np.full(50, np.nan)}
    )
    pair = view.pair_of(read, "a", "b")
    assert pair.a.scores.size == 0
    assert pair.b.auc == 0.5


def test_the_files_are_stamped_and_hold_both_sides(opened: AppTest) -> None:
    labels = [element.proto.label for element in opened.get("download_button")]
    assert labels == ["CSV", "JSON", "HTML"]


@pytest.mark.few(1)
@pytest.mark.parametrize("other", ["kind", "less"])
def test_a_trained_model_is_compared_with_another_setting(other: str) -> None:
    """Both are scored on the same test records, and both trainings stand in the account."""
    app = open_page("compare", data="heart-risk", compare_other=other, epsilon__training="0.8")
    assert_calm(app)
    names = html(app)
    study = study_fields.workflow(dict(app.session_state["chosen"]))
    second = choices.other_study(study, other)
    one, two = run_workflow(study), run_workflow(second)
    assert np.array_equal(one.tested.exact.positive, two.tested.exact.positive)
    true = two.tested.exact.auc - one.tested.exact.auc
    assert signed(true) in names
    pair = view.pair_of_studies(one, two)
    assert pair.names[0] == "default classifier, epsilon 0.8 to train"
    legend = [one["name"] for one in view.true_curves(pair, LIGHT).data]
    long = replace(pair, names=("rf " * 20, "lr " * 20), charges=())
    assert max(len(one["name"]) for one in view.true_curves(long, LIGHT).data) == 9 + 32
    assert legend == [f"{one}, true: {name}" for one, name in zip("AB", pair.names, strict=True)]
    assert pair.names[0] != pair.names[1]
    assert second.noise.seed != study.noise.seed
    # Both trainings are in the table of charges.
    assert names.count("JointHistograms") + names.count("training") >= 2


@pytest.mark.parametrize(
    "truth, says",
    [
        (
            (0.70, 0.702),
            "In truth B is better by 0.002: the noise misled, as in at most 10 % of draws.",
        ),
        (
            (0.75, 0.70),
            "In truth A is better by 0.050: the interval misses it, as in at most 10 % of draws.",
        ),
        ((0.72, 0.70), "In truth A is better by 0.020."),
        ((0.70, 0.70), "In truth they are alike: the noise misled, as in at most 10 % of draws."),
    ],
)
def test_an_interval_that_misses_the_truth_is_said_to(
    truth: tuple[float, float], says: str
) -> None:
    release = SimpleNamespace(
        verdict="On these records model A is better.", interval=(-0.04, -0.005), confidence=0.9
    )
    found = Found(release=release, truth=truth, epsilon=Fraction(1), noise="seed:7")
    assert comparison_headline(found) == f"{release.verdict} {says}"


def test_scores_of_several_classes_are_those_of_one_model() -> None:
    rows = "".join(f"{'abc'[i % 3]},0.{2 + i % 5},0.{1 + i % 3},0.{3 + i % 4}\n" for i in range(90))
    app = with_file("compare", f"label,p_a,p_b,p_c\n{rows}".encode())
    assert_calm(app)
    assert "There is one model here" in html(app)


def test_the_first_draw_that_anybody_sees_is_no_rare_one() -> None:
    """Noise of the usual seed is much the same share of its scale on any data: a typical one."""
    frame = rows(600).dropna()
    seed = NoiseChoice(int(study_fields.DEFAULTS["seed"]))
    noise = Workflow(data=DataSource(sample=study_fields.SAMPLE), noise=seed).evaluation_noise
    ill, told = frame["Outcome"] == "yes", [frame[name].to_numpy() for name in MODELS[:2]]
    found = private_model_comparison(ill, *told, epsilon=1, noise=noise.source(view.STAGE))
    low, high = found.interval
    off = found.difference - np.diff([roc_auc_score(ill, one) for one in told]).item()
    assert 0.1 < abs(2 * off / (high - low)) < 0.6


def test_numbers_that_nothing_limits_are_not_told() -> None:
    """A difference of +1.000 between areas of 0.000 and 1.000 was the noise alone."""
    for epsilon, open_ones in (("0.001", 3), ("1", 0)):
        app = with_file("compare", content(), compare_epsilon=epsilon)
        assert html(app).count(">any possible<") == open_ones
        # Neither in words nor in the picture.
        nothing = "this comparison says nothing: the noise leaves any difference possible."
        assert (nothing in html(app)) is bool(open_ones)
        drawn = {trace["name"]: trace["x"] for trace in figure(app)["data"]}
        assert (len(drawn["private"]), len(drawn[ANY])) == ((0, 1) if open_ones else (1, 0))
