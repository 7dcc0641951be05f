"""A party under masks: what it refuses, and that it stays in one circle."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.errors import DpcoreError, FederationError
from dpcore.federated import Plan
from dpcore.federated.keys import SeededKeys
from dpcore.federated.masking_party import MaskingParty
from dpcore.federated.messages import Message
from tests.federated._parties import records


def party(threshold: int = 3) -> MaskingParty:
    plan = Plan(depth=5, epsilon=1)
    return MaskingParty(
        0,
        records(20),
        plan,
        honest=2,
        threshold=threshold,
        noise=SeededNoise(1),
        keys=SeededKeys(1),
    )


def begin(number: int = 1, threshold: int = 3, points: object = (1, 2)) -> Message:
    facts = {"number": number, "parties": 4, "threshold": threshold}
    return Message("begin", facts, {"points": np.array(points, dtype=np.int64)})


def test_a_session_begins_once() -> None:
    one = party()
    assert one.answer(begin()).kind == "keys"
    with pytest.raises(FederationError, match="every session once"):
        one.answer(begin())
    assert one.answer(begin(2)).kind == "keys"


def test_a_lower_threshold_than_agreed_is_refused() -> None:
    with pytest.raises(FederationError, match="agreed to a threshold of 3"):
        party().answer(begin(threshold=2))


@pytest.mark.parametrize("points", [(), (-1,), (32,), ((1, 2),)])
def test_points_off_the_grid_are_refused(points: tuple) -> None:
    with pytest.raises(FederationError, match="not on the grid"):
        party().answer(begin(points=points))


def test_unknown_words_and_steps_before_the_first_are_refused() -> None:
    with pytest.raises(FederationError, match="does not know 'dance'"):
        party().answer(Message("dance"))
    with pytest.raises(FederationError, match="no session has begun"):
        party().answer(Message("survivors", {"parties": [0, 1, 2]}))


def test_session_terms_that_cannot_be_are_refused() -> None:
    with pytest.raises(DpcoreError):
        party().answer(begin(threshold=9))
