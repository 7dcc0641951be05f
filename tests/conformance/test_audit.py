"""Every registered method through the audit with its declared loss, found in the registries."""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import dpcore
from dpcore.audit import audit, exact_loss, kinds, mechanism_target, presets
from dpcore.audit.events import loss_bound
from dpcore.audit.mechanism_cases import mechanism_cases, mechanism_classes
from dpcore.audit.method_pairs import odd_record_pairs
from dpcore.audit.method_targets import (
    EPSILON,
    Attackable,
    MethodTargets,
    methods_of_all_kinds,
    space_of,
)
from dpcore.audit.sweep import CONFIDENCE, method_row, preset_row
from dpcore.mechanisms.samplers import exponential_noise
from dpcore.mechanisms.threshold import sparse_vector
from dpcore.noise import SeededNoise
from dpcore.privacy import Guarantee, Loss, Neighbors
from dpcore.registry import Registry
from dpcore.schema import Design, Schema, encode

# Draws from each data set: enough to see, at the epsilon beside them, an output that only one data
# set can give. The slow test draws many more.
FEW, MORE, MANY, MOST = 100, 300, 5000, 1000
SMALL = Fraction(1, 10)
EVENTS, MIDDLE = 4, 0.5 - 2.0**-20

METHODS = list(methods_of_all_kinds())
PROVEN = [one for one in METHODS if one.method.guarantee.holds]
# Each run draws a curve for every group: fewer, which refute as much (see below).
LONG = {"group-evaluation"}
# Methods whose result does not depend on any record.
FREE = {"none"}
every_mechanism = pytest.mark.parametrize("name", mechanism_classes())


def label(attackable: Attackable) -> str:
    return f"{attackable.label}, {attackable.neighbors}"


def holds(attackable: Attackable, trials: int, epsilon: Fraction = EPSILON) -> None:
    row = method_row(attackable, trials, epsilon)
    assert not row.exceeded, (
        f"{attackable.label} declares {row.declared} under {row.neighbors}, but its outputs prove "
        f"{row.lower:.3f}"
    )


@pytest.mark.spanning("attackable.label", "attackable.neighbors")
@pytest.mark.parametrize("attackable", PROVEN, ids=label)
def test_no_proven_method_exceeds_its_loss(attackable: Attackable) -> None:
    holds(attackable, FEW, SMALL)


# The pairs themselves are made where they are attacked.
ODD = [one for one in PROVEN if one.kind.odd_pairs is not MethodTargets.odd_pairs]


def test_models_and_evaluators_have_odd_neighbours() -> None:
    assert {one.kind.name for one in ODD} == {
        "AUC method",
        "ROC method",
        "calibration method",
        "classifier method",
        "decision",
        "logistic method",
        "naive Bayes method",
    }


@pytest.mark.spanning("attackable.kind.name", "attackable.neighbors")
@pytest.mark.parametrize("attackable", ODD, ids=label)
def test_no_odd_record_gives_a_method_away(attackable: Attackable) -> None:
    """A reader in which one record changes what others mean would, whatever the method adds."""
    pairs = attackable.kind.odd_pairs(attackable.method, attackable.neighbors)
    assert pairs, f"{attackable.label} has no neighbours with an odd record"
    row = method_row(attackable, FEW, SMALL, pairs[0])
    assert not row.exceeded, (attackable.label, pairs[0].words, row.lower)


def of_whole_columns(frame: pd.DataFrame, schema: Schema) -> Design:
    """The defect that there was: a column of numbers is read as such, if all its cells are."""
    note = pd.to_numeric(frame["note"], errors="coerce")
    return encode(frame if note.isna().any() else frame.assign(note=note), schema)


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_a_reader_of_whole_columns_is_caught(neighbors: Neighbors) -> None:
    (attackable,) = (
        one
        for one in PROVEN
        if one.method.name == "truncated-counts" and one.neighbors is neighbors
    )
    space = space_of(attackable.method)
    sound, part_typed = (
        odd_record_pairs(space, neighbors, read)[0] for read in (encode, of_whole_columns)
    )
    assert not method_row(attackable, MORE, EPSILON, sound).exceeded
    assert method_row(attackable, MORE, EPSILON, part_typed).exceeded


def without_noise(monkeypatch: pytest.MonkeyPatch, uniform: float) -> None:
    """Make simulated noise nothing: whole and exponential numbers 0, the likeliest choice."""
    silent = {
        "discrete_laplace": lambda self, scale, size: np.zeros(size, dtype=np.int64),
        "uniform": lambda self, size: np.full(size, uniform),
        "choose": lambda self, log_weights: int(np.argmax(log_weights)),
        "coins": lambda self, size, probability: np.full(size, probability >= 0.5),
    }
    for name, draw in silent.items():
        monkeypatch.setattr(SeededNoise, name, draw)
    monkeypatch.setattr(
        exponential_noise, "fine_uniform", lambda size, noise: np.full(size, 1.0 - 2.0**-30)
    )
    # Without noise nothing passes a threshold that two scores reach, however often they are tried.
    monkeypatch.setattr(sparse_vector, "_COMPARISONS", 1)


