"""An audit driven by its caller is the audit itself."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit import Attack, Look, Pair, audit, presets
from dpcore.errors import InvalidArgument, NeighborsMismatch
from dpcore.mechanisms import Exponential, Geometric
from dpcore.privacy import Neighbors

ONE_MORE = Pair(here=np.array([3]), there=np.array([4]), words="one more")


def finished(attack: Attack) -> Attack:
    while not attack.done:
        attack.advance()
    return attack


@pytest.mark.parametrize("looks", [1, 7])
def test_it_finds_what_one_call_finds(looks: int) -> None:
    seen: list[Look] = []
    whole = audit(
        Geometric(epsilon=1), ONE_MORE, trials=3000, seed=5, looks=looks, progress=seen.append
    )
    attack = finished(Attack(Geometric(epsilon=1), ONE_MORE, trials=3000, seed=5, looks=looks))
    assert attack.result is not None
    assert attack.result.to_json() == whole.to_json()
    assert [look.trials for look in seen] == [1500, *(look.trials for look in whole.looks)]


def test_it_can_be_left_at_any_time() -> None:
    preset = presets()["known-seed"]
    attack = Attack(preset.target(), preset.pair(), trials=1000, looks=5)
    states = []
    while attack.look.epsilon_lower < 2.0:
        states.append((attack.drawn, attack.learning, attack.result is None))
        here, there = attack.outputs
        assert here.shape[1] == there.shape[1] == 1
        attack.advance()
    assert states[0] == (0, True, True)
    assert (500, False, True) in states
    assert attack.result is not None
    assert attack.result.stopped
    assert attack.result.violated
    assert attack.drawn < 1000


def test_after_the_end_nothing_is_drawn() -> None:
    attack = finished(
        Attack(
            Exponential(epsilon=1),
            Pair(here=np.array([0.0, 1.0]), there=np.array([1.0, 1.0]), words=""),
            trials=100,
        )
    )
    result = attack.result
    attack.advance()
    assert attack.drawn == 100
    assert attack.result is result
    assert result is not None
    assert not result.stopped


def test_more_looks_than_draws_are_no_harm() -> None:
    attack = finished(Attack(Geometric(epsilon=1), ONE_MORE, trials=100, looks=80))
    assert attack.result is not None
    trials = [look.trials for look in attack.result.looks]
    assert trials == sorted(set(trials))


def test_what_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="trials"):
        Attack(Geometric(epsilon=1), ONE_MORE, trials=9)
    with pytest.raises(InvalidArgument, match="confidence"):
        Attack(Geometric(epsilon=1), ONE_MORE, confidence=1.0)
    with pytest.raises(NeighborsMismatch):
        Attack(Geometric(epsilon=1, neighbors=Neighbors.REPLACE), ONE_MORE)
