"""The classifier that grows equals one that is fitted afresh."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.curves.holdout import HoldoutSettings, Records, generated
from dpcore.curves.holdout.stepwise import Stepwise

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
        offered = model.train.correct(slopes)[place], model.test.correct(slopes)[place]
        assert model.take(place, slopes) == variable
        chosen.append(variable)
        train, test, fresh = refitted(problem, chosen)
        assert np.allclose(model.train.score, train, atol=1e-8)
        assert np.allclose(model.test.score, test, atol=1e-8)
        # What was offered is what one gets.
        assert np.array_equal(offered[0], model.train.right)
        assert np.array_equal(offered[1], model.test.right)
        right = [(train > 0) == problem.train.y, (test > 0) == problem.test.y]
        right.append((fresh > 0) == problem.fresh.y)
        assert model.accuracies() == pytest.approx([share.mean() for share in right])
    assert model.candidates.size == 0


def test_a_copy_of_a_chosen_variable_changes_nothing():
    problem = generated(SMALL)
    doubled = [
        Records(np.vstack([part.X, part.X[:1], np.ones((1, part.size))]), part.y)
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
