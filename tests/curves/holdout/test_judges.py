"""Each judge stands under the verdict of its method, and is asked in the same way."""

from __future__ import annotations

import pytest

from dpcore import SeededNoise
from dpcore.curves.holdout import HoldoutSettings, generated
from dpcore.curves.holdout.judges import JUDGES
from dpcore.curves.holdout.stepwise import Stepwise
from dpcore.evaluation import holdout_methods

SMALL = HoldoutSettings(train_rows=60, test_rows=40, fresh_rows=80, variables=7, signal=3)
PROBLEM = generated(SMALL)


@pytest.mark.parametrize("key", JUDGES)
def test_every_judge_rates_all_candidates(key):
    kind = JUDGES[key]
    test = kind.test_of(PROBLEM)
    judge = kind.open(PROBLEM.train, test, SMALL, SeededNoise(1))
    model = Stepwise(PROBLEM.train, test, PROBLEM.fresh)
    assert judge.rate(model, model.slopes).shape == (7,)
    told = judge.report(model)
    assert told is None if key == "zumel" else -0.2 < told < 1.2
    assert kind.method is None or kind.method in holdout_methods()


def test_exact_judges_are_exact():
    model = Stepwise(PROBLEM.train, PROBLEM.test, PROBLEM.fresh)
    slopes = model.slopes
    for key, part in (("naive", model.test), ("train", model.train)):
        judge = JUDGES[key].open(PROBLEM.train, PROBLEM.test, SMALL, SeededNoise(1))
        assert judge.rate(model, slopes).tolist() == part.correct(slopes).mean(axis=1).tolist()
        assert judge.charges == ()


def test_the_larger_test_set_is_left_out_where_there_is_none():
    assert JUDGES["larger"].test_of(PROBLEM) is PROBLEM.large_test
    assert JUDGES["naive"].test_of(PROBLEM) is PROBLEM.test
