"""A party under masks: what it refuses, and that it stays in one circle."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.errors import DpcoreError, FederationError
from dpcore.federated import Plan
from dpcore.federated.aggregator import collected, party_name
from dpcore.federated.keys import SeededKeys
from dpcore.federated.masking_party import MaskingParty
from dpcore.federated.messages import LocalWire, Message, Traffic
from dpcore.federated.session import Session
from tests.federated._parties import records


def party(threshold: int = 3, number: int = 0) -> MaskingParty:
    plan = Plan(depth=5, epsilon=1)
    return MaskingParty(
        number,
        records(20),
        plan,
        honest=2,
        threshold=threshold,
        noise=SeededNoise(1),
        keys=SeededKeys(1 + number),
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


def test_parties_that_missed_the_first_list_of_survivors_open_no_other() -> None:
    """Two opened the first sum; the four others would open one without party 5: the difference is
    the counts of party 5 with its own share of noise alone."""
    group = {party_name(one): party(threshold=2, number=one).answer for one in range(6)}
    points = np.array([4, 31])

    def opened(number: int, lost: dict[str, str]) -> list[int]:
        session = Session(number=number, parties=6, threshold=2, length=points.size)
        return list(collected(session, points, LocalWire("server", group, Traffic(), lost))[1])

    assert opened(1, {party_name(one): "survivors" for one in range(2, 6)}) == [0, 1, 2, 3, 4, 5]
    silent = {party_name(0): "survivors", party_name(1): "survivors", party_name(5): "inbox"}
    with pytest.raises(FederationError, match="never heard whose numbers"):
        opened(2, silent)
