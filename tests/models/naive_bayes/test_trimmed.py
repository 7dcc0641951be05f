"""Trimmed means: golden charges, robustness, sensitivity with something trimmed."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Loss, Neighbors
from dpcore.models.naive_bayes import naive_bayes_methods
from dpcore.models.naive_bayes.smooth import trimmed
from dpcore.models.training import Training
from tests.models._records import ReplayGate, training
from tests.models._sensitivity import _smooth_loss
from tests.models.naive_bayes._fitted import (
    NUMBER,
    check_normal_law,
    normal_term,
    run,
    two_normals,
)


def test_golden_charges() -> None:
    charges = run(trimmed, two_normals(50)[0], Loss(3), allocation=2.0, trim=5)[1]
    assert charges == {label: Loss(1) for label in ("class sizes", "means", "means of squares")}


def test_much_epsilon_gives_means_and_deviations() -> None:
    check_normal_law(trimmed, Loss(3_000), trim=0)


def test_a_few_extremes_do_not_count() -> None:
    values = np.append(np.full(2_000, 4.0), np.full(20, 10.0))
    data = training([((v,), 0) for v in values], 1, NUMBER)
    means = [
        normal_term(run(trimmed, data, Loss(3_000), allocation=2.0, trim=trim)[0]).means[0, 0]
        for trim in (0, 50)
    ]
    assert means[1] == pytest.approx(-0.2, abs=1e-3)
    assert means[0] > means[1] + 0.005


@pytest.mark.parametrize("trim", [1, 2])
@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_losses_of_all_neighbours(trim: int, neighbors: Neighbors) -> None:
    values = (0.0, 3.0, 5.0, 10.0)

    def released(data: Training) -> ReplayGate:
        gate = ReplayGate(neighbors)
        trimmed(data, loss=Loss(1), gate=gate, allocation=2.0, trim=trim)  # type: ignore[arg-type]
        return gate

    worst = []
    for size in range(8):
        base = [((v,), 0) for v in np.resize([5.0, 5.0, 0.0, 10.0], size)]
        first = released(training(base, 2, NUMBER))
        grown = [
            released(training([*base, ((v,), label)], 2, NUMBER))
            for v in values
            for label in (0, 1)
        ]
        for label in ("means", "means of squares"):
            runs = [gate.released[label][1] for gate in grown]
            worst.append(_smooth_loss(first.released[label], runs, neighbors))
    assert 0.3 < max(worst) <= 1


def test_the_parameter_is_public_and_checked() -> None:
    assert naive_bayes_methods.get("trimmed").check({})["trim"] == 10
