"""Thresholdout as a call: what it answers, charges and refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcore import Ledger, Loss, Neighbors, Part, SeededNoise, SystemNoise
from dpcore.errors import (
    BudgetExceeded,
    HoldoutExhausted,
    InvalidArgument,
    MovablePart,
    NeighborsMismatch,
    UnsupportedNeighbors,
)
from dpcore.evaluation import Thresholdout
from dpcore.mechanisms.threshold.reusable_holdout import HoldoutSession
from tests.conformance._odd_cells import ODD


def first(records):
    return np.asarray(records)[:, 0]


def opened(**options):
    train, holdout = np.full((400, 2), 0.9), np.full((1000, 2), 0.5)
    return Thresholdout(train, holdout, **{"noise": SeededNoise(1), **options})


def test_a_query_is_asked_of_both_sets():
    holdout = opened()
    assert holdout.answer(first) == pytest.approx(0.5, abs=0.1)
    assert (holdout.remaining, holdout.overfit) == (499, 1)


def test_frames_and_sequences_are_records_too():
    frame = pd.DataFrame({"score": [0.25, 0.75]})
    quiet = {"threshold": 0.5, "sigma": "0.001", "noise": SeededNoise(0)}
    holdout = Thresholdout(frame, frame, **quiet)
    assert holdout.answer(lambda records: records["score"]) == pytest.approx(0.5)
    assert Thresholdout([0.0, 1.0], [1.0, 0.0], **quiet).answer(np.array) == pytest.approx(0.5)


def test_the_whole_budget_is_charged_before_anything_is_drawn():
    ledger = Ledger(Loss(10), "replace")
    holdout = opened(budget=50, ledger=ledger)
    assert ledger.spent == holdout.loss == Loss(10)
    (charge,) = holdout.charges
    assert (charge.label, charge.mechanism) == ("reusable holdout", "ReusableHoldout")
    holdout.answer(first)
    assert ledger.spent == Loss(10)


def test_a_ledger_that_cannot_afford_it_refuses():
    ledger = Ledger(Loss("9.99"), "replace")
    with pytest.raises(BudgetExceeded):
        opened(budget=50, ledger=ledger)
    assert ledger.charges == ()


def test_the_budget_ends_with_a_sentence():
    holdout = opened(budget=3)
    for _ in range(3):
        holdout.answer(first)
    with pytest.raises(HoldoutExhausted, match="fresh holdout records"):
        holdout.answer(first)
    assert (holdout.remaining, holdout.overfit) == (0, 3)


def test_many_questions_at_once_stop_where_the_budget_does():
    holdout = opened(budget=2)
    answers = holdout.answers(np.full((5, 400), 0.9), np.full((5, 1000), 0.1))
    assert answers.shape == (2,)


def test_only_the_proven_relation_is_taken():
    with pytest.raises(UnsupportedNeighbors, match="add-remove"):
        opened(neighbors="add-remove")
    with pytest.raises(NeighborsMismatch):
        opened(ledger=Ledger(Loss(1000), Neighbors.ADD_REMOVE))


def test_a_part_must_keep_its_records():
    with pytest.raises(MovablePart):
        opened(part=Part("split", "test"))
    part = Part("split", "test", fixed_under_replacement=True)
    assert opened(part=part).charges[0].part == part


def test_real_noise_is_real():
    assert not opened(noise=None, budget=1).simulated
    assert opened().simulated


@pytest.mark.parametrize("query", [lambda r: 0.5, lambda r: r, lambda r: ["a"] * len(r)])
def test_a_query_must_give_one_number_for_each_record(query):
    with pytest.raises(InvalidArgument, match="one number for each of the 400 records"):
        opened().answer(query)


def test_values_beyond_the_interval_are_clipped():
    quiet = {"threshold": 1.0, "sigma": "0.001", "noise": SeededNoise(0)}
    holdout = Thresholdout([7.0, -3.0], [7.0, -3.0], **quiet)
    assert holdout.answer(np.array) == pytest.approx(0.5)


@pytest.mark.parametrize("name, value", [("sigma", 0), ("threshold", -1), ("budget", 0)])
def test_wrong_parameters_are_named(name, value):
    with pytest.raises(InvalidArgument, match=f"^{name} must be"):
        opened(**{name: value})


def test_it_protects_a_test_set_from_an_analyst_who_follows_the_answers():
    """Pure noise: of 500 classifiers that guess, choose the 30 that the holdout likes best.

    Their majority looks better than a half to the records that chose it, and to no others.
    """
    rng = np.random.default_rng(0)
    train, test = rng.integers(0, 2, (2, 500, 1000)).astype(bool)

    def optimism(answers):
        best = np.argsort(-answers)[:30]
        return (test[best].mean(axis=0) > 0.5).mean() - 0.5

    holdout = Thresholdout(train[0], test[0], budget=500, noise=SeededNoise(0))
    assert optimism(test.mean(axis=1)) > 0.06
    assert optimism(holdout.answers(train, test)) < 0.03


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_one_odd_record_makes_no_error(odd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With real noise; all other records count as they do without it."""
    held = np.empty(1000, dtype=object)
    held[:] = 0.5
    held[-1] = odd
    asked: list[Any] = []
    ask = HoldoutSession.ask
    monkeypatch.setattr(
        HoldoutSession, "ask", lambda self, *both: asked.append(both[1]) or ask(self, *both)
    )
    holdout = Thresholdout([0.9] * 400, held, noise=SystemNoise())
    for form in (held, list(held), pd.Series(held, dtype=object)):
        holdout.answer(lambda records, form=form: records if len(records) == 400 else form)
    holdout.answers([[0.9] * 400] * 2, np.stack([held, held]))
    for values in asked:
        assert (values[:, :-1] == 0.5).all()
