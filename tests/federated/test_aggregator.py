"""The one operation: every trust model offers it alike, and accounts alike."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from dpcore import Ledger, Loss, Neighbors, Part, SeededNoise
from dpcore.errors import BudgetExceeded, FederationError, NeighborsMismatch, TooFewParties
from dpcore.federated import Plan
from dpcore.federated.aggregator import collected, party_name
from dpcore.federated.keys import SeededKeys
from dpcore.federated.messages import LocalWire, Message, Traffic
from dpcore.federated.parties import MaskingParty
from dpcore.federated.ring64 import masks, signed
from dpcore.federated.session import Session, pair_mask
from tests.federated._parties import MODELS, exact, parties

PLAN = Plan(depth=5, epsilon=None)

POINTS = np.array([3, 31, 12])

HOLDINGS = parties(6)

SESSION = Session(number=1, parties=6, threshold=4, length=3)


def roles() -> list[MaskingParty]:
    return [
        MaskingParty(
            number,
            holding,
            PLAN,
            honest=4,
            threshold=4,
            noise=SeededNoise(1),
            keys=SeededKeys(1).child(str(number)),
        )
        for number, holding in enumerate(HOLDINGS)
    ]


def wire(
    lost: dict[int, str] | None = None, change: Callable[[Message], Message] | None = None
) -> LocalWire:
    answers = {party_name(role.number): role.answer for role in roles()}
    if change is not None:
        honest = answers["party 2"]
        answers["party 2"] = lambda request: change(honest(request))
    silent = {party_name(number): kind for number, kind in (lost or {}).items()}
    return LocalWire("server", answers, Traffic(), silent)


@pytest.mark.parametrize("kind", ["begin", "roster", "inbox", "survivors"])
@pytest.mark.parametrize("gone", [(), (0,), (2, 5)])
def test_sums_are_exact_over_those_who_stayed(gone: tuple[int, ...], kind: str) -> None:
    sums, masked = collected(SESSION, POINTS, wire(dict.fromkeys(gone, kind)))
    # Who falls silent only at the end has its numbers in the sum.
    stayed = [one for one in range(6) if one not in gone or kind == "survivors"]
    assert sorted(masked) == stayed
    assert sums.tolist() == exact([HOLDINGS[one] for one in stayed]).sums(POINTS)[0].tolist()


@pytest.mark.parametrize("kind", ["begin", "roster", "inbox", "survivors"])
def test_below_the_threshold_nothing_is_opened(kind: str) -> None:
    with pytest.raises(TooFewParties) as caught:
        collected(SESSION, POINTS, wire(dict.fromkeys((0, 2, 5), kind)))
    assert (caught.value.present, caught.value.threshold) == (3, 4)


def changed(kind: str, name: str, place: int) -> Callable[[Message], Message]:
    def change(message: Message) -> Message:
        if message.kind != kind:
            return message
        arrays = {key: array.copy() for key, array in message.arrays.items()}
        arrays[name].reshape(-1)[place] ^= 1
        return Message(message.kind, message.facts, arrays)

    return change


@pytest.mark.parametrize("kind, name", [("shares", "sealed"), ("opened", "masks")])
def test_changed_messages_end_in_a_clear_error(kind: str, name: str) -> None:
    with pytest.raises(FederationError):
        collected(SESSION, POINTS, wire(change=changed(kind, name, 40)))


def test_a_changed_key_of_a_lost_party_is_noticed() -> None:
    with pytest.raises(FederationError, match="do not belong together"):
        collected(SESSION, POINTS, wire({0: "inbox"}, changed("opened", "keys", 32)))


def test_a_key_that_fits_the_shares_and_not_the_party_is_noticed() -> None:
    """Of as many shares as the threshold, none contradicts the others."""
    with pytest.raises(FederationError, match="the key of party 0 was not recovered"):
        collected(SESSION, POINTS, wire({0: "inbox", 5: "inbox"}, changed("opened", "keys", 32)))


@pytest.mark.parametrize("part", [np.s_[:1], np.s_[:, 1:], np.s_[0]])
def test_opened_shares_of_another_shape_name_their_party(part: object) -> None:
    def change(message: Message) -> Message:
        if message.kind != "opened":
            return message
        arrays = message.arrays | {"masks": message.arrays["masks"][part]}
        return Message("opened", message.facts, arrays)

    with pytest.raises(FederationError, match="party 2 sent other shares"):
        collected(SESSION, POINTS, wire(change=change))


def test_answers_of_another_kind_or_shape_are_refused() -> None:
    with pytest.raises(FederationError, match="'keys' was due"):
        collected(SESSION, POINTS, wire(change=lambda _: Message("hello")))

    def short(message: Message) -> Message:
        if message.kind != "masked":
            return message
        return Message("masked", {}, {"words": message.arrays["words"][:1]})

    with pytest.raises(FederationError, match="'words'"):
        collected(SESSION, POINTS, wire(change=short))


@pytest.mark.parametrize(
    "to, rows", [([0, 1], 2), ([0, 1, 3, 4, 4], 5), ([0, 1, 3, 4, [5]], 5), (3, 5), (None, 4)]
)
def test_shares_for_others_than_there_are_name_their_party(to: object, rows: int) -> None:
    def change(message: Message) -> Message:
        if message.kind != "shares":
            return message
        return Message("shares", {"to": to}, {"sealed": message.arrays["sealed"][:rows]})

    with pytest.raises(FederationError, match="'sealed'|party 2 sent other shares"):
        collected(SESSION, POINTS, wire(change=change))


def test_a_late_message_of_a_party_declared_lost_reveals_nothing() -> None:
    """Its pair masks can be taken off by then; its own mask still hides the numbers."""
    late: list[np.ndarray] = []
    group = roles()

    def slow(request: Message) -> Message:
        answer = group[0].answer(request)
        if answer.kind == "masked":
            late.append(answer.arrays["words"])
        return answer

    # Party 0 works out its message, but the server does not get it in time.
    class Late(LocalWire):
        def ask(self, requests: dict) -> dict:
            replies = super().ask(requests)
            return {
                name: reply
                for name, reply in replies.items()
                if (name, reply.kind) != ("party 0", "masked")
            }

    answers = {party_name(role.number): role.answer for role in group} | {"party 0": slow}
    sums, masked = collected(SESSION, POINTS, Late("server", answers, Traffic()))
    assert 0 not in masked
    assert sums.tolist() == exact(HOLDINGS[1:]).sums(POINTS)[0].tolist()
    member = group[0]._member
    rest = late[0].copy()
    for other in range(1, 6):
        rest -= pair_mask(member._masking, 0, other, member._roster[other][1], SESSION)
    own = HOLDINGS[0].counts_up_to(POINTS, PLAN)[0]
    assert signed(rest).tolist() != own.tolist()
    assert signed(rest - masks(member._own_mask, 3)).tolist() == own.tolist()


@pytest.mark.parametrize("model", MODELS)
def test_the_loss_is_charged_once_to_the_part(model: type) -> None:
    ledger, part = Ledger(Loss(1)), Part("split", "test")
    plan = Plan(depth=4, epsilon="0.7")
    holdings = parties(4, depth=4)
    federation = model(holdings, plan, noise=SeededNoise(1), ledger=ledger, part=part)
    (charge,) = federation.charges
    assert ledger.charges == (charge,)
    assert (charge.loss, charge.part, charge.mechanism) == (Loss("0.7"), part, model.__name__)
    federation.sums([1])
    assert len(ledger.charges) == 1


@pytest.mark.parametrize("model", MODELS)
def test_what_cannot_be_afforded_is_not_formed(model: type) -> None:
    plan, noise = Plan(depth=5, epsilon=1), SeededNoise(1)
    with pytest.raises(BudgetExceeded):
        model(parties(4), plan, noise=noise, ledger=Ledger(Loss("0.5")))
    with pytest.raises(NeighborsMismatch):
        model(parties(4), plan, noise=noise, ledger=Ledger(Loss(2), Neighbors.REPLACE))


@pytest.mark.parametrize("model", MODELS)
def test_a_seed_repeats_the_federation(model: type) -> None:
    def counts(seed: int) -> list:
        plan = Plan(depth=5, epsilon=1)
        return model(parties(4), plan, noise=SeededNoise(seed)).sums([3, 9]).tolist()

    assert counts(1) == counts(1)
    assert counts(1) != counts(2)
