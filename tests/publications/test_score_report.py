"""The report of counted scores: what it shows, and what it must not."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpcore.data.counting import ScoreHistogram
from dpcore.data.counting.score_tally import CELLS
from dpcore.data.reading.prediction_scores import ScoreScale
from dpcore.evaluation.score_evaluation import ScoreEvaluation, evaluate_scores
from dpcore.publications.report import headline, score_report_html
from tests.data.counting._files import predictions
from tests.evaluation._kinds import OF_ONE_SCORE


@pytest.fixture(scope="module")
def scores() -> ScoreHistogram:
    frame = predictions(4000)
    return ScoreHistogram.from_arrays(frame["y"], frame["p"])


def report(found: ScoreEvaluation) -> str:
    return score_report_html(found).decode()


def test_a_simulation_is_stamped_and_shows_the_truth(scores: ScoreHistogram) -> None:
    found = evaluate_scores(scores, epsilon=1, wanted=OF_ONE_SCORE, seed=1)
    html = report(found)
    assert "SIMULATION" in html
    assert "<title>Predictions</title>" in html
    # Counted scores have no exact order, so nothing is called true that the cells may have merged.
    without = f"without noise, on the public cells, it is {scores.auc():.3f}"
    assert without in headline(found)
    assert "calibrated model shows about" in html
    assert json.loads(found.to_json())["truth"]["of"] == "the public cells"
    for heading in (
        "ROC curve",
        "AUC",
        "Counts at a threshold",
        "Distribution of scores",
        "Calibration",
        "Privacy ledger",
    ):
        assert f"<h2>{heading}</h2>" in html
    assert html.count('"name": "true"') >= 2


def test_a_private_release_shows_none(scores: ScoreHistogram) -> None:
    html = report(evaluate_scores(scores, epsilon=1, wanted=OF_ONE_SCORE))
    assert "PRIVATE RELEASE, epsilon 1" in html
    assert "SIMULATION" not in html
    assert '"name": "true"' not in html
    assert "the true one" not in html


@pytest.mark.parametrize("wanted", OF_ONE_SCORE)
def test_one_evaluation_alone(scores: ScoreHistogram, wanted: str) -> None:
    html = report(evaluate_scores(scores, epsilon=1, wanted=(wanted,), seed=1))
    assert html.count("<h2>") == 2


@pytest.mark.parametrize("rows", [0, 5])
def test_few_records_and_an_empty_class(rows: int) -> None:
    scores = ScoreHistogram.from_arrays([1] * rows, [0.5] * rows)
    for seed in (1, None):
        found = evaluate_scores(scores, epsilon=1, wanted=OF_ONE_SCORE, seed=seed)
        assert "<h2>Calibration</h2>" in report(found)


@pytest.mark.parametrize(
    "neighbors, words",
    [("add-remove", "they are left out"), ("replace", "each counts as negative")],
)
def test_only_a_simulation_says_how_many_rows_were_left_out(neighbors: str, words: str) -> None:
    vector = np.append(np.ones(2 * CELLS, dtype=np.int64), 1234)
    scores = ScoreHistogram.from_vector(vector)
    seeded = report(evaluate_scores(scores, epsilon=1, neighbors=neighbors, seed=1))
    assert "usable score: 1,234" in seeded
    real = report(evaluate_scores(scores, epsilon=1, neighbors=neighbors))
    assert "usable score: " not in real
    assert "was not released" in real
    assert words in seeded
    assert words in real


def test_thresholds_and_distributions_are_in_the_units_of_the_scores() -> None:
    """Credit scores of 300 to 850: an alarm at 0.4 of that range is one at 520."""
    scale = ScoreScale.of("any", (300.0, 850.0))
    draws = np.random.default_rng(2)
    label = np.arange(400) % 2
    points = np.clip(550 + 80 * label + 60 * draws.normal(size=400), 300, 850)
    scores = ScoreHistogram.from_arrays(label, points, scale=scale)
    told = {"epsilon": 20, "wanted": ("threshold", "ecdf"), "seed": 1, "threshold": 0.4}
    html = report(evaluate_scores(scores, **told, scale=scale))
    assert "with everybody flagged from a score of 520 on" in html
    bare = report(evaluate_scores(scores, **told))
    assert "with everybody flagged from a score of 0.4 on" in bare
    # The distribution is drawn in them, too.
    assert html != bare.replace("score of 0.4 on", "score of 520 on")
