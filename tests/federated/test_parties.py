"""A party that deals keys: once to each server, filled up to the capacity."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.errors import DpcoreError, FederationError, InvalidArgument, TooFewParties
from dpcore.federated import Plan
from dpcore.federated.aggregator import collected, party_name
from dpcore.federated.keys import SeededKeys, SystemKeys
from dpcore.federated.messages import LocalWire, Message, Traffic
from dpcore.federated.parties import MaskingParty, Member, SharingParty
from dpcore.federated.ring64 import Words, combined, masks, signed
from dpcore.federated.session import Session, pair_mask
from tests.federated._parties import records

LENGTH = 20


def members(count: int = 4, threshold: int = 3, number: int = 1) -> list[Member]:
    session = Session(number=number, parties=count, threshold=threshold, length=LENGTH)
    return [Member(one, session, SystemKeys()) for one in range(count)]


def shared(group: list[Member]) -> list[dict[int, bytes]]:
    """Both first steps; for each member its inbox."""
    roster = {one.number: one.keys() for one in group}
    sent = {one.number: one.shares(roster) for one in group}
    return [
        {sender: texts[one.number] for sender, texts in sent.items() if sender != one.number}
        for one in group
    ]


def test_what_is_sent_hides_the_numbers_and_the_sum_does_not() -> None:
    group = members()
    numbers = [np.arange(LENGTH) * (one + 1) for one in range(4)]
    masked = [
        member.masked(own, inbox)
        for member, own, inbox in zip(group, numbers, shared(group), strict=True)
    ]
    opened = {one.number + 1: one.opened(range(4))[0] for one in group}
    total = sum(masked, start=np.zeros(LENGTH, dtype=np.uint64))
    for one in range(4):
        seed = combined({place: shares[one] for place, shares in opened.items()}, 3)
        # Without its own mask a message is still hidden by those of the pairs.
        assert signed(masked[one] - masks(seed, LENGTH)).tolist() != numbers[one].tolist()
        total -= masks(seed, LENGTH)
    assert signed(total).tolist() == sum(numbers).tolist()


def test_no_party_gives_away_both_secrets_of_another() -> None:
    group = members()
    for member, inbox in zip(group, shared(group), strict=True):
        member.masked(np.zeros(LENGTH, dtype=np.int64), inbox)
    of_masks, of_keys = group[0].opened([0, 1, 2])
    assert set(of_masks) == {0, 1, 2}
    assert set(of_keys) == {3}
    with pytest.raises(FederationError, match="out of turn"):
        group[0].opened([0, 1, 3])


def test_steps_are_taken_in_order_and_once() -> None:
    member = members()[0]
    with pytest.raises(FederationError, match="'shares' out of turn"):
        member.shares({})
    member.keys()
    with pytest.raises(FederationError, match="'keys' out of turn"):
        member.keys()


def test_below_the_threshold_nothing_is_done() -> None:
    group = members()
    roster = {one.number: one.keys() for one in group}
    with pytest.raises(TooFewParties):
        group[3].shares({one: roster[one] for one in (2, 3)})
    sent = {one.number: one.shares(roster) for one in group[:3]}
    with pytest.raises(TooFewParties):
        group[0].masked(np.zeros(LENGTH, dtype=np.int64), {1: sent[1][0]})
    group = members()
    for member, inbox in zip(group, shared(group), strict=True):
        member.masked(np.zeros(LENGTH, dtype=np.int64), inbox)
    with pytest.raises(TooFewParties):
        group[0].opened([0, 1])


def test_shares_that_were_changed_on_the_way_are_noticed() -> None:
    group = members()
    inbox = shared(group)[0]
    inbox[2] = inbox[2][:-1] + bytes([inbox[2][-1] ^ 1])
    with pytest.raises(FederationError, match="party 2 were changed"):
        group[0].masked(np.zeros(LENGTH, dtype=np.int64), inbox)


def test_shares_of_a_party_that_is_not_on_the_list_are_refused() -> None:
    group = members()
    inbox = shared(group)[0]
    inbox[9] = inbox.pop(1)
    with pytest.raises(FederationError, match="party 9 is not on the list"):
        group[0].masked(np.zeros(LENGTH, dtype=np.int64), inbox)


@pytest.mark.parametrize("survivors", [[1, 2, 3], [0, 1, 2, 9]])
def test_lists_of_others_are_refused(survivors: list[int]) -> None:
    group = members()
    for member, inbox in zip(group, shared(group), strict=True):
        member.masked(np.zeros(LENGTH, dtype=np.int64), inbox)
    with pytest.raises(FederationError, match="list of survivors"):
        group[0].opened(survivors)
    group = members()
    roster = {one.number: one.keys() for one in group}
    with pytest.raises(FederationError, match="list of parties"):
        group[0].shares(dict.fromkeys(survivors, roster[1]))


# --- distinguishing tests: what a coalition sees of an honest party --------------------------


@cache
def view(number: int, seed: int, *, own_mask: bool = True, pair_masks: bool = True) -> Words:
    """Party 0's message, as the server and parties 2 and 3 see it with all that they know.

    They know their pairwise masks with party 0 and take them off. What is left is hidden by the
    mask that party 0 shares with party 1, who is honest, and by its own, of which the coalition
    holds two shares and needs three.
    """
    session = Session(number=1, parties=4, threshold=3, length=LENGTH)
    group = [Member(one, session, SeededKeys(seed).child(str(one))) for one in range(4)]
    inbox = shared(group)[0]
    known = {2, 3} if pair_masks else {1, 2, 3}
    words = group[0].masked(np.full(LENGTH, number), inbox)
    for one in known:
        words = words - known_mask(group[0], one)
    if not own_mask:
        words = words - masks(group[0]._own_mask, LENGTH)
    return words


def known_mask(member: Member, other: int) -> Words:
    """What party `other` knows of the masks of a member."""
    public = member._roster[other][1]
    return pair_mask(member._masking, member.number, other, public, member.session)


def bits(number: int, seeds: range, **broken: bool) -> np.ndarray:
    """How often each of the 64 bits of the coalition's view is set, and the low nibble's law."""
    words = np.concatenate([view(number, seed, **broken) for seed in seeds])
    set_ = [int((words >> np.uint64(bit) & np.uint64(1)).sum()) for bit in range(64)]
    return np.array(set_), np.bincount((words & np.uint64(15)).astype(int), minlength=16)


RUNS = range(60)


def uneven(set_: np.ndarray, nibbles: np.ndarray) -> bool:
    """Whether bits or nibbles are not uniform; odds of a false alarm below 1e-6 in all."""
    drawn = nibbles.sum()
    # 64 bits: each at 5.9 standard deviations, 3.6e-9; nibbles: chi-square, 15 degrees, 2e-7.
    bit = np.abs(set_ - drawn / 2).max() > 5.9 * np.sqrt(drawn) / 2
    return bool(bit or np.square(nibbles - drawn / 16).sum() / (drawn / 16) > 60)


def differ(one: np.ndarray, two: np.ndarray) -> bool:
    """Whether two samples of nibbles have another law (chi-square, 15 degrees, odds 2e-7)."""
    both = np.maximum(one + two, 1)
    return bool((np.square(one - two) / both).sum() > 60)


def test_a_coalition_below_the_threshold_sees_uniform_words_for_every_input() -> None:
    seen = {number: bits(number, RUNS) for number in (0, 1000)}
    assert not any(uneven(*one) for one in seen.values())
    assert not differ(seen[0][1], bits(1000, range(5000, 5060))[1])


def test_either_mask_alone_hides_the_numbers() -> None:
    assert not uneven(*bits(7, RUNS, own_mask=False))
    assert not uneven(*bits(7, RUNS, pair_masks=False))


def test_a_broken_masking_is_caught() -> None:
    """Without the own mask, and with the honest pair's known too, the numbers are bare."""
    assert uneven(*bits(7, RUNS, own_mask=False, pair_masks=False))
    one, two = (bits(number, RUNS, own_mask=False, pair_masks=False)[1] for number in (7, 8))
    assert differ(one, two)


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


PLAN = Plan(depth=5, epsilon=1)


def sharing_party_party(count: int = 10, capacity: int = 25) -> SharingParty:
    return SharingParty(3, records(count), PLAN, capacity=capacity, keys=SeededKeys(1))


def deal(server: object) -> Message:
    return Message("deal", {"server": server})


def test_the_number_of_keys_is_the_capacity() -> None:
    for count in (0, 10, 25, 26, 1000):
        assert sharing_party_party(count).answer(deal(0)).fact("records") == 25
    with pytest.raises(InvalidArgument, match="^capacity must be a whole number, at least 0, got"):
        sharing_party_party(10, capacity=-1)


def test_each_server_gets_its_half_and_only_once() -> None:
    one = sharing_party_party()
    halves = [one.answer(deal(server)) for server in (0, 1)]
    roots = [half.arrays["roots"].tolist() for half in halves]
    assert roots[0] != roots[1]
    with pytest.raises(FederationError, match="party 3 has no keys left for server 0"):
        one.answer(deal(0))


@pytest.mark.parametrize("server", [2, -1, "0", None])
def test_there_is_no_third_server(server: object) -> None:
    with pytest.raises(FederationError, match="no keys left"):
        sharing_party_party().answer(deal(server))
