"""Many draws in one release: the same ones, at so many times the price."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.audit.outputs import numbers
from dpcore.audit.repeated import Repeatable, Repeated
from dpcore.errors import BudgetExceeded
from dpcore.mechanisms import Exponential, Geometric, OneShot
from dpcore.noise import SeededNoise
from dpcore.privacy import Ledger, Loss
from dpcore.release import release

SCORES = np.array([0.0, 1.0, 3.0])


@pytest.mark.parametrize("mechanism", [Exponential(epsilon=1), OneShot(epsilon=1, k=2)])
def test_repeated_draws_are_those_that_follow_each_other(mechanism: Any) -> None:
    noise = SeededNoise(3)
    single = [numbers(mechanism.draw(SCORES, noise)).tolist() for _ in range(50)]
    many = Repeated(mechanism, 50).draw(SCORES, SeededNoise(3))
    assert [numbers(one).tolist() for one in many] == single
    assert len({tuple(one) for one in single}) > 1


def test_all_draws_are_charged_before_the_first() -> None:
    ledger = Ledger(Loss(2))
    with pytest.raises(BudgetExceeded):
        release(
            Repeated(Exponential(epsilon=1), 3),
            SCORES,
            label="",
            ledger=ledger,
            noise=SeededNoise(0),
        )
    assert ledger.spent == Loss(0)
    release(
        Repeated(Exponential(epsilon=1), 2), SCORES, label="", ledger=ledger, noise=SeededNoise(0)
    )
    assert ledger.spent == Loss(2)


def test_only_some_mechanisms_can_be_repeated() -> None:
    assert isinstance(Exponential(epsilon=1), Repeatable)
    assert not isinstance(Geometric(epsilon=1), Repeatable)
