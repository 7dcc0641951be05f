"""The blog's variant as a call: simulations only."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument, NotPrivate
from dpcore.evaluation import ZumelHoldout


def test_answers_are_improvements_in_the_unit_interval():
    holdout = ZumelHoldout(np.zeros(300), np.zeros(500), noise=SeededNoise(1))
    answers = holdout.answers(np.full((50, 300), 0.3), np.full((50, 500), 0.3))
    assert answers.shape == (50,)
    assert abs(answers.mean() - 0.3) < 0.03
    assert holdout.answers(np.full((50, 300), -1.0), np.full((50, 500), -1.0)).max() < 0.5


@pytest.mark.parametrize("noise", [None, SystemNoise()])
def test_real_noise_is_refused(noise):
    with pytest.raises(NotPrivate, match="25.5 apart"):
        ZumelHoldout([0, 1], [0, 1], noise=noise)


def test_the_nominal_charge_goes_to_the_ledger():
    ledger = Ledger(neighbors="replace")
    ZumelHoldout([0] * 10, [0] * 100, questions=10, noise=SeededNoise(1), ledger=ledger)
    assert ledger.spent == Loss(5)


def test_shapes_are_checked():
    holdout = ZumelHoldout([0] * 10, [0] * 20, noise=SeededNoise(1))
    with pytest.raises(InvalidArgument, match="^holdout must be one number for each of the 20"):
        holdout.answers(np.zeros((3, 10)), np.zeros((3, 10)))
