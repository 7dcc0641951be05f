"""Selected features on the desk."""

from dataclasses import replace

import numpy as np
import pytest

from dpcore.figures import DARK
from dpcore.publications.features import picture
from dpcore.publications.publication import fitted_as_json
from dpcore.study import NoiseChoice, Selection
from tests.desk._made import of_predictions, predictions
from tests.publications._outcomes import found_of, published


def test_noisy_scores_are_shown_where_they_are_released() -> None:
    scored = Selection(method="noisy-scores", parameters={"top_k": 3})
    request, outcome, result = published("features", selection=scored)
    assert request.kind.load(result) == outcome.selected_names
    header, rows = request.kind.table(found_of(request, result))
    assert list(header) == ["feature", "selected", "noisy_score"]
    assert [row[0] for row in rows if row[1] == "true"] == list(outcome.selected_names)
    assert any(row[2] is not None for row in rows)
    assert request.kind.headline(found_of(request, result)).startswith(
        "3 of 8 features are selected; 1 number,"
    )


def test_little_noise_finds_the_best_features() -> None:
    request, outcome, _ = published("features")
    assert request.kind.measure(outcome).error == 0.0


def test_the_curve_is_the_share_found_of_the_best() -> None:
    request, outcome, _ = published("features")
    found = request.kind.measure(outcome)
    assert found.value == 1.0
    assert found.x.tolist() == pytest.approx([1 / 3, 2 / 3, 1.0])
    assert found.y.tolist() == [1.0, 1.0, 1.0]
    worst = [place for place in range(5) if place not in outcome.selection.selected][:3]
    missed = replace(outcome.selection, selected=np.array(worst))
    found = request.kind.measure(replace(outcome, selection=missed))
    assert (found.value, found.error) == (0.0, 1.0)
    assert found.y.tolist() == [0.0, 0.0, 0.0]


def test_a_threshold_is_compared_with_the_same_threshold() -> None:
    above = Selection(method="noisy-scores", parameters={"threshold": 500.0})
    request, outcome, _ = published("features", selection=above)
    assert request.kind.measure(outcome).error == 0.0


def test_where_nothing_is_to_be_found_nothing_is_right() -> None:
    none = Selection(method="noisy-scores", parameters={"threshold": 1e6})
    request, outcome, _ = published("features", selection=none)
    found = request.kind.measure(outcome)
    assert (found.value, found.error) == (1.0, 0.0)
    one = replace(outcome.selection, selected=np.array([1]))
    found = request.kind.measure(replace(outcome, selection=one))
    assert (found.value, found.error) == (0.0, 1.0)


def test_without_released_scores_there_is_no_picture() -> None:
    request, _, result = published("features")
    assert picture(found_of(request, result), DARK) is None


def test_a_curve_brings_its_features_and_its_model() -> None:
    _, outcome, result = published("roc")
    assert result["features"]["selected"] == list(outcome.selected_names)
    assert result["model"]["provenance"]["estimator"] == "DPNaiveBayes"


def test_predictions_bring_neither() -> None:
    assert fitted_as_json(of_predictions().carry_out(predictions(), noise=NoiseChoice(1))) == {}
