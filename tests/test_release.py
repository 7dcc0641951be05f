"""The gate: neighbours, then charge, then draw: in that order."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest

from dpcore import Guarantee, Ledger, Loss, Neighbors, Part, SeededNoise, SystemNoise
from dpcore.errors import (
    BudgetExceeded,
    InvalidArgument,
    MovablePart,
    NeighborsMismatch,
    NotPrivate,
    UnsupportedNeighbors,
)
from dpcore.mechanisms import Exponential, Geometric
from dpcore.noise import NoiseSource
from dpcore.registry import Method
from dpcore.release import Gate, Release, open_gate, release

COUNTS = np.arange(3)
BROKEN = Guarantee.broken("its output gives the data away")


@dataclass
class Spy:
    """A mechanism that looks at the ledger while it draws."""

    ledger: Ledger
    fails: bool = False
    loss: ClassVar[Loss] = Loss("0.5")
    neighbors: ClassVar[Neighbors] = Neighbors.ADD_REMOVE
    guarantee: ClassVar[Guarantee] = Guarantee.proven("none needed")

    def draw(self, value: object, noise: NoiseSource) -> Loss:
        if self.fails:
            raise RuntimeError("power cut")
        return self.ledger.spent


class Leaky(Spy):
    guarantee = BROKEN


def published(neighbors: tuple[Neighbors, ...] = tuple(Neighbors), holds: bool = True) -> Method:
    guarantee = Guarantee.proven("Theorem 1") if holds else BROKEN
    return Method(
        name="m",
        title="M",
        summary="S",
        run=print,
        guarantee=guarantee,
        reference="R",
        neighbors=neighbors,
    )


def test_the_charge_comes_before_the_draw() -> None:
    ledger = Ledger(Loss(1))
    out = release(Spy(ledger), None, label="x", ledger=ledger, noise=SeededNoise(0))
    assert out.value == Loss("0.5")


def test_a_failed_draw_stays_charged() -> None:
    ledger = Ledger(Loss(1))
    with pytest.raises(RuntimeError):
        release(Spy(ledger, fails=True), None, label="x", ledger=ledger, noise=SeededNoise(0))
    assert ledger.spent == Loss("0.5")


def test_an_unaffordable_release_draws_nothing() -> None:
    ledger = Ledger(Loss("0.4"))
    with pytest.raises(BudgetExceeded):
        release(Spy(ledger, fails=True), None, label="x", ledger=ledger, noise=SeededNoise(0))
    assert ledger.charges == ()


def test_other_neighbours_are_refused() -> None:
    ledger = Ledger(Loss(1), Neighbors.REPLACE)
    with pytest.raises(NeighborsMismatch):
        release(Spy(ledger), None, label="x", ledger=ledger, noise=SeededNoise(0))
    assert ledger.charges == ()


def test_a_broken_mechanism_meets_simulated_noise_only() -> None:
    ledger = Ledger(Loss(1))
    release(Leaky(ledger), None, label="x", ledger=ledger, noise=SeededNoise(0))
    with pytest.raises(NotPrivate, match="gives the data away"):
        release(Leaky(ledger), None, label="x", ledger=ledger, noise=SystemNoise())
    assert len(ledger.charges) == 1


def test_a_release_tells_its_story_in_json() -> None:
    ledger = Ledger(Loss(1))
    out = release(
        Geometric(epsilon="0.25"),
        COUNTS,
        label="counts",
        ledger=ledger,
        noise=SeededNoise(1),
        part=Part("split", "test"),
    )
    told = json.loads(out.to_json())
    assert told["value"] == out.value.tolist()
    assert told["simulated"] is True
    assert told["charges"] == [
        {
            "label": "counts",
            "mechanism": "Geometric",
            "epsilon": "1/4",
            "delta": "0",
            "part": "split=test",
        }
    ]
    assert told["provenance"]["neighbors"] == "add-remove"


def test_real_noise_is_not_marked_simulated() -> None:
    out = release(Geometric(epsilon=1), COUNTS, label="x", ledger=Ledger(), noise=SystemNoise())
    assert out.simulated is False


def test_a_gate_records_its_own_charges_and_its_parts() -> None:
    ledger = Ledger(Loss(2))
    gate = open_gate(Loss(1), noise=SeededNoise(0), ledger=ledger)
    gate.release(Geometric(epsilon="0.5"), COUNTS, label="a")
    gate.on(Part("class", "1")).release(Geometric(epsilon="0.5"), COUNTS, label="b")
    gate.on(Part("class", "0")).release(Exponential(epsilon="0.5"), np.zeros(2), label="c")
    other = open_gate(Loss(1), noise=SeededNoise(0), ledger=ledger)
    other.release(Geometric(epsilon="0.25"), COUNTS, label="d")
    assert [charge.label for charge in gate.charges] == ["a", "b", "c"]
    assert ledger.spent == Loss("1.25")


def test_a_gate_without_a_ledger_opens_one_of_its_size() -> None:
    gate = open_gate(Loss("0.5"), noise=SeededNoise(0))
    with pytest.raises(BudgetExceeded):
        gate.release(Geometric(epsilon="0.6"), COUNTS, label="too much")


def test_the_default_noise_is_real() -> None:
    assert open_gate(Loss(1)).simulated is False


def test_opening_refuses_before_anything_is_drawn() -> None:
    with pytest.raises(NotPrivate):
        open_gate(Loss(1), method=published(holds=False))
    open_gate(Loss(1), noise=SeededNoise(0), method=published(holds=False))
    with pytest.raises(UnsupportedNeighbors):
        open_gate(Loss(1), neighbors="replace", method=published((Neighbors.ADD_REMOVE,)))
    with pytest.raises(NeighborsMismatch):
        open_gate(Loss(1), neighbors="replace", ledger=Ledger(Loss(1)))
    with pytest.raises(BudgetExceeded):
        open_gate(Loss(2), ledger=Ledger(Loss(1)))


def test_a_gate_caps_its_method_at_what_was_asked_for() -> None:
    ledger = Ledger(Loss(10))
    gate = open_gate(Loss(1), noise=SeededNoise(0), ledger=ledger)
    gate.release(Geometric(epsilon="0.75"), COUNTS, label="a")
    with pytest.raises(BudgetExceeded) as caught:
        gate.on(Part("class", "1")).release(Geometric(epsilon="0.5"), COUNTS, label="b")
    assert caught.value.remaining == Loss("0.25")
    assert ledger.spent == Loss("0.75")


def test_a_movable_part_is_refused_under_replace() -> None:
    """A record that changes class leaves the part: its exact size must not count as public."""
    positives = Part("class", "1", within=Part("split", "test", fixed_under_replacement=True))
    with pytest.raises(MovablePart, match="split=test/class=1"):
        open_gate(Loss(1), neighbors="replace", noise=SeededNoise(0), part=positives)
    ledger = Ledger(Loss(1), "replace")
    geometric = Geometric(epsilon=1, neighbors=Neighbors.REPLACE)
    with pytest.raises(MovablePart):
        release(geometric, COUNTS, label="x", ledger=ledger, noise=SeededNoise(0), part=positives)
    assert ledger.charges == ()
    open_gate(Loss(1), noise=SeededNoise(0), part=positives)


def test_replacing_is_removing_and_adding_at_half_of_the_loss() -> None:
    ledger = Ledger(Loss(1), "replace")
    gate = Gate(ledger, SeededNoise(0))
    inner, each = gate.for_classes(Loss(1), label="both classes")
    assert (inner.neighbors, each) == (Neighbors.ADD_REMOVE, Loss("0.5"))
    assert [charge.label for charge in ledger.charges] == ["both classes"]
    assert gate.charges == ledger.charges
    one, other = (inner.on(Part("class", name)) for name in ("0", "1"))
    for part in (one, other):
        part.release(Geometric(epsilon="0.5"), np.array([1]), label="count")
    with pytest.raises(BudgetExceeded):
        one.release(Geometric(epsilon="0.1"), np.array([1]), label="too much")
    assert ledger.spent == Loss(1)


def test_in_the_add_remove_relation_each_class_may_spend_the_whole_loss() -> None:
    ledger, mine = Ledger(Loss(1)), Part("class", "0")
    gate = Gate(ledger, SeededNoise(0), mine)
    inner, each = gate.for_classes(Loss(1), label="both classes")
    assert each == Loss(1)
    # Charged first, and on the caller's part; what the classes are charged stays in there.
    assert [(charge.label, charge.part) for charge in ledger.charges] == [("both classes", mine)]
    for name in ("0", "1"):
        part = Part("class", name, within=mine)
        inner.on(part).release(Geometric(epsilon=1), np.array([1]), label="count")
    assert gate.charges == ledger.charges
    assert ledger.spent == Loss(1)


def test_half_of_a_delta_covers_no_replacement() -> None:
    """Two steps of (1/2, d) give d (1 + exp(1/2)), not 2 d."""
    ledger = Ledger(Loss(1, "0.1"), "replace")
    with pytest.raises(InvalidArgument, match="without a delta"):
        Gate(ledger, SeededNoise(0)).for_classes(Loss(1, "0.1"), label="both")
    assert not ledger.charges


def test_half_of_what_the_ledger_lacks_is_refused() -> None:
    ledger = Ledger(Loss("0.5"), "replace")
    with pytest.raises(BudgetExceeded):
        Gate(ledger, SeededNoise(0)).for_classes(Loss(1), label="both classes")
    assert not ledger.charges


def test_half_of_what_the_method_may_not_spend_is_refused() -> None:
    """The ledger could afford it; the caller asked for less."""
    ledger = Ledger(Loss(9), "replace")
    gate = open_gate(Loss("0.5"), neighbors="replace", noise=SeededNoise(0), ledger=ledger)
    with pytest.raises(BudgetExceeded):
        gate.for_classes(Loss(1), label="both classes")
    assert not ledger.charges


@pytest.mark.parametrize(
    "name, given, message",
    [
        ("noise", 7, r"a NoiseSource, for example SeededNoise\(1\), got 7"),
        ("ledger", 7, r"a Ledger, for example Ledger\(Loss\(1\)\), got 7"),
        ("part", "test", r"a Part, for example Part\('split', 'test'\), got 'test'"),
    ],
)
def test_what_a_gate_is_made_of_has_its_kind(name: str, given: object, message: str) -> None:
    with pytest.raises(InvalidArgument, match=f"^{name} must be {message}$"):
        open_gate(Loss(1), **{name: given})  # type: ignore[arg-type]


def test_what_json_has_no_word_for_becomes_text() -> None:
    told = Release(np.float64(0.5), (), True, {"share": Fraction(1, 3), "cells": np.arange(2)})
    assert json.loads(told.to_json()) == {
        "value": 0.5, "charges": [], "simulated": True,
        "provenance": {"share": "1/3", "cells": [0, 1]},
    }  # fmt: skip
