"""The reusable holdout costs what Thresholdout is proven to cost, and no less."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit import exact_loss
from dpcore.audit.holdout_answers import HoldoutAnswers
from dpcore.audit.recipes.holdouts import holdout_pair
from dpcore.mechanisms import ReusableHoldout


def asked(questions: int, records: int = 1, **chosen: object) -> HoldoutAnswers:
    settings = {"budget": 1, "threshold": 0.5, "sigma": 2, **chosen}
    holdout = ReusableHoldout(records=records, **settings)
    return HoldoutAnswers(holdout=holdout, train=np.zeros((questions, 1)))


def test_many_questions_reach_the_theorem() -> None:
    losses = [exact_loss(asked(n), holdout_pair(n, 1)) for n in (1, 4, 60)]
    assert losses == sorted(losses)
    assert 0.999 < losses[-1] <= 1.0


@pytest.mark.parametrize("records, sigma", [(1, 1), (4, "0.5"), (10, "0.2")])
def test_records_and_noise_trade_off(records: int, sigma: object) -> None:
    made = asked(60, records, sigma=sigma, threshold=0.0)
    loss = exact_loss(made, holdout_pair(60, records))
    assert 0.98 * float(made.loss.epsilon) < loss <= float(made.loss.epsilon)


def test_one_correction_only() -> None:
    assert exact_loss(asked(2, budget=2), holdout_pair(2, 1)) is None