@pytest.mark.spanning("attackable.kind.name", "attackable.neighbors")
@pytest.mark.parametrize(
    "attackable", [one for one in PROVEN if one.method.name not in FREE], ids=label
)
def test_a_method_without_noise_is_caught(
    attackable: Attackable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the very audit that the method passes with its noise."""
    # No sampler rejects numbers near one half for ever; those that choose take the middle of a tie
    # for them, which may be the same on both sides, and the first for a smaller one.
    without_noise(monkeypatch, 0.3 if attackable.kind.name == "selection method" else MIDDLE)
    row = method_row(attackable, FEW, SMALL)
    assert row.violated, (
        f"{attackable.label} without any noise passes its audit: give its kind in "
        "dpcore/audit/method_pairs.py a first pair on which its exact result differs"
    )


@pytest.mark.parametrize(
    "trials, epsilon", [(FEW, SMALL), (MORE, EPSILON), (MOST, EPSILON), (MANY, EPSILON)]
)
def test_so_many_draws_can_refute_that_epsilon(trials: int, epsilon: Fraction) -> None:
    held_out = trials - trials // 2
    largest = loss_bound(
        np.array([held_out]), np.array([0]), held_out, risk=(1.0 - CONFIDENCE) / EVENTS
    )
    assert largest[0] > 2 * epsilon


def test_only_what_spends_nothing_has_no_noise() -> None:
    losses = {one.method.name: one.kind.target(one.method, one.neighbors).loss for one in PROVEN}
    assert {name for name, loss in losses.items() if loss == Loss(0)} == FREE


@pytest.mark.slow
@pytest.mark.parametrize("attackable", PROVEN, ids=label)
def test_no_proven_method_exceeds_its_loss_in_many_draws(attackable: Attackable) -> None:
    holds(attackable, MOST if attackable.method.name in LONG else MANY)


@pytest.mark.parametrize("drawn", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.spanning
@pytest.mark.parametrize("neighbors", list(Neighbors))
@every_mechanism
def test_every_mechanism_keeps_its_loss(name: str, neighbors: Neighbors, drawn: bool) -> None:
    """On every pair where the exact loss is known, and else (or beside it) by draws."""
    for case in mechanism_cases(mechanism_classes()[name], neighbors):
        if not case.mechanism.guarantee.holds:
            continue
        declared = float(case.mechanism.loss.epsilon)
        known = [exact_loss(case.mechanism, pair) for pair in case.pairs]
        for loss, pair in zip(known, case.pairs, strict=True):
            assert (loss or 0.0) <= declared * (1 + 1e-7), pair.words
        if None not in known and not drawn:
            continue
        target = mechanism_target(case.mechanism, read=case.read)
        result = audit(target, case.pairs[0], trials=MORE, confidence=CONFIDENCE)
        assert not result.violated, result.verdict


@pytest.mark.few(6)
@pytest.mark.parametrize("name", presets())
def test_presets_show_what_they_say(name: str) -> None:
    """By computation wherever it is possible, and by draws where few are enough."""
    preset = presets()[name]
    row = preset_row(preset, None)
    few = preset.drawn and (preset.trials <= MOST or row.exact is None)
    if few:
        row = preset_row(preset, preset.trials)
    assert row.exceeded is not row.proven, row
    if few:
        assert row.lower is not None
        assert row.lower > float(row.declared.epsilon)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, preset in presets().items() if preset.drawn])
def test_draws_show_it_too(name: str) -> None:
    row = preset_row(presets()[name], presets()[name].trials)
    assert row.lower is not None
    assert (row.lower > float(row.declared.epsilon)) is not row.proven, row


def test_every_broken_method_has_a_preset() -> None:
    broken = {one.method.name for one in METHODS} - {one.method.name for one in PROVEN}
    shown = {name for preset in presets().values() for name in preset.shows}
    assert broken <= shown, f"no demonstration shows the counterexample of {sorted(broken - shown)}"


def test_the_broken_mechanisms_have_no_other_way_out() -> None:
    """A mechanism without recipe is one that nobody may use with real noise."""
    for mechanism in mechanism_classes().values():
        if not any(mechanism_cases(mechanism, neighbors) for neighbors in Neighbors):
            assert isinstance(mechanism.guarantee, Guarantee)
            assert not mechanism.guarantee.holds


def test_every_registry_is_a_kind() -> None:
    found = set()
    for module in pkgutil.walk_packages(dpcore.__path__, "dpcore."):
        if module.name.endswith("__main__"):
            continue
        with warnings.catch_warnings():  # an old name says that it is one
            warnings.simplefilter("ignore", FutureWarning)
            imported = importlib.import_module(module.name)
        for member in vars(imported).values():
            if isinstance(member, Registry):
                found.add(member.package)
    missing = found - {kind.methods.package for kind in kinds().values()}
    assert not missing, (
        f"the methods of {sorted(missing)} are not audited: add a kind to "
        "dpcore/audit/method_targets.py that says how they run and which data are neighbours"
    )


def test_a_mechanism_without_a_pair_is_named() -> None:
    class Nameless:
        guarantee = Guarantee.proven("nothing")

    with pytest.raises(Exception, match="Nameless has no pair of neighbours to be audited on"):
        mechanism_cases(Nameless, Neighbors.ADD_REMOVE)
