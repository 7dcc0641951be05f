"""GroupRelease as JSON."""

import math

import pytest

from dpcore.errors import DataError
from dpcore.evaluation import GroupRelease
from tests.evaluation.decisions.test_groups import evaluate


def test_json_round_trip() -> None:
    found = evaluate(threshold=0.5)
    again = GroupRelease.from_json(found.to_json())
    assert again.to_json() == found.to_json()
    assert again.gaps == found.gaps
    with pytest.raises(DataError, match="by group"):
        GroupRelease.from_json("{}")


def test_a_rate_that_no_group_has_is_between_none() -> None:
    """Nobody's score is as high as the threshold, so no alarm can be right."""
    gap = evaluate(threshold=1.0, epsilon=1000).gaps["ppv"]
    assert (math.isnan(gap.value), gap.lowest, gap.highest) == (True, "", "")
    assert 0.0 <= gap.interval[0] <= gap.interval[1] <= 1.0
