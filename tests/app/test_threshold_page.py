"""The threshold page: from an odd file to the picture, the numbers, links, and what is free."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    confusion_matrix,
    f1_score,
    precision_recall_curve,
    precision_score,
    recall_score,
)
from streamlit.testing.v1 import AppTest

from dpcore import SeededNoise
from dpcore._numbers import ANY
from dpcore.evaluation import ExactScores, private_roc_curve, roc_methods
from dpcore.privacy import shown
from dpcore.publications.decisions import _about
from pages.threshold import choices, view
from tests.app.opening import assert_calm, figure, html, open_page, sentences
from tests.app.test_data import choose, upload
from tests.app.test_journeys import headline, odd_scores
from tests.app.test_stops import at

LABEL = "Threshold"
DRAWS = np.random.default_rng(8)
Y = DRAWS.random(3000) < 0.3
SCORES = np.round(np.clip(DRAWS.normal(0.35 + 0.25 * Y, 0.15), 0.001, 0.999), 3)


def rows(app: AppTest) -> dict[str, list[str]]:
    """The table: measure -> private, lower, upper, true."""
    found = re.findall(r"<tr><td>(.*?)</td>(.*?)</tr>", html(app))
    return {name: re.findall(r"<td>(.*?)</td>", rest) for name, rest in found}


def drawn(app: AppTest) -> dict[str, dict]:
    """Traces of the first figure by name."""
    return {trace["name"]: trace for trace in figure(app)["data"]}


def result(epsilon: float, scores: np.ndarray = SCORES) -> view.ThresholdResult:
    roc = private_roc_curve(Y, scores, epsilon=epsilon, noise=SeededNoise(2))
    return view.ThresholdResult(roc, ExactScores(Y, scores), str(epsilon), "private", "ill")


def test_an_odd_file_reaches_the_picture_and_the_truth_is_that_of_scikit_learn() -> None:
    app = upload(
        choose(open_page("data"), "My predictions"), "predictions file", "k.csv", odd_scores()
    )
    records = app.session_state["upload"].records
    app.switch_page("pages/threshold/page.py").run()
    app.select_slider(key="control threshold_at").set_value("0.42").run()
    assert app.exception == []
    assert headline(app).startswith("At the threshold 0.42, of 1,000 people ")
    truth, alarmed = records.y_true, records.y_score >= 0.42
    tn, fp, fn, tp = 1000 * confusion_matrix(truth, alarmed).ravel() / truth.size
    assert np.allclose(drawn(app)["true"]["x"], [tp, fp, fn, tn], atol=1e-4)
    assert f"True: {tp + fp:.0f}, {100 * tp / (tp + fp):.0f} % of them rightly." in headline(app)
    table = rows(app)
    for name, score in {
        "sensitivity (recall)": recall_score(truth, alarmed),
        "specificity": recall_score(truth, alarmed, pos_label=0),
        "positive predictive value (precision)": precision_score(truth, alarmed),
        "negative predictive value": precision_score(truth, alarmed, pos_label=0),
        "accuracy": accuracy_score(truth, alarmed),
        "F1": f1_score(truth, alarmed),
    }.items():
        private, lower, upper, true = map(float, table[name])
        assert true == pytest.approx(score, abs=6e-4), name
        assert lower <= private <= upper, name


@pytest.mark.parametrize("level", ["0.2", "0.5"])
def test_without_noise_to_speak_of_the_private_numbers_are_the_true_ones(level: str) -> None:
    found, cut = result(1000.0), Fraction(level)
    point = found.point(cut)
    for name, released in view.MEASURES.items():
        assert getattr(point, released) == pytest.approx(found.true(name, cut), abs=0.03), name


def test_true_curves_are_those_of_scikit_learn() -> None:
    exact = ExactScores(Y, SCORES)
    x = np.linspace(0.01, 0.99, 99)
    precision, recall, _ = precision_recall_curve(Y, SCORES)
    best = [precision[recall >= share - 1e-12][np.argmin(recall[recall >= share - 1e-12])]
            for share in x]  # fmt: skip
    _, found = view.true_curve(exact, "precision_recall", x)
    # Ties in recall: the strictest threshold has the highest precision.
    assert np.all(found >= np.array(best) - 1e-9)
    assert np.isclose(found, best, atol=0.02).all()
    _, gains = view.true_curve(exact, "gains", x)
    ranked = Y[np.argsort(-SCORES, kind="stable")]
    assert np.allclose(gains, np.cumsum(ranked)[(x * Y.size).astype(int) - 1] / Y.sum(), atol=0.01)
    _, benefit = view.true_curve(exact, "net_benefit", x)
    (_, fp), (_, tp) = confusion_matrix(Y, x[29] <= SCORES)
    assert benefit[29] == pytest.approx((tp - fp * x[29] / (1 - x[29])) / Y.size)
    assert view.true_curve(ExactScores(Y & False, SCORES), "gains", x) is None


def test_the_page_costs_what_the_curve_costs_and_no_more() -> None:
    def meter(app: AppTest) -> str:
        (found,) = (one.value for one in app.get("html") if "This page would cost" in one.value)
        return found

    app = open_page("threshold")
    assert_calm(app)
    assert meter(app) == meter(open_page("roc"))
    assert any("After the release: free." in element.value for element in app.markdown)
    app.select_slider(key="control threshold_at").set_value("0.31").run()
    assert meter(app) == meter(open_page("roc"))


def test_a_link_restores_the_picture() -> None:
    link = {"threshold_at": "0.425", "threshold_curve": "net_benefit", "epsilon": "0.7"}
    app = open_page("threshold", **link)
    assert_calm(app)
    assert {name: app.query_params[name] for name in link} == link
    assert app.select_slider(key="control threshold_at").value == "0.425"
    again = open_page("threshold", **{k.replace(".", "__"): v for k, v in app.query_params.items()})
    figures = [[one.proto.json for one in found.get("bidi_component")] for found in (app, again)]
    assert figures[0] == figures[1]


@pytest.mark.parametrize(
    "name, value", [("threshold_at", "1.2"), ("threshold_at", "high"), ("threshold_curve", "roc")]
)
def test_nonsense_in_a_link_is_one_sentence_and_a_default(name: str, value: str) -> None:
    app = open_page("threshold", **{name: value})
    assert [error.message for error in app.exception] == []
    (sentence,) = sentences(app)
    assert value in sentence
    assert app.query_params[name] == choices.DEFAULTS[name]


@pytest.mark.few(1)
@pytest.mark.stops
@pytest.mark.parametrize("curve", ["precision_recall", "net_benefit"])
def test_both_figures_follow_the_slider_as_the_server_draws_them(curve: str) -> None:
    app = open_page("threshold", threshold_curve=curve)
    drags = [json.loads(one.proto.json) for one in app.get("bidi_component")]
    frames = {one["figure"]: json.loads(one["sliders"][LABEL]) for one in drags if "sliders" in one}
    assert set(frames) == {"threshold", "threshold curve"}
    app.select_slider(key="control threshold_at").set_value("0.35").run()
    for place, name in enumerate(frames):
        (frame,) = (one for one in frames[name] if one["name"] == "0.35")
        traces = figure(app, place)["data"]
        for number, changed in zip(frame["traces"], frame["data"], strict=True):
            assert {key: at(traces[number], key) for key in changed} == changed
    assert sum(len(one.proto.json) for one in app.get("bidi_component")) < 200_000


@pytest.mark.parametrize("method", roc_methods())
def test_every_method_says_what_happens_or_that_it_does_not(method: str) -> None:
    app = open_page("threshold", method=method)
    assert not app.exception
    counts = method in ("quantile-bins", "equal-width")
    assert ("At the threshold 0.2" in headline(app)) is counts
    assert ("does not say what happens at a threshold" in headline(app)) is not counts
    assert bool(app.get("bidi_component")[0].proto.json.count('"people"')) is counts


def test_where_the_noise_leaves_everything_nothing_is_said() -> None:
    app = open_page("threshold", epsilon="0.01")
    assert_calm(app)
    assert headline(app) == (
        "At epsilon 0.01 this threshold says nothing: the noise leaves any number of flagged "
        "people possible."
    )
    assert rows(app)["accuracy"][:3] == [ANY, "0.000", "1.000"]
    assert f"private, {ANY}" in drawn(app)


@pytest.mark.parametrize(
    "share, words", [(0.74, "about 3 of 4"), (0.99, "nearly all"), (0, "hardly any")]
)
def test_shares_are_said_as_people_say_them(share: float, words: str) -> None:
    assert _about(share, 0.0, 1.0) == words


def test_a_fraction_that_the_interval_rules_out_is_not_said() -> None:
    assert _about(0.533, 0.52, 0.55) == "53 %"


@pytest.mark.stops
def test_a_threshold_is_told_in_the_numbers_of_the_file() -> None:
    rows = "".join(f"{place % 2},{100 * score:.1f}\n" for place, score in enumerate(SCORES[:600]))
    app = choose(open_page("data"), "My predictions")
    upload(app, "predictions file", "percent.csv", f"label,score\n{rows}".encode())
    app.switch_page("pages/threshold/page.py").run()
    assert headline(app).startswith("At the threshold 20, of 1,000 people ")
    slider = next(one for one in app.select_slider if one.label == "Threshold")
    assert slider.options == [str(percent) for percent in range(1, 100)]
    assert slider.value == "0.2"
    assert app.query_params.get("threshold_at", "0.2") == "0.2"
    stops = json.loads(next(
        one.proto.json for one in app.get("bidi_component") if '"threshold"' in one.proto.json
        and '"sliders"' in one.proto.json
    ))["sliders"]["Threshold"]  # fmt: skip
    assert [one["name"] for one in json.loads(stops)] == slider.options
    assert re.search(r"Errors cost least from \d+ on", " ".join(one.value for one in app.markdown))


def test_a_threshold_below_zero_has_a_minus_as_in_print() -> None:
    rows = "".join(f"{n % 2},{6 * score - 3:.2f}\n" for n, score in enumerate(SCORES[:600]))
    app = choose(open_page("data"), "My predictions")
    upload(app, "predictions file", "logits.csv", f"label,logit\n{rows}".encode())
    app.switch_page("pages/threshold/page.py").run()
    assert headline(app).startswith("At the threshold \N{MINUS SIGN}1.386, of 1,000 people ")


def test_scores_that_only_rank_have_no_net_benefit() -> None:
    rows = "".join(f"{place % 2},{300 + 500 * score:.0f}\n" for place, score in enumerate(SCORES))
    app = choose(open_page("data", threshold_curve="net_benefit"), "My predictions")
    upload(app, "predictions file", "points.csv", f"label,score\n{rows}".encode())
    app.switch_page("pages/threshold/page.py").run()
    (curves,) = (one for one in app.segmented_control if one.label == "Over all thresholds")
    assert curves.options == ["Precision-recall", "Gains"]
    assert curves.value == "precision_recall"
    (slider,) = (one for one in app.select_slider if one.label == "Threshold")
    assert headline(app).startswith("At the threshold 4")
    assert 300 < float(slider.options[0]) < float(slider.options[-1]) < 850


def test_records_of_one_class_are_only_noise() -> None:
    app = open_page("threshold", test="0.002")
    assert_calm(app)
    assert rows(app)["accuracy"]


@pytest.mark.parametrize("ratio", ["1/5", "10"])
def test_the_cheapest_threshold_is_found_and_taken(ratio: str) -> None:
    app = open_page("threshold", threshold_cost=ratio)
    (words,) = [one.value for one in app.markdown if one.value.startswith("Errors cost least")]
    best = re.search(r"from ([0-9.]+) on", words).group(1)
    # Where the private curve finds the true best, it is named once.
    assert ("nowhere less" in words) is (words.count(" on") == 1)
    assert f"from {best} on." not in words
    (take,) = [one for one in app.button if one.label == "Take this threshold"]
    take.click().run()
    assert_calm(app)
    assert Fraction(app.session_state["chosen"]["threshold_at"]) == Fraction(best)
    assert headline(app).startswith(f"At the threshold {best}")
    # The rates of groups and the model's decisions are those at this threshold.
    for page in ("groups", "model"):
        app.switch_page(f"pages/{page}/page.py").run()
        assert_calm(app)
        (slider,) = [one for one in app.slider if one.key == f"control {page}_threshold"]
        assert slider.value == float(best)


@pytest.mark.parametrize("ratio", ["1/5", "5"])
def test_a_curve_of_noise_names_no_cheapest_threshold(ratio: str) -> None:
    best, words = view.cheapest(result(0.001), Fraction(ratio), shown)
    assert best is None
    assert words.startswith("At epsilon 0.001 the curve says nothing: the noise leaves any cost")
    app = open_page("threshold", threshold_cost=ratio, epsilon="0.01", data="breast-cancer")
    assert any("the noise leaves any cost of errors possible" in one.value for one in app.markdown)
    assert "Take this threshold" not in [one.label for one in app.button]


def test_one_false_alarm_is_no_plural() -> None:
    scores = np.where(Y, 0.9, 0.1)
    scores[np.flatnonzero(~Y)[:3]] = 0.95
    _, words = view.cheapest(result(1000, scores), Fraction(5), shown)
    assert "as much as 1 false alarm in 1,000 people" in words


def test_with_little_noise_the_cheapest_threshold_is_the_true_one() -> None:
    ratio, found = Fraction(5), result(1000)
    stops = [float(stop) for stop in choices.STOPS]
    true = [np.sum((t <= SCORES) & (Y == 0)) + 5 * np.sum((t > SCORES) & (Y == 1)) for t in stops]
    best, words = view.cheapest(found, ratio, shown)
    assert true[choices.STOPS.index(best)] <= 1.05 * min(true) + 2
    assert f"{1000 * min(true) / Y.size:.0f}, from {stops[int(np.argmin(true))]:g} on." in words
