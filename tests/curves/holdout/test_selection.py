"""Selections grow a few variables at a time, and end as if nobody had looked."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.curves.holdout import selection
from dpcore.curves.holdout.problem import HoldoutSettings
from dpcore.curves.holdout.study import HoldoutStudy, run_holdout

SMALL = HoldoutSettings(train_rows=60, test_rows=40, fresh_rows=80, variables=7, signal=3, steps=4)


@pytest.mark.parametrize("together", [1, 3])
def test_a_study_is_there_after_its_first_variables_and_ends_as_the_whole(
    together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run_holdout(SMALL)
    monkeypatch.setattr(selection, "_TOGETHER", together)
    study = HoldoutStudy(SMALL)
    study.advance()
    assert 0 < study.share <= together / SMALL.steps
    for run, complete in zip(study.result.runs, whole.runs, strict=True):
        assert run.steps <= together
        assert np.array_equal(run.test, complete.test[: run.steps + 1])
    while not study.done:
        study.advance()
    assert study.result.to_json() == whole.to_json()
    # Nothing is left of the records, which are large.
    assert all(one._model is None for one in study._selections)
