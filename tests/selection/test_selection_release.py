"""What a selection says to the outside."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpcore import Charge, Loss, Part, SeededNoise
from dpcore.errors import DataError
from dpcore.selection import SelectionRelease, select_features

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


@pytest.mark.parametrize("method", ["noisy-scores", "best", "none"])
def test_what_was_written_reads_back(method: str) -> None:
    spends = {} if method == "none" else {"top_k": 2, "epsilon": "0.3"}
    picked = select_features(
        np.eye(4), method=method, noise=SeededNoise(0), part=Part("split", "train"), **spends
    )
    again = SelectionRelease.from_json(picked.to_json())
    assert again.to_json() == picked.to_json()
    assert (again.selected.tolist(), again.selected.dtype) == (picked.selected.tolist(), np.int64)
    assert (again.charges, again.simulated, again.method) == (picked.charges, True, method)
    assert (again.scores is None) is (picked.scores is None)


def test_a_feature_without_a_score_stays_without_one() -> None:
    release = SelectionRelease(np.array([0]), np.array([np.nan, 3.5]), (CHARGE,), False, "best")
    again = SelectionRelease.from_json(release.to_json())
    np.testing.assert_array_equal(again.scores, [np.nan, 3.5])
    assert again.simulated is False


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"selected": 1}', "null"])
def test_another_text_is_no_selection(text: str) -> None:
    with pytest.raises(DataError, match="this is not an exported selection"):
        SelectionRelease.from_json(text)
