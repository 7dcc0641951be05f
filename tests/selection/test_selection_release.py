"""What a selection says to the outside."""

from __future__ import annotations

import json

import numpy as np

from dpcore import Charge, Loss
from dpcore.selection import SelectionRelease

CHARGE = Charge("feature scores", "Geometric", Loss("0.1"))


def test_json_has_null_where_a_feature_was_not_scored() -> None:
    scores = np.array([np.nan, 3.0])
    release = SelectionRelease(np.array([0, 1]), scores, (CHARGE,), True, "noisy-scores")
    document = json.loads(release.to_json())
    assert document["scores"] == [None, 3.0]
    assert document["selected"] == [0, 1]
    assert document["simulated"] is True
    assert document["charges"][0]["epsilon"] == "1/10"


def test_json_without_scores() -> None:
    release = SelectionRelease(np.array([], dtype=np.int64), None, (), False, "none")
    document = json.loads(release.to_json())
    assert document["scores"] is None
    assert document["selected"] == []
