"""Golden charges, and the true normal law at much epsilon; see the mechanism for the loss."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.mechanisms import SmoothCauchy, Statistic
from dpcore.models.naive_bayes.smooth import METHOD, smooth, smooth_numbers
from dpcore.release import open_gate
from tests.models.naive_bayes._fitted import check_normal_law, run, two_normals


def make(loss: Loss, statistic: Statistic, **public: Any) -> SmoothCauchy:
    return SmoothCauchy(epsilon=loss.epsilon, statistic=statistic, **public)


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_two_charges_and_the_true_numbers(neighbors: Neighbors) -> None:
    data, values, labels = two_normals()
    gate = open_gate(Loss(100), neighbors=neighbors, noise=SeededNoise(0))
    means, deviations = smooth_numbers(make, data, np.zeros(2), Loss(60), Loss(40), gate)
    assert [charge.loss for charge in gate.charges] == [Loss(60), Loss(40)]
    for label in (0, 1):
        own = values[labels == label] / 5 - 1
        assert means[label, 0] == pytest.approx(own.mean(), abs=1e-3)
        assert deviations[label, 0] == pytest.approx(own.std(), abs=2e-3)


def test_missing_cells_are_the_middle() -> None:
    data, _, _ = two_normals(10)
    assert np.isfinite(data.rows.scaled).all()


LOSS = Loss(3)


def test_it_names_the_mechanism_that_it_uses() -> None:
    gate = open_gate(LOSS, noise=SeededNoise(0))
    smooth(two_normals(50)[0], loss=LOSS, gate=gate, allocation=2.0)
    assert [charge.mechanism for charge in gate.charges][1:] == [SmoothCauchy.__name__] * 2
    assert METHOD.guarantee is SmoothCauchy.guarantee


def test_golden_charges() -> None:
    charges = run(smooth, two_normals(50)[0], LOSS, allocation=2.0)[1]
    assert charges == {label: Loss(1) for label in ("class sizes", "means", "standard deviations")}


def test_much_epsilon_gives_means_and_deviations() -> None:
    check_normal_law(smooth, Loss(200))
