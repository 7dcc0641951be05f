"""Held-out counts are binomial, so their limits cover."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit import mechanism_target
from dpcore.audit.events import Search
from dpcore.audit.held_out import HeldOut, HoldoutAnswers
from dpcore.mechanisms import Geometric, ReusableHoldout
from dpcore.noise import SeededNoise

HOLDOUT = ReusableHoldout(records=2, budget=1, threshold=0.5, sigma="0.0001")


def test_it_answers_until_the_budget_ends() -> None:
    train = np.zeros((3, 1))
    asked = HoldoutAnswers(holdout=HOLDOUT, train=train)
    held = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
    overfit, answers = asked.draw(held, SeededNoise(0))
    assert overfit.tolist() == [0.0, 1.0]
    assert answers == pytest.approx([0.0, 1.0], abs=0.01)
    assert asked.loss == HOLDOUT.loss
    assert asked.neighbors is HOLDOUT.neighbors


def test_the_tradeoff_never_rises_and_its_bound_stays_below_the_estimate() -> None:
    target = mechanism_target(Geometric(epsilon=2))
    samples = [
        target.sample(np.array([count]), 3000, SeededNoise(seed))
        for count, seed in ((0, 1), (1, 2), (0, 3), (1, 4))
    ]
    held_out = HeldOut(Search.on(target, *samples[:2], risk=0.01), *samples[:2])
    held_out.add(*samples[2:])
    curve = held_out.tradeoff(largest=4.0, risk=0.01)
    assert (np.diff(curve.delta) <= 1e-12).all()
    assert (curve.delta_lower <= curve.delta).all()
    assert curve.epsilon[-1] == 4.0
