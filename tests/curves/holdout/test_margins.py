"""Who is looked at when candidates are rated, and that it is everybody whom it could matter to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpcore.curves.holdout import stepwise
from dpcore.curves.holdout.problem import HoldoutSettings, LabelledRows, generated
from dpcore.curves.holdout.stepwise import Margins, Stepwise
from dpcore.curves.holdout.study import run_holdout

SMALL = HoldoutSettings(train_rows=60, test_rows=40, fresh_rows=80, variables=7, signal=3)
PROBLEM = generated(SMALL)


@pytest.mark.parametrize("strength", [0.0, 0.2, 2.0])
def test_records_that_are_not_looked_at_stay_on_their_side(strength: float) -> None:
    """Twenty steps, each candidate of each rated by all records as they are."""
    sizes = HoldoutSettings(
        train_rows=300, test_rows=700, fresh_rows=20, variables=40, strength=strength
    )
    problem = generated(sizes)
    model = Stepwise(problem.train, problem.test, problem.fresh)
    looked_at = []
    for step in range(20):
        slopes, chosen = model.slopes, model.chosen
        for part, records in (
            (model.sides["train"], problem.train),
            (model.sides["test"], problem.test),
        ):
            base = np.column_stack([np.ones(300), problem.train.X[chosen].T])
            here = np.column_stack([np.ones(records.size), records.X[chosen].T])
            plain, sign = [], np.where(records.y, 1.0, -1.0)
            for variable, slope in zip(model.candidates, slopes, strict=True):
                explained = np.linalg.lstsq(base, problem.train.X[variable], rcond=None)[0]
                moved = sign * part.margin + slope * (records.X[variable] - here @ explained)
                plain.append(np.count_nonzero((moved > 0.0) == records.y))
            assert part.right_with(slopes).sums.tolist() == plain
            near = np.abs(part.margin) <= np.abs(slopes).max() * part._reach
            looked_at.append(near.mean())
        model.take(step % model.candidates.size, slopes)
    assert min(looked_at) < 0.95


def test_without_candidates_nobody_is_rated():
    part = Stepwise(PROBLEM.train, PROBLEM.test, PROBLEM.fresh).sides["test"]
    found = part.right_with(np.zeros(0))
    assert (found.sums.tolist(), found.records) == ([], PROBLEM.test.size)


def test_a_score_of_nothing_is_negative_and_so_is_one_that_no_candidate_moves() -> None:
    """As many positives as negatives: scores are 0 at first, and the first value always."""
    y = np.array([True, True, False, False])
    X = np.array([[0.0, 0.0, 0.0, 0.0], [1.0, -1.0, 1.0, -1.0]])
    side = Margins(LabelledRows(X, y), np.zeros(2), 0.0)
    assert side.right.sums.tolist() == [2]
    for slope in (-0.5, 0.0, 0.5):
        first, second = side.right_with(np.array([slope, slope])).sums.tolist()
        assert (first, second) == (2, 2)
    third = Margins(LabelledRows(np.array([[0.0, 1.0, 0.0, 1.0]]), y), np.zeros(1), 0.0)
    assert third.right_with(np.array([0.5])).sums.tolist() == [2]
    assert third.right_with(np.array([-0.5])).sums.tolist() == [2]
    fourth = Margins(LabelledRows(np.array([[0.0, 1.0, 0.0, 0.0]]), y), np.zeros(1), 0.0)
    assert fourth.right_with(np.array([0.5])).sums.tolist() == [3]
    assert fourth.right_with(np.array([-0.5])).sums.tolist() == [2]


@pytest.mark.parametrize("in_cache", [1, 130, 10**6])
def test_however_many_candidates_are_worked_on_at_a_time(
    in_cache: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = replace(SMALL, steps=4)
    whole = run_holdout(few)
    monkeypatch.setattr(stepwise, "IN_CACHE", in_cache)
    assert run_holdout(few).to_json() == whole.to_json()
