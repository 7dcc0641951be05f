"""What a run says of itself."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpcore.curves.holdout.problem import HoldoutSettings
from dpcore.curves.holdout.selection import HoldoutRun
from dpcore.curves.holdout.study import run_holdout

SMALL = HoldoutSettings(train_rows=60, test_rows=40, fresh_rows=80, variables=7, signal=3, steps=5)


def run(reported=(0.7, np.nan)):
    return HoldoutRun(
        key="naive",
        name="Naive reuse",
        method=None,
        chosen=np.array([3, 1]),
        train=np.array([0.5, 0.6, 0.7]),
        test=np.array([0.5, 0.6, 0.65]),
        fresh=np.array([0.5, 0.55, 0.5]),
        reported=np.array(reported),
        best_answer=np.array([0.8, 0.9]),
        asked=13,
        overfit=None,
        stopped=False,
        charges=(),
        found=None,
        test_rows=40,
    )


def test_optimism_at_a_step_and_beyond_the_last():
    assert run().optimism(1) == pytest.approx(0.05)
    assert run().optimism(25) == pytest.approx(0.15)
    assert run().reported_optimism(1) == pytest.approx(0.15)
    assert run().reported_optimism(2) is None
    assert run().best_optimism(2) == pytest.approx(0.4)


def test_json_holds_the_curves_and_says_what_it_is():
    result = run_holdout(SMALL)
    document = json.loads(result.to_json())
    assert document["simulation"] is True
    assert document["settings"]["train_rows"] == 60
    assert [one["key"] for one in document["runs"]] == [one.key for one in result.runs]
    thresholdout = document["runs"][1]
    assert thresholdout["fresh"] == result.run("thresholdout").fresh.tolist()
    assert thresholdout["charges"][0]["label"] == "reusable holdout"
    assert document["runs"][2]["reported"] == [None] * 5
