"""The study: what naive reuse does to a test set, and what Thresholdout does about it."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import numpy as np
import pytest

from dpcore import Loss
from dpcore.curves.holdout.problem import HoldoutSettings, divided
from dpcore.curves.holdout.stepwise import JUDGES
from dpcore.curves.holdout.study import (
    HoldoutDraws,
    HoldoutStudy,
    mean_error,
    repeated,
    run_holdout,
)

SMALL = HoldoutSettings(train_rows=60, test_rows=40, fresh_rows=80, variables=7, signal=3, steps=4)


def test_each_seed_is_a_study_of_its_own():
    results = repeated(SMALL, [3, 4])
    assert [result.settings.seed for result in results] == [3, 4]
    alone = run_holdout(HoldoutSettings(**{**vars(SMALL), "seed": 4}))
    assert results[1].to_json() == alone.to_json()


def test_means_and_standard_errors():
    results = repeated(SMALL, range(5))
    gaps = [result.run("naive").optimism(3) for result in results]
    found = mean_error(results, "naive", lambda run: run.optimism(3))
    assert found.mean == pytest.approx(np.mean(gaps))
    assert found.error == pytest.approx(np.std(gaps, ddof=1) / 5**0.5)
    assert found.draws == 5


def test_what_is_never_reported_has_no_mean():
    results = repeated(SMALL, range(3))
    assert mean_error(results, "zumel", lambda run: run.reported_optimism(3)) is None


def test_a_table_of_ones_own_is_dealt_afresh_and_progress_is_told():
    rng = np.random.default_rng(0)
    X, y, shares = rng.normal(size=(300, 3)), rng.random(300) < 0.5, []
    results = repeated(
        SMALL,
        range(4),
        problem=lambda settings: divided(X, y, tuple("abc"), settings),
        progress=shares.append,
    )
    assert shares == [0.25, 0.5, 0.75, 1.0]
    assert results[0].to_json() != results[1].to_json()


SETTINGS = HoldoutSettings()


@pytest.fixture(scope="module")
def default():
    """The default problem, without signal."""
    return run_holdout(replace(SETTINGS, seed=0, signal=0))


@pytest.mark.slow
def test_naive_reuse_overstates_and_thresholdout_hardly():
    """Means over eight seeds; `benchmarks.holdout` does it over twenty and more.

    Over 80 seeds naive reuse overstates by .074 and Thresholdout by .005, with standard deviations
    of .015 and .02 from seed to seed: a fresh eight miss these limits less than once in a million.
    """
    several = [run_holdout(replace(SETTINGS, seed=seed, signal=0)) for seed in range(8)]
    optimism = {
        key: np.mean([result.run(key).optimism(25) for result in several]) for key in JUDGES
    }
    assert optimism["naive"] > 0.045
    assert optimism["larger"] < 0.042
    assert abs(optimism["train"]) < 0.04
    assert optimism["thresholdout"] < 0.042
    assert optimism["thresholdout"] < optimism["naive"]


def test_the_largest_answer_stays_optimistic():
    """Even under Thresholdout the best of many answers is noise, or the training set's.

    Over 40 seeds it overstates by .093, with a standard deviation of .013 from seed to seed: the
    mean of three is below the limit by 5.6 of its own, once in fifty million.
    """
    runs = [
        run_holdout(replace(SETTINGS, seed=seed, signal=0), judges=["thresholdout"])
        for seed in range(3)
    ]
    assert np.mean([one.run("thresholdout").best_optimism(25) for one in runs]) > 0.05


def test_the_default_run_takes_less_than_two_seconds():
    run_holdout(SMALL)  # Whatever is imported first is none of its time.
    start = process_time()
    run_holdout(SETTINGS)
    # A third of a second on an idle core.
    assert process_time() - start < 2.0


def test_curves_have_a_point_for_every_number_of_variables(default):
    for run in default.runs:
        assert run.train.shape == run.test.shape == run.fresh.shape == (51,)
        assert run.reported.shape == run.best_answer.shape == (50,)
        assert np.unique(run.chosen).size == run.steps == 50
        assert not run.stopped
    assert default.run("naive").asked == sum(range(61, 111)) + 50


def test_a_small_budget_ends_the_selection():
    result = run_holdout(replace(SETTINGS, budget=100), judges=["thresholdout"])
    run = result.run("thresholdout")
    assert run.stopped
    assert 0 < run.steps < 15
    assert run.overfit == 100
    assert run.charges[0].loss == Loss(20)
    assert run.optimism(25) == run.test[-1] - run.fresh[-1]


def test_a_budget_of_one_may_end_before_the_first_variable():
    tiny = replace(SETTINGS, budget=1, threshold=0.0)
    run = run_holdout(tiny, judges=["thresholdout"]).run("thresholdout")
    assert (run.steps, run.reported_optimism(25), run.best_optimism(25)) == (0, None, None)


def test_a_result_is_read_as_often_as_a_page_asks_while_the_study_is_under_way():
    study = HoldoutStudy(replace(SMALL, variables=40, steps=30))
    study.advance()
    first, again = study.result, study.result
    assert not study.done
    assert again.to_json() == first.to_json()


def test_a_seed_repeats_itself():
    assert run_holdout(SMALL).to_json() == run_holdout(SMALL).to_json()


def test_a_table_of_ones_own():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(900, 6)), rng.random(900) < 0.5
    X[:, 2] += 2.0 * y
    settings = HoldoutSettings(steps=10)
    result = run_holdout(settings, divided(X, y, tuple("abcdef"), settings))
    assert [run.key for run in result.runs] == ["naive", "thresholdout", "zumel", "train"]
    assert result.signal is None
    assert result.rows == (300, 300, 300)
    assert all(run.steps == 6 and run.found is None for run in result.runs)
    assert result.run("naive").chosen[0] == 2


def test_draws_that_are_done_stay_as_they_are():
    draws = HoldoutDraws(replace(SMALL, steps=1), [3])
    while not draws.done:
        draws.advance()
    (found,) = draws.results
    draws.advance()
    assert draws.results == [found]
    assert draws.share == 1.0
