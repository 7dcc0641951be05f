"""A whole conversation with a reusable holdout as one draw."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit.holdout_answers import HoldoutAnswers
from dpcore.mechanisms import ReusableHoldout
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
