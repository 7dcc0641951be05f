"""Simulated records: they fit the schema, carry the assumed signal, and repeat."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.data.counting import ScoreHistogram
from dpcore.desk import Assumed, simulated_dataset, simulated_predictions
from dpcore.errors import InvalidArgument
from dpcore.schema import encode
from dpcore.study import NoiseChoice
from tests.desk._made import SCHEMA, of_table


@pytest.mark.parametrize("auc", [0.5, 0.8, 0.95])
def test_predictions_have_the_assumed_auc_and_prevalence(auc: float) -> None:
    made = simulated_predictions(Assumed(n=40_000, auc=auc, prevalence=0.2))
    # Standard errors: 0.005 at most for the AUC, 0.002 for the share.
    assert abs(ScoreHistogram.from_arrays(made.y_true, made.y_score).auc() - auc) < 0.025
    assert abs(made.y_true.mean() - 0.2) < 0.01


def test_predictions_are_calibrated() -> None:
    made = simulated_predictions(Assumed(n=40_000, prevalence=0.3))
    for low in (0.1, 0.3, 0.5):
        inside = (made.y_score >= low) & (made.y_score < low + 0.1)
        assert abs(made.y_true[inside].mean() - made.y_score[inside].mean()) < 0.06


def test_tables_fit_their_schema() -> None:
    made = simulated_dataset(SCHEMA, Assumed(n=500))
    SCHEMA.validate(made.frame)
    design = encode(made.frame.drop(columns="ill"), SCHEMA)
    assert design.matrix.shape[0] == 500
    assert set(made.frame["ill"]) == {"no", "yes"}
    assert not made.taken_from_data


def test_both_parts_of_the_split_hold_both_classes() -> None:
    """The coins of the split and the labels must not come from one stream."""
    made = simulated_dataset(SCHEMA, Assumed())
    prepared = of_table().carry_out(made, noise=NoiseChoice(0)).prepared
    assert prepared is not None
    for part in (prepared.train, prepared.test):
        assert part.y is not None
        assert abs(np.mean(part.y) - 0.5) < 0.1


def test_the_same_guess_gives_the_same_records() -> None:
    one, other = (simulated_dataset(SCHEMA, Assumed(n=50, seed=3)).frame for _ in range(2))
    assert one.equals(other)
    assert not one.equals(simulated_dataset(SCHEMA, Assumed(n=50, seed=4)).frame)


@pytest.mark.parametrize(
    "wrong", [{"n": 3}, {"prevalence": 0.0}, {"auc": 0.4}, {"auc": 1.0}, {"seed": -1}]
)
def test_guesses_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(wrong))):
        Assumed(**wrong)  # type: ignore[arg-type]
