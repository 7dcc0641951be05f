"""Several draws, and their means."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.curves.holdout import HoldoutSettings, divided, run_holdout
from dpcore.curves.holdout.repeats import mean_error, repeated

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
