"""The ledger composes by the rules it states and never loses or invents a charge."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from dpcore import Charge, Ledger, Loss, Neighbors, Part
from dpcore.errors import BudgetExceeded, InvalidArgument, PrivacyError
from dpcore.privacy import charges_as_json, charges_from_json, composition
from dpcore.privacy.ledger import FORKS, OneProcess


def test_a_ledger_is_of_one_process() -> None:
    assert isinstance(Ledger(Loss(1)), OneProcess)


def test_a_child_is_refused_and_the_parent_goes_on() -> None:
    ledger = Ledger(Loss(2))
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        try:
            ledger.require(Loss(1))
            os.write(writing, b"went on")
        except PrivacyError:
            os.write(writing, b"refused")
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 100) == b"refused"
    ledger.require(Loss(1))


def test_a_child_is_told_from_its_parent_though_their_numbers_be_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Process numbers come round again."""
    ledger = Ledger(Loss(2))
    monkeypatch.setattr(FORKS, "count", FORKS.count)
    FORKS._after()
    with pytest.raises(PrivacyError, match="cannot be used in a forked process"):
        ledger.require(Loss(1))
    Ledger(Loss(2)).require(Loss(1))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_every_fork_is_counted_in_the_child_alone() -> None:
    reading, writing = os.pipe()
    before = FORKS.count
    if (child := os.fork()) == 0:
        try:
            os.write(writing, str(FORKS.count).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert (int(os.read(reading, 100)), FORKS.count) == (before + 1, before)


@pytest.mark.parametrize("equal", [True, False])
def test_what_was_charged_first_gives_way_to_what_was_spent_and_no_other_charge_does(
    equal: bool,
) -> None:
    """Nor one that says the same, before it or after."""
    first = Charge("fit", "any", Loss("0.5"))
    other = Charge("fit" if equal else "other", "any", Loss("0.5"))
    parts = [Charge("sizes", "Geometric", Loss("0.1")), Charge("weights", "Gaussian", Loss("0.2"))]
    ledger = Ledger(Loss(2))
    ledger.spend(other)
    with ledger.charged_first(first) as account:
        ledger.spend(other)
        for part in parts:
            account.spend(part)
    assert ledger.charges == (other, *parts, other)
    assert ledger.spent == Loss("1.3")


def test_no_more_is_spent_than_was_charged_first() -> None:
    """However much is left of the budget; and what was charged stays for the work that failed."""
    ledger, first = Ledger(Loss(2)), Charge("fit", "any", Loss("0.5"))
    with pytest.raises(BudgetExceeded), ledger.charged_first(first) as account:
        account.spend(Charge("weights", "Gaussian", Loss("0.6")))
    assert ledger.charges == (first,)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_no_copy_is_made_that_could_draw_the_same_noise(copied: object) -> None:
    ledger = Ledger(Loss(1))
    try:
        found = copied(ledger)  # type: ignore[operator]
    except (PrivacyError, TypeError):
        return
    assert found is ledger


CHARGES = (
    Charge("sizes", "Geometric", Loss("1/3", "1e-6")),
    Charge("curve", "QuantileBins", Loss(2), Part("class", "1", within=Part("split", "test"))),
)


def test_round_trip() -> None:
    assert charges_from_json(json.loads(json.dumps(charges_as_json(CHARGES)))) == CHARGES


def test_losses_stay_exact() -> None:
    first, second = charges_as_json(CHARGES)
    assert (first["epsilon"], first["delta"], first["part"]) == ("1/3", "1/1000000", None)
    assert second["part"] == "split=test/class=1"


@pytest.mark.parametrize("name", ["n/a", "<=50K", "a=b/c=d", "50%", "%2F", ""])
def test_names_that_look_like_a_path_are_read_as_they_were(name: str) -> None:
    charge = Charge("x", "y", Loss(1), Part(name, name, within=Part("split", name)))
    assert charges_from_json(charges_as_json([charge])) == (charge,)


TRAIN = Part("split", "train", fixed_under_replacement=True)

TEST = Part("split", "test", fixed_under_replacement=True)


def charge(epsilon: str, part: Part | None = None) -> Charge:
    return Charge("x", "Geometric", Loss(epsilon), part)


def total(neighbors: Neighbors, *charges: Charge) -> Loss:
    return Ledger(neighbors=neighbors).total(charges)


def test_charges_on_all_records_add_up() -> None:
    assert total(Neighbors.ADD_REMOVE, charge("0.1"), charge("0.2")) == Loss("0.3")


def test_disjoint_parts_compose_by_maximum() -> None:
    charges = (charge("0.1", TRAIN), charge("0.2", TRAIN), charge("0.25", TEST))
    assert total(Neighbors.ADD_REMOVE, *charges) == Loss("0.3")
    assert total(Neighbors.REPLACE, *charges) == Loss("0.3")


def test_parts_that_a_record_can_leave_add_up_under_replace() -> None:
    one, zero = Part("class", "1"), Part("class", "0")
    charges = (charge("0.1", one), charge("0.2", zero))
    assert total(Neighbors.ADD_REMOVE, *charges) == Loss("0.2")
    assert total(Neighbors.REPLACE, *charges) == Loss("0.3")


def test_one_movable_part_spoils_the_maximum_under_replace_whichever_was_charged_last() -> None:
    movable = Part("split", "test", fixed_under_replacement=False)
    charges = (charge("0.1", TRAIN), charge("0.2", movable))
    assert total(Neighbors.REPLACE, *charges) == Loss("0.3")
    assert total(Neighbors.REPLACE, *reversed(charges)) == Loss("0.3")


def test_different_partitions_overlap_and_add_up() -> None:
    fold = Part("fold", "1")
    assert total(Neighbors.ADD_REMOVE, charge("0.1", TRAIN), charge("0.2", fold)) == Loss("0.3")


def test_nested_parts() -> None:
    positive, negative = Part("class", "1", within=TEST), Part("class", "0", within=TEST)
    charges = (
        charge("0.05"),
        charge("0.3", TRAIN),
        charge("0.2", TEST),
        charge("0.2", positive),
        charge("0.15", negative),
    )
    assert total(Neighbors.ADD_REMOVE, *charges) == Loss("0.45")
    assert total(Neighbors.REPLACE, *charges) == Loss("0.6")


@given(st.lists(st.tuples(st.integers(0, 20), st.sampled_from([None, TRAIN, TEST])), max_size=8))
def test_total_is_between_the_largest_and_the_sum(entries: list[tuple[int, Part | None]]) -> None:
    charges = [charge(str(tenths), part) for tenths, part in entries]
    composed = total(Neighbors.ADD_REMOVE, *charges).epsilon
    assert composed <= sum(c.loss.epsilon for c in charges)
    assert composed >= max((c.loss.epsilon for c in charges), default=0)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from([None, TRAIN, TEST])), max_size=6),
    st.integers(0, 30),
    st.integers(0, 3),
    st.sampled_from(Neighbors),
)
def test_what_fits_is_what_composes_to_no_more(
    entries: list[tuple[int, Part | None]], tenths: int, millionths: int, neighbors: Neighbors
) -> None:
    """The short way, by the sum, and the long way agree, for epsilon and for delta."""
    charges = [
        Charge("a", "Geometric", Loss(f"{one}/10", f"{one % 2}/1000000"), part)
        for one, part in entries
    ]
    limit, ledger = Loss(f"{tenths}/10", f"{millionths}/1000000"), Ledger(neighbors=neighbors)
    assert ledger.fit(charges, limit) is ledger.total(charges).within(limit)


