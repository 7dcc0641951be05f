"""Outcomes name the features."""

from dpcore.desk.outcome import Outcome
from dpcore.desk.pipeline import carry_out, prepare
from dpcore.study import NoiseChoice
from tests.desk._made import of_predictions, of_table, table


def test_selected_names_are_among_all_names() -> None:
    request = of_table("features")
    prepared = prepare(request, table(), noise=NoiseChoice(1))
    outcome = carry_out(request, table(), prepared, noise=NoiseChoice(1))
    assert set(outcome.selected_names) < set(outcome.feature_names)
    assert "age" in outcome.selected_names


def test_nothing_was_selected_from_predictions() -> None:
    outcome = Outcome(study=of_predictions().study, charges=())
    assert (outcome.feature_names, outcome.selected_names) == ((), ())
