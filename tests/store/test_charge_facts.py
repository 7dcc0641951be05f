"""Charges as facts, and parts with the identity of their division."""

from dpcore import Charge, Ledger, Loss, Neighbors, Part
from dpcore.store.charge_facts import charge_of, facts_of, identified

TEST = Part("split", "test", fixed_under_replacement=True)


def test_nothing_of_a_charge_is_lost() -> None:
    nested = Part("class", "1", within=TEST)
    for charge in (
        Charge("a", "b", Loss("1/3", "1/1000000007")),
        Charge("a", "b", Loss(1), TEST),
        Charge("a", "b", Loss(1), nested),
    ):
        assert charge_of(facts_of(charge)) == charge


def test_the_identity_keeps_what_replacement_may_rely_on() -> None:
    charges = [
        Charge("x", "", Loss(1), identified(Part("split", name, None, True), "seed 3"))
        for name in ("train", "test")
    ]
    assert Ledger(neighbors=Neighbors.REPLACE).total(charges) == Loss(1)


def test_divisions_of_one_name_are_told_apart() -> None:
    one, other = (identified(TEST, name) for name in ("a", "b"))
    assert one is not None
    assert other is not None
    assert one.partition != other.partition
    assert identified(None, "a") is None