def test_spend_refuses_and_records_nothing() -> None:
    ledger = Ledger(Loss("0.3"))
    ledger.spend(charge("0.2"))
    with pytest.raises(BudgetExceeded) as caught:
        ledger.spend(charge("0.2"))
    assert (caught.value.requested, caught.value.remaining) == (Loss("0.2"), Loss("0.1"))
    assert len(ledger.charges) == 1
    assert ledger.remaining == Loss("0.1")


def test_a_part_can_use_what_the_other_part_used() -> None:
    ledger = Ledger(Loss(1))
    ledger.spend(charge("1", TRAIN))
    ledger.require(Loss(1), TEST)
    ledger.spend(charge("1", TEST))
    assert ledger.spent == Loss(1)
    with pytest.raises(BudgetExceeded):
        ledger.require(Loss("0.001"))


def test_require_spends_nothing() -> None:
    ledger = Ledger(Loss(1))
    ledger.require(Loss(1))
    assert ledger.spent == Loss(0)


def test_no_budget_means_no_limit() -> None:
    ledger = Ledger()
    ledger.spend(charge("1000"))
    assert ledger.remaining is None


def test_threads_cannot_overspend() -> None:
    ledger = Ledger(Loss(1))

    def spend(_: int) -> bool:
        try:
            ledger.spend(charge("0.01"))
        except BudgetExceeded:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        accepted = sum(pool.map(spend, range(150)))
    assert accepted == 100
    assert ledger.spent == Loss(1)


