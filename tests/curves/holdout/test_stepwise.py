"""The classifier that grows equals one that is fitted afresh."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore import SeededNoise
from dpcore.curves.holdout.problem import HoldoutSettings, LabelledRows, generated
from dpcore.curves.holdout.stepwise import JUDGES, Stepwise
from dpcore.evaluation import holdout_methods

SMALL_OF_JUDGES = HoldoutSettings(train_rows=60, test_rows=40, fresh_rows=80, variables=7, signal=3)

PROBLEM = generated(SMALL_OF_JUDGES)


@pytest.mark.parametrize("key", JUDGES)
def test_every_judge_rates_all_candidates(key):
    kind = JUDGES[key]
    test = kind.test_of(PROBLEM)
    judge = kind.open(PROBLEM.train, test, SMALL_OF_JUDGES, SeededNoise(1))
    model = Stepwise(PROBLEM.train, test, PROBLEM.fresh)
    assert judge.rate(model, model.slopes).shape == (7,)
    told = judge.report(model)
    assert told is None if key == "zumel" else -0.2 < told < 1.2
    assert kind.method is None or kind.method in holdout_methods()


def test_exact_judges_are_exact():
    model = Stepwise(PROBLEM.train, PROBLEM.test, PROBLEM.fresh)
    slopes = model.slopes
    for key, part in (("naive", model.sides["test"]), ("train", model.sides["train"])):
        judge = JUDGES[key].open(PROBLEM.train, PROBLEM.test, SMALL_OF_JUDGES, SeededNoise(1))
        assert judge.rate(model, slopes).tolist() == part.right_with(slopes).means.tolist()
        assert judge.charges == ()


@pytest.mark.parametrize("asks", ["train", "test"])
def test_records_that_nobody_asks_about_change_nothing(asks):
    """Twelve steps, so that what is explained is taken out of the candidates on the way."""
    problem = generated(HoldoutSettings(train_rows=90, test_rows=70, fresh_rows=80, variables=15))
    records = problem.train, problem.test, problem.fresh
    whole, part = Stepwise(*records), Stepwise(*records, asks=asks)
    curves = [whole.accuracies()]
    for step in range(12):
        assert np.allclose(whole.slopes, part.slopes, rtol=1e-12, atol=0.0)
        place = step * 5 % whole.candidates.size
        assert whole.take(place, whole.slopes) == part.take(place, part.slopes)
        curves.append(whole.accuracies())
        assert part.accuracies() == {asks: curves[-1][asks]}
    (other,) = {"train", "test"} - {asks}
    assert set(part.records) == {"fresh", other}
    assert part.accuracies_since(0, part.records[other]) == [one[other] for one in curves]


def test_the_larger_test_set_is_left_out_where_there_is_none():
    assert JUDGES["larger"].test_of(PROBLEM) is PROBLEM.large_test
    assert JUDGES["naive"].test_of(PROBLEM) is PROBLEM.test


SMALL = HoldoutSettings(train_rows=60, test_rows=40, fresh_rows=80, variables=7, signal=3)


def refitted(problem, chosen):
    """Scores of least squares on the chosen variables, for train, test and fresh records."""
    target = np.where(problem.train.y, 1.0, -1.0)
    designs = [
        np.column_stack([np.ones(part.size), part.X[chosen].T])
        for part in (problem.train, problem.test, problem.fresh)
    ]
    weights = np.linalg.lstsq(designs[0], target, rcond=None)[0]
    return [design @ weights for design in designs]


@given(st.integers(0, 1000), st.permutations(range(7)))
@settings(max_examples=30, deadline=None)
def test_every_step_is_least_squares(seed, order):
    problem = generated(HoldoutSettings(**{**vars(SMALL), "seed": seed}))
    model, chosen = Stepwise(problem.train, problem.test, problem.fresh), []
    for variable in order:
        place = int(np.flatnonzero(model.candidates == variable)[0])
        slopes = model.slopes
        parts = model.sides.values()
        offered = [part.right_with(slopes).sums[place] for part in parts]
        assert model.take(place, slopes) == variable
        chosen.append(variable)
        train, test, fresh = refitted(problem, chosen)
        sign = [np.where(records.y, 1.0, -1.0) for records in (problem.train, problem.test)]
        # In single precision.
        assert np.allclose(model.sides["train"].margin, sign[0] * train, atol=1e-6)
        assert np.allclose(model.sides["test"].margin, sign[1] * test, atol=1e-6)
        # What was offered is what one gets.
        assert offered == [part.right.sums[0] for part in parts]
        right = [(train > 0) == problem.train.y, (test > 0) == problem.test.y]
        right.append((fresh > 0) == problem.fresh.y)
        fresh_now = model.accuracies_since(len(chosen), problem.fresh)
        found = [*model.accuracies().values(), *fresh_now]
        assert found == pytest.approx([share.mean() for share in right])
    assert model.candidates.size == 0
    assert len(model.accuracies_since(0, problem.fresh)) == len(order) + 1


def test_a_copy_of_a_chosen_variable_changes_nothing():
    problem = generated(SMALL)
    doubled = [
        LabelledRows(np.vstack([part.X, part.X[:1], np.ones((1, part.size))]), part.y)
        for part in (problem.train, problem.test, problem.fresh)
    ]
    model = Stepwise(*doubled)
    model.take(0, model.slopes)
    before = model.accuracies()
    for variable in (7, 8):  # the copy, and a constant
        place = int(np.flatnonzero(model.candidates == variable)[0])
        assert model.slopes[place] == 0.0
        model.take(place, model.slopes)
        assert model.accuracies() == before
