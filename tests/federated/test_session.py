"""One secure sum: terms, and masks of pairs that cancel."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dpcore.errors import InvalidArgument, TooFewParties
from dpcore.federated.keys import SystemKeys
from dpcore.federated.pair_keys import public_key
from dpcore.federated.session import Session, pair_mask


def session(number: int = 1, parties: int = 4) -> Session:
    return Session(number=number, parties=parties, threshold=3, length=50)


def test_masks_of_pairs_cancel_and_differ_between_sessions() -> None:
    secrets = [SystemKeys().take(32) for _ in range(4)]
    public = [public_key(secret) for secret in secrets]
    total = np.zeros(50, dtype=np.uint64)
    for one, other in itertools.permutations(range(4), 2):
        mask = pair_mask(secrets[one], one, other, public[other], session())
        assert (
            mask.tolist() != pair_mask(secrets[one], one, other, public[other], session(2)).tolist()
        )
        total += mask
    assert not total.any()


def test_too_few_parties_end_it() -> None:
    session().require(3)
    with pytest.raises(TooFewParties, match="2 parties are left and the threshold is 3") as caught:
        session().require(2)
    assert (caught.value.present, caught.value.threshold) == (2, 3)


@pytest.mark.parametrize(
    "wrong", [{"parties": 1}, {"threshold": 1}, {"threshold": 5}, {"length": 0}, {"number": -1}]
)
def test_impossible_terms_are_refused(wrong: dict) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(wrong))):
        Session(**{"number": 1, "parties": 4, "threshold": 3, "length": 5, **wrong})
