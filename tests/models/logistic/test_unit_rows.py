"""Rows in the unit ball, and one regression per class."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from dpcore import Loss, Neighbors
from dpcore.mechanisms import ObjectivePerturbation
from dpcore.models.logistic.unit_rows import one_per_class, unit_rows
from tests.models._records import ReplayGate, all_records, training


def test_rows_fill_the_unit_ball_and_no_more() -> None:
    rows, radius = unit_rows(training(all_records(2), 2))
    assert radius == pytest.approx(np.sqrt(1 + 4 + 1))
    assert csr_array(rows).power(2).sum(axis=1).max() == pytest.approx(1.0)


@pytest.mark.parametrize("n_classes, link", [(2, "sigmoid"), (3, "one-vs-rest")])
def test_the_loss_is_divided_and_the_model_scores_as_the_rows_do(n_classes: int, link: str) -> None:
    data, gate = training(all_records(n_classes), n_classes), ReplayGate(Neighbors.ADD_REMOVE)
    asked = []

    def regression(share: Loss) -> ObjectivePerturbation:
        asked.append(share)
        return ObjectivePerturbation(epsilon=share.epsilon, regularization=1.0)

    model = one_per_class(data, regression, loss=Loss(1), gate=gate)  # type: ignore[arg-type]
    assert model.link == link
    assert sum((share.epsilon for share in asked), start=0) == 1
    for score, (label, (_, (rows, signs))) in enumerate(gate.released.items()):
        np.testing.assert_allclose(model.scores(data.rows)[:, score], rows @ gate.said[label])
        positive = int(label.split()[-1])
        np.testing.assert_array_equal(signs > 0, data.classes == positive)
