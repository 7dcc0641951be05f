"""Features and model come along with every release that trains."""

from dpcore.desk.outcome import Outcome
from dpcore.desk.publications.fitted import feature_rows, fitted_as_json
from tests.desk._made import of_predictions
from tests.desk.publications._outcomes import published


def test_a_curve_brings_its_features_and_its_model() -> None:
    _, outcome, result = published("roc")
    assert result["features"]["selected"] == list(outcome.selected_names)
    assert result["model"]["provenance"]["estimator"] == "DPNaiveBayes"
    assert len(feature_rows(result)[1]) == len(outcome.feature_names)


def test_predictions_bring_neither() -> None:
    assert fitted_as_json(Outcome(study=of_predictions().study, charges=())) == {}