def test_it_shows_what_is_spent() -> None:
    ledger = Ledger(Loss(1), "replace")
    ledger.spend(charge("0.25"))
    assert repr(ledger) == "<Ledger: epsilon 0.25 of epsilon 1 spent, replace>"
    assert repr(Ledger()) == "<Ledger: epsilon 0 of no limit spent, add-remove>"


def test_copies_are_the_same_ledger() -> None:
    ledger = Ledger(Loss(1))
    assert clone(ledger) is ledger
    assert copy.copy(ledger) is ledger
    assert copy.deepcopy({"ledger": ledger})["ledger"] is ledger


def test_a_ledger_does_not_leave_the_process() -> None:
    with pytest.raises(PrivacyError, match="cannot be pickled"):
        pickle.dumps(Ledger(Loss(1)))


def test_neighbors_are_checked() -> None:
    with pytest.raises(InvalidArgument, match="neighbors"):
        Ledger(Loss(1), "bounded")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_fork_cannot_spend_the_same_budget_again() -> None:
    """In a process of its own, because forking a test runner that holds threads is not safe."""
    program = """
import os, sys
from dpcore import Charge, Ledger, Loss
from dpcore.errors import PrivacyError
ledger = Ledger(Loss(1))
child = os.fork()
if child == 0:
    try:
        ledger.spend(Charge("x", "Geometric", Loss(1)))
    except PrivacyError as error:
        os._exit(0 if "forked process" in str(error) else 2)
    os._exit(1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    finished = subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=False)
    assert finished.returncode == 0


@pytest.mark.parametrize("budget", [1.0, "1", 0])
def test_a_budget_is_a_loss(budget: object) -> None:
    with pytest.raises(InvalidArgument, match=r"^budget must be a Loss, for example Loss\(1\)"):
        Ledger(budget)  # type: ignore[arg-type]


@pytest.mark.parametrize("charge", [Loss(1), 0.5, Charge("x", "y", 1)])  # type: ignore[arg-type]
def test_what_is_spent_is_a_charge(charge: object) -> None:
    ledger = Ledger(Loss(1))
    with pytest.raises(InvalidArgument, match="^charge must be a Charge, as Charge"):
        ledger.spend(charge)  # type: ignore[arg-type]
    assert ledger.charges == ()


@pytest.mark.parametrize(
    "charges, neighbors, expected",
    [
        ([(TRAIN, "1"), (TRAIN, "0.5"), (TEST, "1")], "add-remove", "pays the larger: epsilon 1.5"),
        ([(TRAIN, "1"), (TEST, "2")], "replace", "pays the larger: epsilon 2"),
        ([(None, "1"), (None, "2")], "add-remove", "same records, so they add up: epsilon 3"),
        ([(TRAIN, "1")], "add-remove", "There is one charge: epsilon 1."),
        ([], "add-remove", "epsilon 0"),
    ],
)
def test_composition_in_words(charges, neighbors, expected):
    listed = tuple(Charge("x", "y", Loss(epsilon), part) for part, epsilon in charges)
    assert expected in composition(listed, Neighbors.of(neighbors))
